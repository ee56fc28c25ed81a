"""One server process follows the other on a socket that the service manager holds: no request is refused or cut off."""

import http.client
import socket
import subprocess
import threading
import time
from collections import Counter

import pytest

from support import wire
from support.command import BINARY, environment, linden
from support.handover import SocketServer, restart
from support.ledger import Ledger
from support.load import Load
from support.visitors import desktop
from support.waiting import eventually


@pytest.fixture
def server(tmp_path):
    server = SocketServer(tmp_path)
    server.start()
    assert server.await_notice() == "READY=1"
    try:
        yield server
        server.stop()
    finally:
        if server.is_running:
            server.kill()
        server.close()


class Clients:
    """Clients that make one request after the other, by a function that returns its parts, and note what became of each."""

    def __init__(self, server, request, keeps_open, count=8):
        self.server, self.request, self.keeps_open = server, request, keeps_open
        self.outcomes = Counter()
        self.longest = 0
        self._stopping = threading.Event()
        self._lock = threading.Lock()
        self._threads = [threading.Thread(target=self._run) for _ in range(count)]

    def __enter__(self):
        for thread in self._threads:
            thread.start()
        time.sleep(0.5)
        return self

    def __exit__(self, *error):
        time.sleep(0.5)
        self._stopping.set()
        for thread in self._threads:
            thread.join()

    def _run(self):
        connection = None
        while not self._stopping.is_set():
            begun = time.monotonic()
            try:
                if connection is None:
                    connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=wire.PATIENCE)
                method, target, body, headers = self.request()
                connection.request(method, target, body, headers | ({} if self.keeps_open else {"Connection": "close"}))
                answer = connection.getresponse()
                answer.read()
                outcome = answer.status
                if answer.will_close:
                    connection.close()
                    connection = None
            except wire.CUT_OFF as error:
                outcome = repr(error)
                connection = None
            with self._lock:
                self.outcomes[outcome] += 1
                self.longest = max(self.longest, time.monotonic() - begun)


def visits(app):
    path = "/" + app.create_link().rsplit("/", 1)[1]
    # Each from an address of its own, since one address has a rate.
    return lambda: ("GET", path, None, desktop().headers)


def creations(app):
    return lambda: ("POST", "/v1/url", '{"branch_key": "%s"}' % app.branch_key, {"Content-Type": "application/json"})


@pytest.mark.parametrize("overlapping", [False, True], ids=["after the former", "beside the former"])
@pytest.mark.parametrize("keeps_open", [False, True], ids=["a connection each", "one connection"])
@pytest.mark.parametrize("request_of, status", [(visits, 302), (creations, 200)], ids=["visits", "links"])
def test_every_request_of_a_restart_is_answered(server, request_of, status, keeps_open, overlapping):
    app = server.create_app("Orchard", "--default-url", "https://orchard.example.com/")
    with Clients(server, request_of(app), keeps_open) as clients:
        for _ in range(2):
            restart(server, overlapping)
        eventually(lambda: clients.outcomes.total() > 100, within=30)

    assert set(clients.outcomes) == {status}, clients.outcomes
    assert clients.longest < 15


def test_what_was_acknowledged_around_a_restart_is_stored(server):
    load = Load(server.create_app("Orchard", "--default-url", "https://orchard.example.com/"), Ledger())
    for _ in range(2):
        load.start()
        time.sleep(0.3)
        restart(server)
        load.stop()

    assert load.ledger.compare(server).is_clean
    assert server.query("PRAGMA integrity_check") == [("ok",)]


def test_a_connection_that_was_just_opened_is_answered_by_the_server_that_stops(server):
    with wire.connect(server.port) as connection:
        # Long enough that the server has accepted it.
        time.sleep(0.2)
        server.terminate()
        # Longer than the server still accepts connections, and shorter than it keeps them.
        time.sleep(0.6)
        connection.sendall(wire.request(server.port, "GET", "/healthz", headers={"Connection": "keep-alive"}))
        answer = wire.read_answer(connection)
        assert answer.status == 200
        assert answer.headers["connection"] == "close"
        assert connection.recv(1) == b""
    assert server.wait() == 0
    server.start()


def test_connections_without_requests_hold_a_shutdown_for_little_more_than_a_second(server):
    with wire.connect(server.port), wire.connect(server.port) as used:
        used.sendall(wire.request(server.port, "GET", "/healthz", headers={"Connection": "keep-alive"}))
        assert wire.read_answer(used).status == 200
        begun = time.monotonic()
        server.stop()
        assert time.monotonic() - begun < 5
    server.start()


def test_the_address_of_the_socket_is_the_servers(server):
    assert f"127.0.0.1:{server.port}" in server.log
    beside = linden("serve", "--port", "0", "--database", server.database)
    assert beside.status == 1 and f"listens on 127.0.0.1:{server.port}" in beside.complaint


@pytest.mark.parametrize("kind, count", [("datagram", "1"), ("unix", "1"), ("connected", "1"), ("listening", "2"), ("listening", "x")])
def test_anything_but_one_listening_socket_is_refused_with_what_is_allowed(tmp_path, kind, count):
    with socket.socket(socket.AF_UNIX if kind == "unix" else socket.AF_INET,
                       socket.SOCK_DGRAM if kind == "datagram" else socket.SOCK_STREAM) as handed:
        if kind == "unix":
            handed.bind(str(tmp_path / "socket"))
        if kind in ("unix", "listening"):
            handed.listen()
        command = f'exec 3<&{handed.fileno()}; LISTEN_PID=$$ exec "$0" serve --database sqlite:{tmp_path}/linden.db'
        done = subprocess.run(
            ["bash", "-c", command, BINARY], env=environment({"LISTEN_FDS": count}), pass_fds=[handed.fileno()], capture_output=True,
            text=True, timeout=60)

    assert done.returncode == 1
    assert "one listening TCP socket" in done.stderr or "must be a listening TCP socket" in done.stderr
    assert not (tmp_path / "linden.db").exists()


def test_a_socket_announced_to_another_process_is_not_taken(tmp_path):
    server = SocketServer(tmp_path)
    try:
        done = linden("serve", "--port", "x", settings={"LISTEN_FDS": "1", "LISTEN_PID": "1"})
        assert "http.port" in done.complaint
    finally:
        server.close()
