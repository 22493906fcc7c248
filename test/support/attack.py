#!/usr/bin/env python3
"""Attacks a server with many requests at once, from one thread.

  attack.py HOST PORT SEED FIRST COUNT CONCURRENT

Prints as JSON the number of attacks of each kind, how many complete requests
got no proper answer (with examples), and the seconds it took."""

import errno
import heapq
import json
import selectors
import socket
import struct
import sys
import time

sys.dont_write_bytecode = True
import attacks

PATIENCE = 10  # seconds for the answer to a complete request


class Connection:
    def __init__(self, loop, number, attack):
        self.loop, self.number, self.attack = loop, number, attack
        self.script = list(attack.script)
        self.out, self.got, self.state, self.failed = b"", b"", "connecting", None
        self.began = time.monotonic()
        self.end = self.began + attack.seconds + PATIENCE + sum(s for s, _ in self.script)
        self.socket = socket.socket()
        self.socket.setblocking(False)
        code = self.socket.connect_ex(loop.address)
        if code not in (0, errno.EINPROGRESS):
            self.finish("connect: " + errno.errorcode[code])
            return
        loop.selector.register(self.socket, selectors.EVENT_WRITE, self)
        loop.wake(self.end, self, "end")

    def wants(self, events):
        if self.state != "done":
            self.loop.selector.modify(self.socket, events, self)

    def ready(self, events):
        try:
            if self.state == "connecting":
                code = self.socket.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
                if code:
                    raise OSError(code, "connect")
                self.next()
            elif events & selectors.EVENT_WRITE:
                self.send()
            if events & selectors.EVENT_READ and self.state != "done":
                data = self.socket.recv(65536)
                self.got += data[:65536 - len(self.got)]
                if not data:
                    self.finish(None)
        except BlockingIOError:
            pass
        except OSError as error:
            self.finish(str(error))

    def next(self):
        """Sends the next piece of the script, at once or later; then ends."""
        if self.script:
            wait, self.out = self.script.pop(0)
            self.state = "sending"
            if wait:
                self.state = "waiting"
                self.wants(selectors.EVENT_READ)
                self.loop.wake(time.monotonic() + wait, self, "send")
            else:
                self.wants(selectors.EVENT_READ | selectors.EVENT_WRITE)
        else:
            self.conclude()

    def send(self):
        if self.out:
            self.out = self.out[self.socket.send(self.out[:65536]):]
        if not self.out:
            self.next()

    def conclude(self):
        end = self.attack.end
        if end == "close":
            self.finish(None)
        elif end == "reset":
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.finish(None)
        else:
            self.state = "reading"
            if end == "half":
                self.socket.shutdown(socket.SHUT_WR)
            if end == "hold":
                self.loop.selector.unregister(self.socket)
                self.state = "holding"
                self.loop.wake(time.monotonic() + self.attack.seconds, self, "release")
            else:
                self.wants(selectors.EVENT_READ)

    def woken(self, why):
        if why == "send" and self.state == "waiting":
            self.state = "sending"
            self.wants(selectors.EVENT_READ | selectors.EVENT_WRITE)
        elif why == "release" and self.state == "holding":
            self.finish(None)
        elif why == "end" and self.state != "done":
            self.finish("timeout")

    def finish(self, failed):
        if self.state not in ("done", "holding"):
            try:
                self.loop.selector.unregister(self.socket)
            except KeyError:
                pass
        self.state = "done"
        self.socket.close()
        self.loop.done(self, failed or "")


def proper(reply):
    """Whether these bytes are a complete answer with a Content-Length."""
    head, gap, body = reply.partition(b"\r\n\r\n")
    head = head.lower()
    length = head.partition(b"content-length:")[2].split(b"\r\n")[0].strip()
    return (gap and head.startswith(b"http/1.") and b"chunked" not in head and
            length.isdigit() and len(body) == int(length))


class Loop:
    def __init__(self, address):
        self.address = address
        self.selector = selectors.DefaultSelector()
        self.timers, self.count, self.open = [], 0, 0
        self.kinds, self.unanswered, self.answered = {}, [], 0
        self.slowest = 0

    def wake(self, when, connection, why):
        self.count += 1
        heapq.heappush(self.timers, (when, self.count, connection, why))

    def begin(self, number, attack):
        self.open += 1
        self.kinds[attack.kind] = self.kinds.get(attack.kind, 0) + 1
        Connection(self, number, attack)

    def done(self, connection, failed):
        self.open -= 1
        attack = connection.attack
        if attack.due:
            self.slowest = max(self.slowest, time.monotonic() - connection.began)
            if proper(connection.got):
                self.answered += 1
            else:
                self.unanswered.append("%d %s: %s, got %r after %r" % (
                    connection.number, attack.kind, failed, connection.got[:200],
                    attack.script[0][1][-80:]))
        if attack.follow:
            self.begin(connection.number, attack.follow)

    def turn(self):
        now = time.monotonic()
        while self.timers and self.timers[0][0] <= now:
            _, _, connection, why = heapq.heappop(self.timers)
            connection.woken(why)
        wait = self.timers[0][0] - time.monotonic() if self.timers else 0.1
        if not self.selector.get_map():
            time.sleep(max(0, min(wait, 0.05)))
            return
        for key, events in self.selector.select(max(0, min(wait, 0.1))):
            if key.data.state not in ("done", "holding"):
                key.data.ready(events)


def main():
    host, port, seed, first, count, concurrent = sys.argv[1], *map(int, sys.argv[2:7])
    loop = Loop((host, port))
    began = time.monotonic()
    for number, attack in attacks.make(seed, first + count):
        if number < first:
            continue
        while loop.open >= concurrent:
            loop.turn()
        loop.begin(number, attack)
        loop.turn()
    while loop.open:
        loop.turn()
    json.dump({"kinds": loop.kinds, "answered": loop.answered, "slowest": loop.slowest,
               "unanswered": loop.unanswered[:10], "count of unanswered": len(loop.unanswered),
               "seconds": time.monotonic() - began}, sys.stdout)
    print()


if __name__ == "__main__":
    main()
