"""A program at a terminal of 80 x 24: types keys, and knows what is on the screen."""

import codecs
import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
import time

# Control sequences, characters that move, or text.
PIECES = re.compile(r"\x1b\[([?0-9;]*)([A-Za-z@])|\x1b[()][A-Z0-9]|\x1b[=>78]|([\r\n\b\t\a])|(.)",
                    re.S)


class Screen:
    def __init__(self, command, environment=None, width=80, height=24):
        self.width, self.height = width, height
        self.rows = [[" "] * width for _ in range(height)]
        self.x = self.y = 0
        self.seen = ""  # all that was written
        self.rest = ""
        self.decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self.code = None
        self.pid, self.file = pty.fork()
        if self.pid == 0:
            os.environ.update({"TERM": "xterm", **(environment or {})})
            try:
                os.execvp(command[0], command)
            finally:
                os._exit(127)
        fcntl.ioctl(self.file, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))

    # ---- drawing ----

    def scroll(self):
        self.rows = self.rows[1:] + [[" "] * self.width]
        self.y -= 1

    def put(self, char):
        if self.x == self.width:
            self.x, self.y = 0, self.y + 1
        if self.y == self.height:
            self.scroll()
        self.rows[self.y][self.x] = char
        self.x += 1

    def move(self, char):
        if char == "\r":
            self.x = 0
        elif char == "\n":
            self.y += 1
            if self.y == self.height:
                self.scroll()
        elif char == "\b":
            self.x = max(0, min(self.x, self.width - 1) - 1)
        elif char == "\t":
            self.x = min(self.width - 1, self.x // 8 * 8 + 8)

    def control(self, numbers, letter):
        counts = [int(n) if n.isdigit() else 0 for n in numbers.split(";")]
        count, row = counts[0], self.rows[self.y]
        if letter in "ABCD":
            dx, dy = {"A": (0, -1), "B": (0, 1), "C": (1, 0), "D": (-1, 0)}[letter]
            self.x = max(0, min(self.width - 1, self.x + dx * (count or 1)))
            self.y = max(0, min(self.height - 1, self.y + dy * (count or 1)))
        elif letter == "G":
            self.x = (count or 1) - 1
        elif letter == "H":
            self.y = (count or 1) - 1
            self.x = (counts[1] or 1) - 1 if len(counts) > 1 else 0
        elif letter == "K":
            row[self.x:] = [" "] * (self.width - self.x)
        elif letter == "J":
            first = 0 if count == 2 else self.y
            row[self.x:] = [" "] * (self.width - self.x)
            for y in range(first if count == 2 else first + 1, self.height):
                self.rows[y] = [" "] * self.width
        elif letter == "P":
            del row[self.x:self.x + (count or 1)]
            row += [" "] * (self.width - len(row))
        elif letter == "@":
            row[self.x:self.x] = [" "] * (count or 1)
            del row[self.width:]
        elif letter not in "mhlrn":
            raise ValueError("control sequence %r" % letter)

    def draw(self, text):
        text = self.rest + text
        cut = text.rfind("\x1b")
        self.rest = ""
        if cut >= 0 and re.fullmatch(r"\x1b(\[[?0-9;]*)?", text[cut:]):
            text, self.rest = text[:cut], text[cut:]
        for numbers, letter, mover, char in PIECES.findall(text):
            if letter:
                self.control(numbers, letter)
            elif mover:
                self.move(mover)
            elif char:
                self.put(char)

    # ---- talking ----

    def read(self, seconds):
        """Draws what comes within a time; returns False at the end."""
        if not select.select([self.file], [], [], seconds)[0]:
            return True
        try:
            data = os.read(self.file, 65536)
        except OSError:
            data = b""
        text = self.decoder.decode(data)
        self.seen += text
        self.draw(text)
        return bool(data)

    def text(self):
        return "\n".join("".join(row).rstrip() for row in self.rows).rstrip("\n")

    def wait(self, pattern, seconds=120):
        """Waits until the screen has the pattern; returns whether it came."""
        end = time.monotonic() + seconds
        while not re.search(pattern, self.text(), re.M):
            if time.monotonic() > end or not self.read(0.05):
                return bool(re.search(pattern, self.text(), re.M))
        return True

    def takes_keys(self):
        """Whether keys reach the program one by one, not as lines."""
        return not termios.tcgetattr(self.file)[3] & termios.ICANON

    def type(self, keys):
        os.write(self.file, keys.encode())

    def finish(self, seconds=120):
        """Waits for the end of the program; returns its exit code, or None."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if not self.read(0.05):
                _, status = os.waitpid(self.pid, 0)
                os.close(self.file)
                return os.waitstatus_to_exitcode(status)
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self.file)
        return None
