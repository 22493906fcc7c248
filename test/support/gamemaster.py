#!/usr/bin/env python3
"""A game master on raw sockets that behaves like the reference one: HTTP/1.0,
one connection per message, exact clocks; the move is the first term of the
body, and a late or illegal one is replaced by a random legal move. SWI-Prolog
(judge.pl) decides what is legal. Everything odd about a reply is recorded.

  gamemaster.py [--start S] [--play S] [--seed N] [--scramble] GAME PLAYER...

A PLAYER for each role is http://HOST:PORT or `random`. Prints the moves, the
oddities and the goals; exit code 1 if anything was odd."""

import argparse
import os
import random
import socket
import subprocess
import sys
import tempfile
import threading
import time
from urllib.parse import urlsplit

import kif
from stalls import WATCH

HERE = os.path.dirname(os.path.abspath(__file__))
LARGEST = 1 << 20  # bytes of a reply


class Judge:
    """Where a match stands: `roles`, and for the current state `legal` moves by
    role, `terminal`, and `goals` by role."""

    def __init__(self, tafl, game, work):
        self.rules = open(game, encoding="utf-8", errors="surrogateescape").read()
        handle, self.prolog = tempfile.mkstemp(".pl", dir=work)
        with open(handle, "wb") as file:
            subprocess.run([tafl, "dump", game, "prolog"], stdout=file,
                           stderr=subprocess.DEVNULL, check=True)
        self.process = subprocess.Popen(
            ["swipl", "-q", os.path.join(HERE, "judge.pl"), "--", self.prolog],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            encoding="utf-8", errors="surrogateescape")
        self.roles = self.process.stdout.readline().split()[1:]
        self.read()

    def read(self):
        self.legal = [[] for _ in self.roles]
        self.goals = [0 for _ in self.roles]
        self.terminal = False
        for line in self.process.stdout:
            word, *rest = line.rstrip("\n").split(" ", 2)
            if word == "end":
                return
            if word == "terminal":
                self.terminal = True
            elif word == "goal":
                self.goals[self.roles.index(rest[0])] = int(rest[1])
            elif word == "legal":
                self.legal[self.roles.index(rest[0])].append(rest[1])
        raise RuntimeError("the judge has exited")

    def step(self, moves):
        places = [legal.index(m) for legal, m in zip(self.legal, moves)]
        self.process.stdin.write(" ".join(map(str, places)) + "\n")
        self.process.stdin.flush()
        self.read()

    def close(self):
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait()
        os.unlink(self.prolog)


class Exchange(threading.Thread):
    """One message to a player and its reply: `body` (None if it did not come in
    time), `seconds` until it was complete, and `odd`, everything wrong with
    it."""

    def __init__(self, address, message, wait, receiver="PLAYER", old=False):
        super().__init__(daemon=True)
        self.address, self.message, self.wait = address, message, wait
        self.receiver, self.old = receiver, old
        self.body, self.seconds, self.odd = None, None, []
        self.status, self.headers = None, {}

    def request(self):
        """`old`: line ends without CR, as older game masters write them."""
        data = self.message.encode("utf-8", "surrogateescape")
        lines = ["POST / HTTP/1.0", "Accept: text/delim", "Sender: GAMESERVER",
                 "Receiver: " + self.receiver, "Content-Type: text/acl",
                 "Content-Length: %d" % len(data), "", ""]
        return ("\n" if self.old else "\r\n").join(lines).encode() + data

    def run(self):
        self.began = time.monotonic()
        try:
            self.talk(self.began + self.wait)
        except socket.timeout:
            self.odd.append("no reply within %g s" % self.wait)
        except EOFError:
            self.odd.append("closed before the reply was complete")
        except OSError as error:
            self.odd.append("connection: %s" % error)

    def talk(self, deadline):
        with socket.create_connection(self.address, timeout=self.wait) as peer:
            peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            peer.sendall(self.request())
            data = b""
            while not self.whole(data):
                data += self.receive(peer, deadline)
                if len(data) > LARGEST:
                    self.odd.append("the reply is too long")
                    return
            # In HTTP/1.0 the connection ends with the reply.
            try:
                data = self.receive(peer, time.monotonic() + 1)
                self.odd.append("more than the reply: %r" % data[:80])
            except socket.timeout:
                self.odd.append("the connection stays open")
            except EOFError:
                pass
        self.judge_headers()

    def receive(self, peer, deadline):
        left = deadline - time.monotonic()
        if left <= 0:
            raise socket.timeout
        peer.settimeout(left)
        data = peer.recv(65536)
        if not data:
            raise EOFError("closed")
        return data

    def whole(self, data):
        head, gap, body = data.partition(b"\r\n\r\n")
        if not gap:
            return False
        lines = head.decode("latin-1").split("\r\n")
        self.status = lines[0]
        self.headers = {name.strip().lower(): value.strip() for name, _, value
                        in (line.partition(":") for line in lines[1:])}
        length = self.headers.get("content-length", "")
        if not length.isdigit() or "transfer-encoding" in self.headers:
            self.odd.append("no plain Content-Length: %s" % self.headers)
            self.body, self.seconds = "", time.monotonic() - self.began
            return True
        if len(body) < int(length):
            return False
        if len(body) > int(length):
            self.odd.append("body longer than its Content-Length")
        self.body = body[:int(length)].decode("utf-8", "surrogateescape")
        self.seconds = time.monotonic() - self.began
        return True

    def judge_headers(self):
        if self.headers.get("content-type") != "text/acl":
            self.odd.append("content-type: %s" % self.headers.get("content-type"))
        if self.status.split(" ")[1:2] != ["200"]:
            self.odd.append("status " + self.status)


class Match:
    """A match of `players`, addresses by role; for None the game master makes
    random moves. `hook(phase, step)` is called before each phase: info, start,
    play, gap (all have answered), stop."""

    def __init__(self, judge, players, seed=1, start=5, play=1, name=None,
                 scramble=False, old=False, hook=None, log=None, longest=300):
        self.judge, self.players = judge, players
        self.random = random.Random(seed)
        self.start_clock, self.play_clock = start, play
        self.name = name or "Match.%d.%d" % (seed, time.time_ns())
        self.names = [kif.Scramble(self.random) if scramble else kif.Plain()
                      for _ in players]
        self.old, self.longest = old, longest
        self.hook = hook or (lambda phase, step: None)
        self.log = log or (lambda line: None)
        self.odd, self.times, self.step = [], [], 0
        self.replaced = 0
        self.completed = False

    def note(self, role, what):
        line = "%s step %d, %s: %s" % (self.name, self.step, self.judge.roles[role], what)
        self.odd.append(line)
        self.log("odd: " + line)

    def note_late(self, role, exchange, clock):
        late = exchange.seconds - clock
        still = WATCH.between(exchange.began, exchange.began + exchange.seconds)
        if still < late:
            self.note(role, "late by %.3f s (machine stalled for %.3f s)" % (late, still))
        else:
            self.log("late by %.3f s, the machine stalled for %.3f s" % (late, still))

    def ask(self, messages, clock):
        """Sends a message to every player at once, by role. Replies after `clock`
        seconds are odd; they are waited for a second longer."""
        asked = [a and Exchange(a, m, clock + 1, "P%d" % r, self.old)
                 for r, (a, m) in enumerate(zip(self.players, messages))]
        for exchange in filter(None, asked):
            exchange.start()
        for role, exchange in enumerate(asked):
            if exchange:
                exchange.join(clock + 4)
                for what in exchange.odd:
                    self.note(role, what)
                if exchange.body is not None and exchange.seconds > clock:
                    self.note_late(role, exchange, clock)
        return asked

    def expect(self, asked, words):
        for role, exchange in enumerate(asked):
            if exchange and exchange.body is not None and exchange.body not in words:
                self.note(role, "replied %r, not %s" % (exchange.body[:80], words[0]))

    def begin(self):
        self.hook("info", 0)
        for role, exchange in enumerate(self.ask(["( INFO )"] * len(self.players), 1)):
            if exchange and "status available" not in (exchange.body or ""):
                self.note(role, "INFO gave %r" % exchange.body)
        self.hook("start", 0)
        messages = []
        for role, names in zip(self.judge.roles, self.names):
            messages.append("( START %s %s ( %s ) %d %d )" % (
                self.name, names.out(role), names.out(self.judge.rules),
                self.start_clock, self.play_clock))
        self.expect(self.ask(messages, self.start_clock), ["ready"])

    def tell(self, word, moves):
        """Messages with moves, by role, in each player's own names."""
        return ["( %s %s %s )" % (word, self.name, "NIL" if moves is None else
                                  "( %s )" % " ".join(kif.spaced(n.out(m)) for m in moves))
                for n in self.names]

    def take(self, role, exchange):
        """Returns the move that the role replied, or else a random legal one."""
        legal = self.judge.legal[role]
        other = self.random.choice(legal)
        if exchange is None:
            return other
        if exchange.body is not None:
            self.times.append(exchange.seconds)
            term, more = kif.first_term(exchange.body)
            move = term and self.names[role].back(term)
            if move in legal:
                if more or exchange.body != term:
                    self.note(role, "more than the move: %r" % exchange.body[:80])
                return move
            self.note(role, "illegal: %r" % exchange.body[:80])
        self.replaced += 1
        return other

    def play(self):
        """Plays the whole match; returns true if it was completed with nothing
        odd."""
        self.begin()
        moves = None
        while not self.judge.terminal and self.step < self.longest:
            self.hook("play", self.step)
            asked = self.ask(self.tell("PLAY", moves), self.play_clock)
            moves = [self.take(role, exchange) for role, exchange in enumerate(asked)]
            self.log("%3d %s" % (self.step, " ".join(moves)))
            self.judge.step(moves)
            self.hook("gap", self.step)
            self.step += 1
        self.hook("stop", self.step)
        if self.judge.terminal:
            self.completed = True
            self.expect(self.ask(self.tell("STOP", moves), 1), ["done"])
        else:
            self.abort()
        return self.completed and not self.odd

    def abort(self):
        message = "( ABORT %s )" % self.name
        self.expect(self.ask([message] * len(self.players), 1), ["aborted"])


def address(url):
    """The address of a PLAYER of the command line."""
    if url == "random":
        return None
    parts = urlsplit(url)
    return parts.hostname, parts.port or 9147


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--start", type=int, default=5)
    parser.add_argument("--play", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--scramble", action="store_true")
    parser.add_argument("--old", action="store_true")
    parser.add_argument("--tafl", default=os.environ.get("TAFL", "build/tafl"))
    parser.add_argument("game")
    parser.add_argument("players", nargs="+")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as work:
        judge = Judge(options.tafl, options.game, work)
        if len(judge.roles) != len(options.players):
            sys.exit("the roles are " + " ".join(judge.roles))
        match = Match(judge, [address(p) for p in options.players], options.seed,
                      options.start, options.play, scramble=options.scramble,
                      old=options.old, log=print)
        good = match.play()
        judge.close()
    times = sorted(match.times) or [0]
    print("goals", *judge.goals)
    print("%d replies, median %.3f s, worst %.3f s; %d oddities, %d moves replaced" % (
        len(match.times), times[len(times) // 2], times[-1], len(match.odd), match.replaced))
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
