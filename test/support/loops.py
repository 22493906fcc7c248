#!/usr/bin/env python3
"""Clients that start matches with megabytes of rules and abort them, over and over.

  loops.py HOST PORT CLIENTS MEGABYTES

Runs until its input ends; prints as JSON how many matches they started, how many
messages were not answered, and the slowest answer to ABORT."""

import json
import socket
import sys
import threading
import time

RULES = b"""(role a) (role b) (init (at 0)) (<= (legal ?r go) (role ?r))
(<= (next (at ?y)) (true (at ?x)) (p ?x ?y)) (<= (goal ?r 50) (role ?r)) (<= terminal (true (at 9)))
"""
PATIENCE = 10  # seconds for an answer


def make_rules(bytes_wanted):
    """A valid game with as many facts as it takes."""
    facts, size, number = [RULES], len(RULES), 0
    while size < bytes_wanted:
        fact = b"(p %d %d)\n" % (number, number + 1)
        facts.append(fact)
        size += len(fact)
        number += 1
    return b"".join(facts)


class Client(threading.Thread):
    def __init__(self, address, number, rules, over):
        super().__init__(daemon=True)
        self.address, self.number, self.rules, self.over = address, number, rules, over
        self.started, self.failed, self.slowest = 0, [], 0

    def send(self, *pieces):
        """Returns the connection, which waits for its answer."""
        peer = socket.create_connection(self.address, timeout=PATIENCE)
        length = sum(map(len, pieces))
        peer.sendall(b"POST / HTTP/1.0\r\nContent-Length: %d\r\n\r\n" % length)
        for piece in pieces:
            peer.sendall(piece)
        return peer

    def answer(self, peer):
        """The whole answer, up to the end of the connection."""
        data = b""
        while True:
            more = peer.recv(65536)
            if not more:
                peer.close()
                return data.partition(b"\r\n\r\n")[2]
            data += more

    def once(self):
        name = b"loop.%d.%d" % (self.number, self.started)
        start = self.send(b"(START %s a (" % name, self.rules, b") 60 60)")
        self.started += 1
        began = time.monotonic()
        said = self.answer(self.send(b"(ABORT %s)" % name))
        self.slowest = max(self.slowest, time.monotonic() - began)
        if said == b"busy":  # the START may not have been read yet, or was refused
            self.answer_soon(start, name)
        else:
            self.answer(start)

    def answer_soon(self, start, name):
        """Aborts until the START is answered, which would otherwise take its clock."""
        start.settimeout(0.05)
        end = time.monotonic() + PATIENCE
        while True:
            try:
                self.answer(start)
                self.answer(self.send(b"(ABORT %s)" % name))
                return
            except socket.timeout:
                if time.monotonic() > end:
                    raise
            self.answer(self.send(b"(ABORT %s)" % name))

    def run(self):
        while not self.over.is_set():
            try:
                self.once()
            except OSError as error:
                self.failed.append("%s %d: %s" % (self.number, self.started, error))
                time.sleep(0.1)


def main():
    host, port, count, megabytes = sys.argv[1], *map(int, sys.argv[2:5])
    over = threading.Event()
    rules = make_rules((megabytes << 20) - 1000)
    clients = [Client((host, port), i, rules, over) for i in range(count)]
    for client in clients:
        client.start()
    sys.stdin.read()
    over.set()
    for client in clients:
        client.join(30)
    json.dump({"started": sum(c.started for c in clients),
               "slowest": max(c.slowest for c in clients),
               "failed": sum((c.failed for c in clients), [])}, sys.stdout)
    print()


if __name__ == "__main__":
    main()
