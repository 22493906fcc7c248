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
        """Seconds of this interval in which some processor stalled: a reply may be held up
        on one when it is made and on another when it is read."""
        still, reached = 0, begin
        for first, last in sorted((max(t - length, begin), min(t, end))
                                  for seen in self.lists for t, length in seen[-1000:]):
            still += max(0, last - max(first, reached))
            reached = max(reached, last)
        return still

    def longer(self, seconds):
        return [length for seen in self.lists for _, length in seen if length > seconds]


WATCH = Stalls()
