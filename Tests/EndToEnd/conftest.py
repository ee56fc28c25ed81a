"""The fixtures of the end-to-end tests: the built binary, serving over a real socket.

    python -m pip install -r Tests/EndToEnd/requirements.txt
    LINDEN_BINARY=.build/debug/linden python -m pytest Tests/EndToEnd
"""

from contextlib import contextmanager

import pytest

from support.server import Server


@contextmanager
def running(server):
    """Starts a server, and at the end sees to it that it stops cleanly."""
    try:
        yield server.start()
        if server.is_running:
            server.stop()
    finally:
        if server.is_running:
            server.kill()


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """A server that all tests of a file share."""
    with running(Server(tmp_path_factory.mktemp("linden"))) as server:
        yield server


@pytest.fixture
def own_server(tmp_path):
    """A server for one test alone, which may stop and kill it."""
    with running(Server(tmp_path)) as server:
        yield server


@pytest.fixture
def app(server):
    """An app on both phones."""
    return server.create_app(
        "Orchard", "--ios-uri-scheme", "orchard", "--ios-app-store-id", "1234567890", "--android-uri-scheme", "orchard",
        "--android-package", "com.example.orchard", "--default-url", "https://orchard.example.com/")
