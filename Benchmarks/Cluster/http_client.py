"""HTTP to one address, over connections of the tests' own client."""

import socket
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "Tests/EndToEnd"))

from support import wire  # noqa: E402


class Client:
    """The calls that the tests' App makes, on a new connection each."""

    def __init__(self, address, port, patience=10):
        self.address, self.port, self.patience = address, port, patience

    def connect(self):
        return socket.create_connection((self.address, self.port), timeout=self.patience)

    def request(self, method, target, body=b"", headers=None):
        """The bytes of a request whose connection is kept."""
        standard = {"Host": f"{self.address}:{self.port}", "Connection": "keep-alive"}
        return wire.request(self.port, method, target, body, standard | (headers or {}))

    def send(self, method, target, body=b"", headers=None):
        with self.connect() as connection:
            connection.sendall(self.request(method, target, body, {"Connection": "close"} | (headers or {})))
            return wire.read_answer(connection, method)

    def get(self, target, headers=None):
        return self.send("GET", target, headers=headers)

    def post(self, target, body, headers=None):
        return self.send("POST", target, body, headers)

    def put(self, target, body, headers=None):
        return self.send("PUT", target, body, headers)

    def answers(self, target):
        try:
            return self.send("GET", target).status == 200
        except wire.CUT_OFF:
            return False
