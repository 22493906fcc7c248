"""`tafl serve` as a child of a test: started on a free port, watched, killed;
and the output of a test in TAP."""

import ctypes
import itertools
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
import traceback

TAFL = os.environ.get("TAFL", "build/tafl")
TAFL_SAN = os.environ.get("TAFL_SAN", "build/san/tafl")
SHARED = os.environ.get("SHARED", "../shared/games")
LONG = bool(os.environ.get("LONG"))


LIBC = ctypes.CDLL(None)
# A terminated test cleans up first.
signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))


def end_with_parent():
    """In a child: it is killed when the test ends (strictly, when the thread that
    started it does)."""
    LIBC.prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG


class Server:
    """A server with a state directory of its own unless one is given. `log` is
    the name of its log file in `work`."""

    numbers = itertools.count(1)

    def __init__(self, work, *options, program=TAFL, state=None, port=0, env=None,
                 before=None, wrap=()):
        number = next(Server.numbers)
        self.state = state or tempfile.mkdtemp(prefix="state", dir=work)
        self.log = os.path.join(work, "serve%d.log" % number)
        self.errors = open(self.log, "wb")
        command = [*wrap, program, "serve", "--port", str(port), "--state", self.state, *options]
        self.process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=self.errors, env={**os.environ, **(env or {})},
            preexec_fn=lambda: (end_with_parent(), before and before()))
        line = self.process.stdout.readline().decode()
        found = re.match(r"listening on http://([0-9.]+):(\d+)/", line)
        if not found:
            self.kill()
            raise RuntimeError("serve printed %r\n%s" % (line, self.tail()))
        self.address = found[1], int(found[2])
        self.pid = self.process.pid

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.kill()

    def tail(self, lines=12):
        with open(self.log, "rb") as file:
            text = file.read().decode("utf-8", "replace")
        return "\n".join(text.splitlines()[-lines:])

    def logged(self, text):
        with open(self.log, "rb") as file:
            return text.encode() in file.read()

    def alive(self):
        return self.process.poll() is None

    def children(self):
        found = []
        for task in listing("/proc/%d/task" % self.pid):
            try:
                with open("/proc/%d/task/%s/children" % (self.pid, task)) as file:
                    found += map(int, file.read().split())
            except OSError:
                pass
        return found

    def rss(self):
        """KiB of the server process itself."""
        with open("/proc/%d/status" % self.pid) as file:
            return int(re.search(r"VmRSS:\s*(\d+)", file.read())[1])

    def files(self):
        return len(listing("/proc/%d/fd" % self.pid))

    def kill(self, signal_number=signal.SIGKILL):
        """Returns the exit code, negative if a signal ended it. May be called
        more than once."""
        if self.alive():
            self.process.send_signal(signal_number)
        try:
            code = self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            code = self.process.wait()
        self.process.stdout.close()
        self.errors.close()
        return code


def listing(path):
    try:
        return os.listdir(path)
    except OSError:
        return []


def wait_for(question, seconds=5):
    """Whether the question becomes true within the time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if question():
            return True
        time.sleep(0.01)
    return bool(question())


class Tap:
    """The output of a test; `close` returns its exit code."""

    def __init__(self):
        self.number = self.failures = 0
        self.lock = threading.Lock()

    def tell(self, good, what, details=""):
        with self.lock:
            self.number += 1
            self.failures += not good
            print("%s %d - %s" % ("ok" if good else "not ok", self.number, what))
            if not good:
                for line in str(details).splitlines()[:30]:
                    print("  " + line[:200])
            sys.stdout.flush()

    def skip(self, what, why):
        with self.lock:
            self.number += 1
            print("ok %d - %s # SKIP %s" % (self.number, what, why), flush=True)

    def together(self, jobs, width):
        """Runs functions, `width` at a time; one that raises has failed."""
        jobs = list(jobs)[::-1]

        def work():
            while True:
                with self.lock:
                    if not jobs:
                        return
                    job = jobs.pop()
                try:
                    job()
                except Exception:
                    self.tell(False, "a test raised an exception", traceback.format_exc())

        threads = [threading.Thread(target=work) for _ in range(width)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def close(self):
        print("1..%d" % self.number, flush=True)
        return 1 if self.failures else 0
