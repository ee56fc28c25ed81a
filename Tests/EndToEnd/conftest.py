"""The fixtures of the end-to-end tests: the built binary, serving over a real socket.

    python -m pip install -r Tests/EndToEnd/requirements.txt
    python -m pip install --no-deps -r Tests/EndToEnd/requirements-alone.txt
    LINDEN_BINARY=.build/debug/linden python -m pytest Tests/EndToEnd
"""

from collections import Counter

import pytest

from support.server import Server, running

# Files whose tests are few but long, and depend on no clock.
LONG = [f"test_{name}.py" for name in (
    "dashboard_accessibility", "openapi", "management_api", "packaging", "export_memory", "documentation", "demo")]


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items):
    """Begins with long files, and then those with many tests, so that no worker has a long one when the others are done. With workers this
    needs --no-loadscope-reorder."""
    counts = Counter(item.path for item in items)
    items.sort(key=lambda item: (item.path.name not in LONG, -counts[item.path], item.path.name))


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """A server shared by all tests of a file."""
    with running(Server(tmp_path_factory.mktemp("linden"))) as server:
        yield server


@pytest.fixture
def own_server(tmp_path):
    """A server of a single test, which may stop and kill it."""
    with running(Server(tmp_path)) as server:
        yield server


@pytest.fixture
def app(server):
    """An app with settings for both phones."""
    return server.create_app(
        "Orchard", "--ios-uri-scheme", "orchard", "--ios-app-store-id", "1234567890", "--android-uri-scheme", "orchard",
        "--android-package", "com.example.orchard", "--default-url", "https://orchard.example.com/")


@pytest.fixture(scope="module")
def orchard(server):
    """An app shared by all tests of a file, which do not change it."""
    return server.create_app("Orchard", "--default-url", "https://orchard.example.com/")


@pytest.fixture
def nothing_is_written(server):
    """Asserts for a test of refused requests that no row is added and the server still answers."""
    before = server.rows()
    yield
    assert server.answers("/healthz")
    assert server.rows() == before
