"""A player that follows the protocol, except for the requested faults.

    mock_player.py [--fault NAME]... [--think SECONDS]

Prints its port, then serves until its input ends. Rules are evaluated by a
small prover of its own, so that nothing here relies on the program under test;
the move is the first legal one. What a fault does is seen where its name is
used below.
"""
import argparse
import os
import re
import socketserver
import sys
import threading
import time
from urllib.parse import unquote

faults = set()
think = 0.02
matches = {}
everything = threading.RLock()  # held to block all other requests


# ---- the language ----

def read_terms(text):
    """Returns all terms of a text as nested lists; ValueError if parentheses do
    not match."""
    stack = [[]]
    for token in re.findall(r"[()]|[^\s()]+", re.sub(r";.*", "", text)):
        if token == "(":
            stack.append([])
        elif token == ")":
            if len(stack) < 2:
                raise ValueError("unmatched closing parenthesis")
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(token)
    if len(stack) > 1:
        raise ValueError("missing closing parenthesis")
    return stack[0]


def write(term):
    if isinstance(term, str):
        return term
    return "(" + " ".join(write(part) for part in term) + ")"


def freeze(term):
    return term if isinstance(term, str) else tuple(freeze(t) for t in term)


def walk(term, env):
    while isinstance(term, str) and term in env:
        term = env[term]
    return term


def unify(a, b, env):
    a, b = walk(a, env), walk(b, env)
    if a == b:
        return env
    if isinstance(a, str) and a[0] == "?":
        return {**env, a: b}
    if isinstance(b, str) and b[0] == "?":
        return {**env, b: a}
    if isinstance(a, str) or isinstance(b, str) or len(a) != len(b):
        return None
    for left, right in zip(a, b):
        env = unify(left, right, env)
        if env is None:
            return None
    return env


def fill(term, env):
    term = walk(term, env)
    return term if isinstance(term, str) else tuple(fill(t, env) for t in term)


def rename(term, mark):
    if isinstance(term, str):
        return term + mark if term[0] == "?" else term
    return tuple(rename(t, mark) for t in term)


class Rules:
    def __init__(self, forms):
        self.clauses = {}
        self.calls = 0
        for form in map(freeze, forms):
            rule = isinstance(form, tuple) and form[0] == "<="
            head, body = (form[1], form[2:]) if rule else (form, ())
            self.clauses.setdefault(self.name(head), []).append((head, body))
        self.roles = [fill("?r", e) for e in self.solve([("role", "?r")], {}, ())]

    @staticmethod
    def name(atom):
        return atom if isinstance(atom, str) else atom[0]

    def solve(self, goals, env, facts):
        if not goals:
            yield env
            return
        goal, rest = goals[0], goals[1:]
        kind = self.name(goal)
        if kind == "not":
            if not any(True for _ in self.solve([goal[1]], env, facts)):
                yield from self.solve(rest, env, facts)
        elif kind == "distinct":
            if fill(goal[1], env) != fill(goal[2], env):
                yield from self.solve(rest, env, facts)
        elif kind in ("true", "does"):
            for fact in facts:
                found = unify(goal, fact, env)
                if found is not None:
                    yield from self.solve(rest, found, facts)
        else:
            for head, body in self.clauses.get(kind, []):
                self.calls += 1
                mark = "." + str(self.calls)
                found = unify(goal, rename(head, mark), env)
                if found is not None:
                    parts = [rename(part, mark) for part in body]
                    yield from self.solve(parts + list(rest), found, facts)

    def all(self, goal, facts):
        return sorted({fill(goal, env) for env in self.solve([goal], {}, facts)},
                      key=write)


class Match:
    def __init__(self, forms, role, play):
        self.rules = Rules(forms)
        self.role, self.play = role, play
        if "first-role" in faults:
            self.role = self.rules.roles[0]
        self.state = [("true", f[1]) for f in self.rules.all(("init", "?f"), ())]
        self.last = None
        self.aborted = threading.Event()

    def advance(self, moves):
        """Makes the moves, unless they are impossible or repeated."""
        repeated = moves == self.last and "repeat-advances" not in faults
        self.last = moves
        if len(moves) != len(self.rules.roles) or repeated or "forgetful" in faults:
            return
        done = [("does", role, freeze(move))
                for role, move in zip(self.rules.roles, moves)]
        facts = self.state + done
        self.state = [("true", f[1]) for f in self.rules.all(("next", "?f"), facts)]

    def move(self):
        if "illegal" in faults:
            return "(jump 9 9)"
        legal = self.rules.all(("legal", self.role, "?m"), self.state)
        move = legal[0][2]
        text = write(move)
        if "lower-case" in faults:
            text = text.lower()
        if "bare" in faults and text[0] == "(":
            text = text[1:-1]
        if "double" in faults and text[0] == "(":
            text = "(" + text + ")"
        if "noop-list" in faults and text[0] != "(":
            text = "(" + text + ")"
        if "two-terms" in faults:
            text += " (and more)"
        return text


# ---- messages ----

class Mute(Exception):
    """Closes the connection without an answer."""


def on_info(arguments, word):
    if "no-ping" in faults and word.lower() == "ping":
        return "what"
    if "no-extra" in faults and arguments:
        return "what"
    if "info-word" in faults:
        return "hello"
    return "((name mock) (status available))"


def on_start(arguments):
    name, role, rules, start, play = arguments[:5]
    if "not-ready" in faults:
        return "ok"
    if "late-start" in faults:
        time.sleep(float(start) + 0.3)
    match = Match(rules, role, float(play))
    if "two-roles" in faults and len(match.rules.roles) == 1:
        return "unsupported"
    matches[name] = match
    return "ready"


def on_play(arguments):
    name, moves = arguments[0], arguments[1] if len(arguments) > 1 else []
    match = matches.get(name)
    if not match and "any-id" in faults:
        match = next(iter(matches.values()), None)
    if not match and "mute-unknown" in faults:
        raise Mute
    if not match:
        return "busy"
    if isinstance(moves, list):
        if "mute-wrong-length" in faults and len(moves) != len(match.rules.roles):
            raise Mute
        match.advance(moves)
    elif "mute-nil" in faults and match.last is not None:
        raise Mute
    match.aborted.wait(match.play + 0.3 if "late-play" in faults else think)
    return match.move()


def on_stop(arguments):
    if matches.pop(arguments[0], None) is None:
        return "busy"
    return "ok" if "stop-ok" in faults else "done"


def on_abort(arguments):
    match = matches.pop(arguments[0], None)
    if match is None:
        return "busy"
    match.aborted.set()
    return "ok" if "no-abort" in faults else "aborted"


def answer(text):
    """Returns the body of the reply to a message; None if it is refused."""
    if len(text) > 1 << 20:
        if "huge-hang" in faults:
            with everything:
                time.sleep(6)
        return None
    try:
        terms = read_terms(text)
    except ValueError:
        if "mute-malformed" in faults:
            raise Mute
        return None
    if not terms and "mute-empty" in faults:
        raise Mute
    message = terms[0] if terms and isinstance(terms[0], list) else terms
    word = message[0] if message and isinstance(message[0], str) else ""
    if "case-sensitive" in faults and word != word.upper():
        return "what"
    kind, arguments = word.upper(), message[1:]
    try:
        if kind in ("INFO", "PING"):
            return on_info(arguments, word)
        if kind == "START":
            return on_start(arguments)
        if kind == "PLAY":
            return on_play(arguments)
        if kind == "STOP":
            return on_stop(arguments)
        if kind == "ABORT":
            return on_abort(arguments)
        if kind == "PREVIEW":
            return "" if "no-preview" in faults else "done"
    except (IndexError, ValueError, KeyError):
        return None
    if "exit" in faults:
        os._exit(1)
    return None


# ---- HTTP ----

class Handler(socketserver.StreamRequestHandler):
    def handle(self):
        try:
            if "serial" in faults:
                with everything:
                    self.serve()
            else:
                self.serve()
        except (Mute, ConnectionError):
            pass

    def read_request(self):
        """Returns the message, or None if its length is invalid."""
        self.begin = time.monotonic()
        first = self.rfile.readline(4096).decode("latin-1").split()
        if len(first) < 3:
            raise Mute
        length = "0"
        while True:
            line = self.rfile.readline(4096).decode("latin-1")
            if not line.strip():
                break
            name, _, value = line.partition(":")
            if name.lower() == "content-length":
                length = value.strip()
        if first[2] != "HTTP/1.0" and "no-http-1.1" in faults:
            raise Mute
        if first[0] == "GET":
            return "(WHAT)" if "no-get" in faults else unquote(first[1][1:])
        if not length.isdigit() or int(length) > 1 << 30:
            if "hang-length" in faults:
                time.sleep(8)
            return None
        body = self.rfile.read(int(length))
        if len(body) < int(length):
            if "hang-truncated" in faults:
                with everything:
                    time.sleep(1.4)
            raise Mute
        if "impatient" in faults and time.monotonic() - self.begin > 0.5:
            raise Mute
        return body.decode("latin-1")

    def serve(self):
        text = self.read_request()
        if {"hang-truncated", "huge-hang"} & faults:
            time.sleep(0.05)
            with everything:
                pass
        reply = None if text is None else answer(text)
        body = ("(refused)" if reply is None else reply).encode("latin-1")
        status = "400 Bad Request" if reply is None else "200 OK"
        if "status-500" in faults:
            status = "500 Oops"
        head = ["HTTP/1.0 " + status]
        head.append("Content-Type: " +
                    ("text/html" if "html" in faults else "text/acl"))
        if "no-cors" not in faults:
            head.append("Access-Control-Allow-Origin: *")
        if "chunked" in faults:
            head.append("Transfer-Encoding: chunked")
            body = b"%x\r\n%s\r\n0\r\n\r\n" % (len(body), body)
        elif "no-length" not in faults:
            more = 5 if "long-length" in faults else 0
            head.append("Content-Length: %d" % (len(body) + more))
        if "surplus" in faults:
            body += b"\r\n"
        self.wfile.write("\r\n".join(head).encode() + b"\r\n\r\n" + body)


class Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True
    request_queue_size = 64

    def handle_error(self, request, address):
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, address)


def main():
    global think
    parser = argparse.ArgumentParser()
    parser.add_argument("--fault", action="append", default=[])
    parser.add_argument("--think", type=float, default=think)
    options = parser.parse_args()
    faults.update(options.fault)
    think = options.think
    with Server(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        print(server.server_address[1], flush=True)
        sys.stdin.read()


main()
