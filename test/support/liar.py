"""A player inside the test that knows the legal moves from the game master's
judge and breaks the protocol on purpose, to see that the game master notices."""

import socket
import threading
import time


class Liar(threading.Thread):
    """`lie(word, honest)` returns the bytes of a reply, or None to stay silent,
    given the first word of the message and the correct body."""

    def __init__(self, lie):
        super().__init__(daemon=True)
        self.lie, self.match, self.role = lie, None, 0
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.address = self.listener.getsockname()
        self.start()

    def run(self):
        while True:
            try:
                peer, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(peer,), daemon=True).start()

    def serve(self, peer):
        with peer:
            word = read_body(peer).split()[1]
            reply = self.lie(word, self.honest(word))
            if reply is not None:
                peer.sendall(reply)

    def honest(self, word):
        if word == "PLAY":
            return self.match.judge.legal[self.role][0]
        return {"INFO": "((name liar) (status available))", "START": "ready",
                "STOP": "done", "ABORT": "aborted"}[word]

    def close(self):
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()


def read_body(peer):
    data = b""
    while b"\r\n\r\n" not in data:
        data += peer.recv(65536)
    head, _, body = data.partition(b"\r\n\r\n")
    length = int(head.lower().partition(b"content-length:")[2].split()[0])
    while len(body) < length:
        body += peer.recv(65536)
    return body.decode()


def reply(body, length=None, kind="text/acl", status="200 OK", more=""):
    """The reply of a correct player, except for the arguments given."""
    length = "Content-Length: %d\r\n" % len(body) if length is None else length
    return ("HTTP/1.0 %s\r\nContent-Type: %s\r\n"
            "%s\r\n%s%s" % (status, kind, length, body, more)).encode()


def chunked(body):
    text = "%x\r\n%s\r\n0\r\n\r\n" % (len(body), body)
    return reply(text, "Transfer-Encoding: chunked\r\n")


def late(seconds):
    def lie(word, honest):
        if word == "PLAY":
            time.sleep(seconds)
        return reply(honest)
    return lie
