"""Responses that clients do not read use a bounded amount of memory."""

import os
import socket
import time

import pytest

from support import wire
from support.server import Server, running
from support.slow import room_for

UNREAD = 800
# Connections with 64 KiB each that fill the budget of 32 MiB, and some to spare.
MOST_HELD = 600


def test_connections_that_read_no_answers_are_closed_once_the_budget_is_full(tmp_path):
    with room_for(UNREAD) as room:
        if room < UNREAD:
            pytest.skip(f"only {room} connections may be open at once")
        with running(Server(tmp_path)) as server:
            before = open_files(server)
            clients = []
            try:
                for _ in range(UNREAD):
                    clients.append(unread(server))
                # All are accepted and answered by then. Each of them would be closed after 20 seconds anyway.
                time.sleep(3)
                deadline = time.monotonic() + 10
                while open_files(server) - before > MOST_HELD and time.monotonic() < deadline:
                    time.sleep(0.1)
                assert open_files(server) - before <= MOST_HELD
                # The clients that remain have received nothing for 2 seconds and make room for one that does.
                answer = server.get("/openapi.yaml")
                assert answer.status == 200
                assert len(answer.body) == int(answer.headers["content-length"])
            finally:
                for client in clients:
                    client.close()


def unread(server):
    """A connection that has requested four large responses, with a minimal receive buffer."""
    client = socket.socket()
    # Before connecting, since the window is agreed on then.
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    client.settimeout(wire.PATIENCE)
    client.connect(("127.0.0.1", server.port))
    client.sendall(wire.head("GET", "/openapi.yaml", {"Host": f"127.0.0.1:{server.port}"}) * 4)
    return client


def open_files(server):
    return len(os.listdir(f"/proc/{server.process.pid}/fd"))
