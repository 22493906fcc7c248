"""Matches of a server whose search is helped by the ranks of a cluster, and what can
happen to those."""

import os
import re
import shutil
import signal
import threading
import time

from gamemaster import Judge, Match
from serving import TAFL, Server, listing, wait_for


def has_mpi():
    """Why there are no ranks here; empty: there are."""
    if not shutil.which("mpirun"):
        return "no mpirun"
    return "" if os.path.exists("build/tafl-mpi.so") else "built without MPI"


def environment(pid):
    try:
        with open("/proc/%d/environ" % pid, "rb") as file:
            return file.read().split(b"\0")
    except OSError:
        return []


# What the processes of a job are called; a test asks for them often, and must not keep the
# game master of the same process waiting.
NAMES = ("mpirun", "orterun", "orted", "tafl")


def command(pid):
    try:
        with open("/proc/%d/comm" % pid) as file:
            return file.read().strip()
    except OSError:
        return ""


def words(pid):
    try:
        with open("/proc/%d/cmdline" % pid, "rb") as file:
            return file.read().decode(errors="replace").split("\0")[:-1]
    except OSError:
        return []


class Ranks:
    """The processes of one server's clusters, known by a word in their environment."""

    numbers = iter(range(1, 1 << 30))

    def __init__(self):
        self.mark = "%d-%d" % (os.getpid(), next(Ranks.numbers))
        self.env = {"TAFL_TEST_CLUSTER": self.mark}

    def all(self):
        """Every process of a job: launchers, daemons and ranks."""
        mark = ("TAFL_TEST_CLUSTER=" + self.mark).encode()
        found = []
        for name in listing("/proc"):
            if not name.isdigit() or command(int(name)) not in NAMES:
                continue
            own = environment(int(name))
            if mark in own and any(e.startswith(b"TAFL_MASTER=") for e in own) and \
                    running(int(name)):
                found.append(int(name))
        return found

    def ranks(self):
        """The ranks alone, by their number."""
        found = {}
        for pid in self.all():
            own = words(pid)
            if "worker" not in own[1:2] or "--probe" in own:
                continue
            for entry in environment(pid):
                if entry.startswith(b"OMPI_COMM_WORLD_RANK="):
                    found[int(entry.split(b"=")[1])] = pid
        return found

    def launchers(self):
        return [pid for pid in self.all() if os.path.basename((words(pid) or [""])[0]) == "mpirun"]


def running(pid):
    try:
        with open("/proc/%d/stat" % pid) as file:
            return file.read().rsplit(")", 1)[1].split()[0] not in "ZX"
    except OSError:
        return False


# Ranks help the search: alpha-beta, which may be chosen to play, has no use for them.
AGENT = ("-a", "tafl:mind=search")


LONGEST = 30  # steps of a match that goes on until ranks, on a busy machine, have helped


class Play:
    """A server with a cluster, and one match on it that `hook(play, phase, step)`
    disturbs. Says what went wrong in `odd`."""

    def __init__(self, work, options, game="connectFour", role=0, start=4, clock=1, steps=6,
                 hook=None, seed=7, until=(), enough=0, program=TAFL):
        self.work, self.options, self.game, self.role = work, options, game, role
        self.start, self.clock, self.steps, self.seed = start, clock, steps, seed
        self.hook, self.did, self.notes = hook, 0, []
        self.program = program
        self.until = until  # texts of the log that end the match early
        self.enough = enough  # simulations of the ranks; the match goes on for these and `until`
        self.crew = Ranks()

    def run(self):
        judge = Judge(TAFL, self.game if "/" in self.game else "games/%s.kif" % self.game,
                      self.work)
        try:
            self.server = Server(self.work, "--no-page", "--verbose", *AGENT, *self.options,
                                 program=self.program, env=self.crew.env)
            try:
                self.play(judge)
            finally:
                self.server.kill(signal.SIGTERM)
            self.left = not wait_for(lambda: not self.crew.all(), 8)
            if self.left:
                self.odd.append("left behind: %s" % [words(p)[:2] for p in self.crew.all()])
                for pid in self.crew.all():
                    os.kill(pid, signal.SIGKILL)
        finally:
            judge.close()
        return self

    def play(self, judge):
        players = [None] * len(judge.roles)
        players[self.role] = self.server.address
        self.match = Match(judge, players, seed=self.seed, start=self.start, play=self.clock,
                           longest=self.steps)
        self.match.hook = self.happen
        self.match.play()
        self.odd = list(self.match.odd)
        if not self.server.alive():
            self.odd.append("the server has died")
        wait_for(lambda: self.simulations() > 0, 1)

    def happen(self, phase, step):
        if self.hook:
            self.hook(self, phase, step)
        if phase != "gap" or not (self.until or self.enough):
            return
        if all(text in self.log() for text in self.until) and self.simulations() >= self.enough:
            if self.until and step > 3:
                self.match.longest = step + 1
        elif self.enough and step + 1 == self.match.longest < LONGEST:
            self.match.longest += 1

    def log(self):
        with open(self.server.log, "rb") as file:
            return file.read().decode(errors="replace")

    def simulations(self):
        """Those of the ranks, as the last report of the match says."""
        found = re.findall(r"ranks: .*? (\d+) simulations", self.log())
        return int(found[-1]) if found else 0

    def notes_of(self):
        return [l for l in self.log().splitlines() if "cluster:" in l or " ranks: " in l]

    def once(self, name, phase):
        """True once: in the first phase of that name in which the ranks are at work."""
        if phase != name or getattr(self, "struck", False) or self.simulations() == 0:
            return False
        self.struck = True
        return True

    def worst(self):
        return max(self.match.times or [99])

    def details(self):
        return "\n".join(self.odd + self.notes + self.notes_of()[-12:])

    def later(self, seconds, act):
        def run():
            time.sleep(seconds)
            try:
                act()
            except OSError as error:
                self.notes.append(str(error))
        threading.Thread(target=run, daemon=True).start()

    def hit(self, pids, number=signal.SIGKILL):
        for pid in pids:
            try:
                os.kill(pid, number)
                self.did += 1
            except ProcessLookupError:
                pass

    def hit_rank(self, rank, number=signal.SIGKILL):
        found = self.crew.ranks()
        self.hit([found[rank]] if rank in found else list(found.values())[-1:], number)
