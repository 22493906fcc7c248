"""An HTTP player with chosen faults.

Player(behaviour) listens on a port of its own until close(). Each message is kept
in `messages` as (head, body). `behaviour` is called with the player, the body of
the message and its number among the messages of its kind, and returns the bytes
to send back: text() makes the reply of a correct player. None closes the
connection without a reply.
"""
import socket
import threading


def text(body, status="200 OK", headers=""):
    body = body if isinstance(body, bytes) else body.encode()
    head = (f"HTTP/1.0 {status}\r\nContent-Type: text/acl\r\n"
            f"Content-Length: {len(body)}\r\n{headers}\r\n")
    return head.encode() + body


def kind(body):
    return body.lstrip("( ").split(None, 1)[0].rstrip(")").upper() if body.strip() else ""


class Player:
    def __init__(self, behaviour):
        self.behaviour = behaviour
        self.messages = []
        self.counts = {}
        self.connections = 0
        self.lock = threading.Lock()
        self.ended = threading.Event()
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.url = "http://127.0.0.1:%d" % self.listener.getsockname()[1]
        threading.Thread(target=self.listen, daemon=True).start()

    def close(self):
        self.ended.set()
        self.listener.close()

    def listen(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            self.connections += 1
            threading.Thread(target=self.serve, args=(connection,), daemon=True).start()

    def serve(self, connection):
        with connection:
            try:
                head, body = self.read(connection)
                with self.lock:
                    name = kind(body)
                    number = self.counts.get(name, 0)
                    self.counts[name] = number + 1
                    self.messages.append((head, body))
                reply = self.behaviour(self, body, number)
                if reply is not None:
                    connection.sendall(reply)
            except OSError:
                pass

    @staticmethod
    def read(connection):
        data = b""
        while b"\r\n\r\n" not in data:
            piece = connection.recv(65536)
            if not piece:
                raise OSError
            data += piece
        head, body = data.split(b"\r\n\r\n", 1)
        length = 0
        for line in head.split(b"\r\n"):
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        while len(body) < length:
            piece = connection.recv(65536)
            if not piece:
                raise OSError
            body += piece
        return head.decode(), body.decode()

    def bodies(self, name):
        return [body for _, body in self.messages if kind(body) == name]


def orderly(move):
    """Replies as a player should; `move` is its answer to every PLAY."""
    words = {"START": "ready", "STOP": "done", "ABORT": "aborted", "PREVIEW": "done",
             "INFO": "((name faulty) (status available))", "PLAY": move}
    return lambda player, body, number: text(words[kind(body)])


def once(move, fault, at=1):
    """Orderly, except that PLAY number `at` is answered by fault(player)."""
    usual = orderly(move)

    def behave(player, body, number):
        if kind(body) == "PLAY" and number == at:
            return fault(player)
        return usual(player, body, number)
    return behave
