"""The fixtures of the end-to-end tests: the built binary, serving over a real socket.

    python -m pip install -r Tests/EndToEnd/requirements.txt
    LINDEN_BINARY=.build/debug/linden python -m pytest Tests/EndToEnd
"""

import pytest

from support.server import Server, running


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


@pytest.fixture(scope="module")
def orchard(server):
    """An app that all tests of a file share and leave as it is."""
    return server.create_app("Orchard", "--default-url", "https://orchard.example.com/")


@pytest.fixture
def nothing_is_written(server):
    """Holds for a test that asks for nothing but what is refused: no row is added, and the server goes on."""
    before = server.rows()
    yield
    assert server.answers("/healthz")
    assert server.rows() == before
