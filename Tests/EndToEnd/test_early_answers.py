"""What keeps no memory of a request: answers that come before its body is read, and heads of many headers."""

from pathlib import Path

import pytest

from support import wire
from support.waiting import eventually


def descriptors(server):
    return len(list(Path(f"/proc/{server.process.pid}/fd").iterdir()))


@pytest.mark.parametrize("leaves", [True, False], ids=["client leaves", "client stays"])
@pytest.mark.parametrize("headers", [
    {}, {"Connection": "keep-alive", "Cookie": "a=" + "c" * 5000}, {"Connection": "keep-alive"},
], ids=["close", "large head", "keep alive"])
def test_a_connection_ends_after_the_answer_though_its_request_did_not(server, leaves, headers):
    message = wire.request(server.port, "POST", "/nothing", b" " * 420_000, headers)
    # Its client would go on with the next request.
    if headers == {"Connection": "keep-alive"}:
        message = message[:-1]
    before = descriptors(server)
    connections = []
    for _ in range(40):
        connections.append(wire.connect(server.port))
        connections[-1].sendall(message)
        answer = wire.read_answer(connections[-1], "POST")
        assert (answer.status, answer.headers["connection"]) == (404, "close")
        if leaves:
            connections.pop().close()

    # At once; a client that stays has two seconds.
    eventually(lambda: descriptors(server) <= before + 5, within=1.5 if leaves else 5)
    for connection in connections:
        connection.close()


@pytest.mark.parametrize("count, ends", [(30, False), (50, True)])
def test_a_request_of_many_headers_is_the_last_of_its_connection(server, count, ends):
    """An idle connection keeps the memory of the headers of its last request."""
    headers = {f"X-{number}": "v" for number in range(count)} | {"Connection": "keep-alive"}
    with wire.connect(server.port) as connection:
        connection.sendall(wire.request(server.port, "GET", "/v1/nothing", headers=headers))
        assert (wire.read_answer(connection).headers.get("connection") == "close") == ends
