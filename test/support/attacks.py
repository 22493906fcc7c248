"""Requests that no game master would send, made from a seed. Each is an Attack:
bytes with pauses between them, how the connection ends, and whether an answer
is due. They use no id of a match that they did not start themselves."""

import random
import zlib
from urllib.parse import quote

RULES = """(role a) (role b) (init (at 0)) (succ 0 1) (succ 1 2) (succ 2 3)
(<= (legal ?r go) (role ?r)) (<= (legal ?r stay) (role ?r))
(<= (next (at ?n)) (true (at ?m)) (succ ?m ?n)) (<= terminal (true (at 3)))
(<= (goal ?r 50) (role ?r))"""
# Can be read, but has 10^9 ground rules.
BOMB = "(role a) " + " ".join("(d %d)" % i for i in range(1000)) + """
(init (p 1 1 1)) (<= (legal a (go ?x ?y ?z)) (d ?x) (d ?y) (d ?z))
(<= (next (p ?x ?y ?z)) (does a (go ?x ?y ?z))) (goal a 50)
(<= terminal (true (p 1 2 3)))"""
IDS = ["../../etc/passwd", "/dev/null", "..", ".", "%2e%2e%2f", "../escaped", "`touch${IFS}escaped`",
       "|touch${IFS}escaped", "$HOME", "a" * 300, "m" * 70000, "NIL", "?x", "<=", "%s%n%d", "\xff\xfe".encode("latin-1"),
       "\u265e", "'", '"', "\\", "-", "--help", "con", "state", "0"]
CLOCKS = ["0", "-1", "1e308", "1e999", "nan", "inf", "99999999999999999999", "0x10",
          "1 1", "()", "", "soon", "2147483648", "0.000001"]


class Attack:
    """`script`: pairs of seconds to wait and bytes to send. `end`: read (the
    whole reply), close, reset, half (shut down our side, then read) or hold
    (stay silent for `seconds`, then close). `due`: a complete request that must
    be answered. `follow`: an attack to make afterwards."""

    def __init__(self, kind, script, end="read", due=False, seconds=0, follow=None):
        self.kind, self.script, self.end, self.due = kind, script, end, due
        self.seconds, self.follow = seconds, follow


def text(value):
    return value if isinstance(value, bytes) else value.encode()


def post(body, length=None, more=b"", version=b"1.0"):
    body = text(body)
    length = str(len(body)).encode() if length is None else text(length)
    return (b"POST / HTTP/%s\r\nHost: 127.0.0.1\r\nContent-Type: text/acl\r\nContent-Length: %s\r\n"
            b"Connection: close\r\n%s\r\n" % (version, length, more)) + body


def valid(pick):
    """A valid message for a match that does not exist."""
    name = "none%d" % pick.randrange(10**9)
    return pick.choice(["(INFO)", "( ping )", "(PLAY %s NIL)" % name,
                        "(PLAY %s (go stay))" % name, "(STOP %s (go go))" % name,
                        "(ABORT %s)" % name, "(PREVIEW (%s) 1)" % RULES])


def mangle(pick, data):
    """Changes, removes or duplicates some bytes, or moves a piece."""
    data = bytearray(text(data))
    for _ in range(pick.randint(1, 8)):
        at = pick.randrange(len(data) + 1)
        way = pick.randrange(5)
        if way == 0:
            data[at:at + 1] = bytes([pick.randrange(256)])
        elif way == 1:
            del data[at:at + pick.randint(1, 20)]
        elif way == 2:
            data[at:at] = data[at:at + pick.randint(1, 200)]
        elif way == 3:
            data[at:at] = pick.choice([b"(", b")", b"((((", b"))))", b"\0", b";", b'"', b"|",
                                       b"\r\n", b"\xf0\x9f", b"?", b"<=", b"%"])
        else:
            data = data[at:] + data[:at]
    return bytes(data)


# ---- kinds: each function makes one attack ----

def noise(pick):
    return Attack("noise", [(0, pick.randbytes(pick.choice([1, 10, 1000, 100000])))],
                  pick.choice(["half", "close", "reset"]))


def bad_head(pick):
    line = pick.choice([
        b"", b" ", b"POST", b"POST /", b"POST / HTTP/9.9", b"POST / HTTP/1.0 x", b"post / http/1.0",
        b"FROB / HTTP/1.0", b"GET  /  HTTP/1.0", b"PRI * HTTP/2.0", b"\x16\x03\x01\x02\x00\x01",
        b"GET " + b"/a" * 50000 + b" HTTP/1.0", b"GET /%zz%%%4 HTTP/1.0", b"GET /\0x HTTP/1.0",
        b"PUT / HTTP/1.0", b"DELETE /(INFO) HTTP/1.0", b"TRACE / HTTP/1.0", b"CONNECT a:1 HTTP/1.0",
        b"GET http://[::1/ HTTP/1.1", b"GET /../../etc/passwd HTTP/1.0", b"HEAD / HTTP/1.0"])
    header = pick.choice([
        b"", b"X", b": y", b"X y\r\n z", b"A: " + b"b" * 100000, b"Content-Length: 5\r\n" * 2,
        b"Content-Length: 5\r\nContent-Length: 7", b"Content-Length: -1", b"Content-Length: +5",
        b"Content-Length: 99999999999999999999999", b"Content-Length: 18446744073709551615",
        b"Content-Length: five", b"Transfer-Encoding: chunked\r\nContent-Length: 5",
        b"Transfer-Encoding: gzip", b"Host: a\r\nHost: b", b"Expect: 100-continue",
        b"\r\n".join(b"H%d: %d" % (i, i) for i in range(2000)), b"X: \0\x01\x02"])
    return Attack("head", [(0, line + b"\r\n" + header + b"\r\n\r\n(INFO)")],
                  pick.choice(["half", "close"]))


def bad_chunks(pick):
    head = b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n"
    body = pick.choice([b"6\r\n(INFO)\r\n0\r\n\r\n", b"zz\r\n(INFO)", b"-1\r\nx", b"ffffffffffffffff\r\nx",
                        b"6\r\n(INFO)0\r\n\r\n", b"0" * 100000 + b"6\r\n(INFO)\r\n0\r\n\r\n",
                        b"1;" + b"x" * 20000 + b"\r\n(\r\n0\r\n\r\n",
                        b"6\r\n(INFO)\r\n0\r\n" + b"T: x\r\n" * 5000 + b"\r\n"])
    return Attack("chunks", [(0, head + body)], pick.choice(["half", "close"]))


def bad_message(pick):
    return Attack("message", [(0, post(mangle(pick, valid(pick))))], due=True)


def odd_message(pick):
    name = pick.choice(IDS)
    message = pick.choice([
        "", " ", "()", "(())", "((INFO))", "INFO", "nil", "(FROB x)", "(PLAY)", "(PLAY x", "PLAY x)",
        "(START)", "(START x)", "(START x a)", "(START x a ())", "(STOP)", "(ABORT)", "(PREVIEW)",
        "(" * 200000, ")" * 200000, "(PLAY x " + "(" * 100000 + ")" * 100000 + ")",
        "(PLAY x (" + "go " * 100000 + "))", "(INFO " + "x" * 500000 + ")", ";", "; (INFO)", "\0",
        "(INFO)" * 10000, "(INFO) x", "\ufeff(INFO)"])
    body = text(message).replace(b" x", b" " + text(name))
    return Attack("odd", [(0, post(body))], due=True)


def get_message(pick):
    path = quote(pick.choice([valid(pick), mangle(pick, valid(pick))]), safe="")
    if pick.random() < 0.3:
        path = path.replace("%", "%" * pick.randint(0, 3))
    return Attack("get", [(0, ("GET /%s HTTP/1.0\r\n\r\n" % path).encode())], due=True)


def truncated(pick):
    data = post(valid(pick))
    return Attack("truncated", [(0, data[:pick.randrange(len(data))])],
                  pick.choice(["half", "close", "reset"]))


def wrong_length(pick):
    body = valid(pick)
    length = str(len(body) + pick.choice([-5, -1, 1, 100, 10**7, 10**12]))
    return Attack("length", [(0, post(body, length))], pick.choice(["half", "close", "reset"]))


def oversized(pick):
    """Some MiB of a body that may claim to be larger; need not be read."""
    block = pick.choice([b"(", b"a", b"(a) ", b"\0"]) * (1 << 18)
    count = pick.randint(2, 24)
    length = pick.choice([len(block) * count, 10**9, 10**10])
    return Attack("oversized", [(0, post(b"(START x a (", str(length)))] + [(0, block)] * count,
                  pick.choice(["half", "close", "reset"]))


def slow(pick):
    """A request in small pieces over some seconds, perhaps incomplete."""
    data = post(valid(pick))
    script = []
    while data and len(script) < 40:
        size = pick.randint(1, 8)
        script.append((pick.uniform(0.05, 0.4), data[:size]))
        data = data[size:]
    return Attack("slow", script, pick.choice(["close", "half", "reset"]))


def idle(pick):
    data = pick.choice([b"", b"P", b"POST / HTTP/1.0\r\n", post("(INFO)", "60")])
    return Attack("idle", [(0, data)], "hold", seconds=pick.uniform(1, 8))


def greedy_reader(pick):
    """Sends a request and does not read the reply."""
    return Attack("unread", [(0, post("(INFO)"))], "hold", seconds=pick.uniform(0.5, 4))


def pipelined(pick):
    one = b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 6\r\n\r\n(INFO)"
    return Attack("pipelined", [(0, one * pick.randint(2, 200))], "half")


def info(pick):
    return Attack("info", [(0, post("(INFO)"))], due=True)


def starts(pick):
    """Starts a match and aborts it a moment later."""
    name = "attack%d" % pick.randrange(10**9) if pick.random() < 0.7 else pick.choice(IDS)
    rules = pick.choice([RULES, BOMB, mangle(pick, RULES), mangle(pick, RULES), "", "x" * 100000,
                         "(role a) " + "(" * 50000, "(p a) " * 100000])
    clocks = ["1", "1"] if pick.random() < 0.6 else [pick.choice(CLOCKS), pick.choice(CLOCKS)]
    body = b"(START %s %s (%s) %s)" % (text(name), pick.choice([b"a", b"b", b"nobody"]),
                                       text(rules), " ".join(clocks).encode())
    end = pick.choice(["read", "close", "reset"])
    wait = pick.choice([0, 0.1, 0.3]) if end == "read" else 0.5
    abort = Attack("abort", [(wait, post(b"(ABORT %s)" % text(name)))])
    return Attack("start", [(0, post(body))], end, follow=abort)


KINDS = [(noise, 8), (bad_head, 14), (bad_chunks, 6), (bad_message, 16), (odd_message, 12),
         (get_message, 8), (truncated, 8), (wrong_length, 6), (oversized, 1), (slow, 8), (idle, 6),
         (greedy_reader, 3), (pipelined, 2), (info, 8), (starts, 3)]


def make(seed, count):
    """Yields numbered attacks; each depends only on the seed and its number."""
    makers = [maker for maker, weight in KINDS for _ in range(weight)]
    for number in range(count):
        pick = random.Random(zlib.crc32(b"%d %d" % (seed, number)))
        yield number, pick.choice(makers)(pick)
