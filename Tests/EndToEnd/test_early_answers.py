"""Requests that are answered before their body is read: with a refusal, while the client sends on until it has the answer."""

from pathlib import Path

import pytest

from support import wire
from support.waiting import eventually


def descriptors(server):
    return len(list(Path(f"/proc/{server.process.pid}/fd").iterdir()))


@pytest.mark.parametrize("leaves", [True, False], ids=["client leaves", "client stays"])
@pytest.mark.parametrize("headers", [{}, {"Connection": "keep-alive", "Cookie": "a=" + "c" * 5000}], ids=["close", "large head"])
def test_a_connection_ends_after_its_last_answer_though_its_request_did_not(server, leaves, headers):
    message = wire.request(server.port, "POST", "/nothing", b" " * 420_000, headers)
    before = descriptors(server)
    connections = []
    for _ in range(40):
        connections.append(wire.connect(server.port))
        connections[-1].sendall(message)
        assert wire.read_answer(connections[-1], "POST").status == 404
        if leaves:
            connections.pop().close()

    # At once; a client that stays has two seconds.
    eventually(lambda: descriptors(server) <= before + 5, within=1.5 if leaves else 5)
    for connection in connections:
        connection.close()
