"""Concurrent claims of a click: exactly one session gets it."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from support.server import Server, running
from support.visitors import iphone

INSTALLS = 200


@pytest.fixture
def own_server(tmp_path):
    # More installs at once than one address may make.
    with running(Server(tmp_path, {"LINDEN_LIMITS_EXEMPT_NETWORKS": "127.0.0.0/8,198.18.0.0/15"})) as server:
        yield server


def test_of_200_installs_at_once_one_is_given_the_click(own_server):
    app = own_server.create_app("Orchard", "--ios-uri-scheme", "orchard", "--ios-app-store-id", "1234567890")
    phone = iphone()
    app.click(app.create_link(), phone)
    together = Barrier(INSTALLS)

    def install(_):
        together.wait()
        return app.install(phone)

    with ThreadPoolExecutor(INSTALLS) as threads:
        sessions = list(threads.map(install, range(INSTALLS)))

    assert [session.data["+clicked_branch_link"] for session in sessions].count(True) == 1
    assert own_server.query("SELECT COUNT(*), COUNT(click_id) FROM sessions") == [(INSTALLS, 1)]
    assert own_server.query("SELECT COUNT(*) FROM devices WHERE last_click_id IS NOT NULL") == [(1,)]
