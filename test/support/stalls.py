"""When the machine itself stood still: on each processor a thread that sleeps for a
hundredth of a second at a time and notes by how much it woke too late. On a machine
that others use too, a reply is late by no fault of the player if nobody could run
where it was to be made or read."""

import os
import threading
import time

NAP = 0.01     # seconds
SLIGHT = 0.02  # oversleeping that counts


class Stalls:
    def __init__(self):
        self.lists = []  # by processor, pairs: when it ended, how long it was
        for processor in os.sched_getaffinity(0):
            self.lists.append([])
            threading.Thread(target=self.watch, args=(processor, self.lists[-1]),
                             daemon=True).start()

    def watch(self, processor, seen):
        os.sched_setaffinity(0, {processor})  # of this thread
        before = time.monotonic()
        while True:
            time.sleep(NAP)
            now = time.monotonic()
            if now - before - NAP > SLIGHT:
                seen.append((now, now - before - NAP))
            before = now

    def between(self, begin, end):
        """Seconds of standstill in this time, of the processor that had most: times
        of several do not add up, since they may be the same moments."""
        return max(sum(max(0, min(t, end) - max(t - length, begin))
                       for t, length in seen[-1000:]) for seen in self.lists)

    def longer(self, seconds):
        return [length for seen in self.lists for _, length in seen if length > seconds]


WATCH = Stalls()
