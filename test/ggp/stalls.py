"""When the machine itself stood still: a thread that sleeps for a hundredth of a
second at a time and notes by how much it woke too late. On a machine that others
use too, a reply is late by no fault of the player if nobody could run."""

import threading
import time

NAP = 0.01     # seconds
SLIGHT = 0.02  # oversleeping that counts


class Stalls(threading.Thread):
    def __init__(self):
        super().__init__(daemon=True)
        self.list = []  # pairs: when it ended, how long it was
        self.start()

    def run(self):
        before = time.monotonic()
        while True:
            time.sleep(NAP)
            now = time.monotonic()
            if now - before - NAP > SLIGHT:
                self.list.append((now, now - before - NAP))
            before = now

    def between(self, begin, end):
        """Seconds of standstill in this time."""
        return sum(max(0, min(t, end) - max(t - length, begin)) for t, length in self.list[-1000:])

    def longer(self, seconds):
        return [length for _, length in self.list if length > seconds]


WATCH = Stalls()
