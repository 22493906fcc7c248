"""When the machine itself stalled: a thread on each processor sleeps for a hundredth
of a second at a time and records how much too late it woke. On a shared machine a
late reply is not the player's fault if nothing could run on the processor where it
was to be made or read."""

import os
import threading
import time

NAP = 0.01      # seconds
SLIGHT = 0.005  # oversleeping that counts


class Stalls:
    def __init__(self):
        self.lists = []  # by processor: pairs of a stall's end and length
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
        """Seconds of stalls in this interval, of the processor with the most: those of
        several are not added up, since they may coincide."""
        return max(sum(max(0, min(t, end) - max(t - length, begin))
                       for t, length in seen[-1000:]) for seen in self.lists)

    def longer(self, seconds):
        return [length for seen in self.lists for _, length in seen if length > seconds]


WATCH = Stalls()
