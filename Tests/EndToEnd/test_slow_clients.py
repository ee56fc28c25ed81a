"""Clients that take their time do not keep others waiting."""

import resource
import time
from contextlib import ExitStack

import pytest

from support import wire
from support.server import Server, running
from support.visitors import desktop

SLOW = 2000


@pytest.fixture
def server(tmp_path):
    """A server that may have as many connections as the system allows; so may the test."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard < SLOW + 200:
        pytest.skip(f"only {hard} files may be open at once")
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    try:
        with running(Server(tmp_path)) as server:
            yield server
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_thousands_who_are_slow_do_not_starve_the_others(server):
    app = server.create_app("Orchard", "--default-url", "https://orchard.example.com/")
    link = app.mint()
    whole = wire.request(server.port, "POST", "/v1/url", {"branch_key": app.branch_key, "channel": "sms"})
    # Nothing yet, half a head, or half a body.
    beginnings = [b"", whole[:20], whole[:-10]]
    with ExitStack() as stack:
        slow = [stack.enter_context(wire.connect(server.port)) for _ in range(SLOW)]
        for number, connection in enumerate(slow):
            connection.sendall(beginnings[number % 3])

        times = []
        for _ in range(100):
            begun = time.monotonic()
            assert app.click(link, desktop()).status == 302
            times.append(time.monotonic() - begun)

        # A few milliseconds each; a busy machine is given more.
        assert sorted(times)[98] < 1
        # And who is slow is served in the end.
        for number in (1, 2, SLOW - 1, SLOW - 2):
            connection = slow[number]
            connection.sendall(whole[len(beginnings[number % 3]):])
            assert wire.read_answer(connection).status == 200
