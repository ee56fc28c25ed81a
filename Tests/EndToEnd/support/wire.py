"""HTTP over a plain socket: what a test writes is what the server reads, byte for byte."""

import json
import socket
from dataclasses import dataclass
from http.client import HTTPException, HTTPResponse

PATIENCE = 30

# What a client meets when the server is gone in the middle of an exchange.
CUT_OFF = (OSError, HTTPException)


@dataclass(frozen=True)
class Answer:
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def text(self):
        return self.body.decode("utf-8")

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def location(self):
        return self.headers["location"]

    def refusal(self, status):
        """Checks the form of an error and returns its message."""
        assert self.status == status, self.text
        assert self.headers["content-type"].startswith("application/json")
        assert self.json["error"]["code"] == status
        return self.json["error"]["message"]


def connect(port):
    return socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)


def head(method, target, headers):
    """The head of a request. The target is sent verbatim, which HTTP libraries do not do."""
    lines = [f"{method} {target} HTTP/1.1"] + [f"{name}: {value}" for name, value in headers.items()]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")


def request(port, method, target, body=b"", headers=None):
    """The bytes of a complete request. A body that is not bytes is sent as JSON."""
    if not isinstance(body, bytes):
        body = json.dumps(body).encode()
    standard = {"Host": f"127.0.0.1:{port}", "Connection": "close"}
    # As browsers do, which announce no body of a GET.
    if body or method != "GET":
        standard["Content-Length"] = str(len(body))
    if body:
        standard["Content-Type"] = "application/json"
    return head(method, target, standard | (headers or {})) + body


def exchange(port, message):
    """Sends bytes on a new connection and reads one response."""
    with connect(port) as connection:
        try:
            connection.sendall(message)
        except (BrokenPipeError, ConnectionResetError):
            pass  # A server may answer, and hang up, before it has read all of something too large.
        return read_answer(connection, message.split(b" ", 1)[0].decode("latin-1"))


def read_answer(connection, method="GET"):
    response = HTTPResponse(connection, method=method)
    response.begin()
    headers = {name.lower(): value for name, value in response.getheaders()}
    return Answer(response.status, headers, response.read())
