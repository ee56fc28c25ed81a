"""One server serves a database, and a second one names the first."""

import fcntl
import stat

import pytest

from support.command import linden
from support.server import Server, free_port, running


def serve_beside(server):
    """The output of a second server on the same database."""
    return linden("serve", "--port", str(free_port()), "--database", server.database)


def test_the_first_server_is_named_and_its_file_is_its_owners_alone(tmp_path):
    with running(Server(tmp_path)) as server:
        refused = serve_beside(server)
        assert refused.status == 1 and f"process id {server.process.pid}, which listens on 127.0.0.1:{server.port}" in refused.complaint
        assert stat.S_IMODE((tmp_path / "linden.db-server").stat().st_mode) == 0o600
    assert (tmp_path / "linden.db-server").read_text() == ""


@pytest.mark.parametrize("left", ["4711 127.0.0.1:8080 http://former.example\n", ""])
def test_a_server_that_has_not_written_who_it_is_is_not_taken_for_the_one_before(tmp_path, left):
    server = Server(tmp_path)
    server.create_app()
    lease = tmp_path / "linden.db-server"
    lease.write_text(left)
    lease.chmod(0o600)
    with lease.open("r+") as file:
        # As a server holds it that has only just started, after one that was killed.
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        refused = serve_beside(server)
    assert refused.status == 1 and "another server, which is just starting" in refused.complaint
    assert "former" not in refused.err and "4711" not in refused.err


def test_a_killed_server_is_followed_by_another_at_once(tmp_path):
    server = Server(tmp_path).start()
    server.kill()
    assert str(server.process.pid) in (tmp_path / "linden.db-server").read_text()
    with running(Server(tmp_path)) as next_server:
        assert f"process id {next_server.process.pid}," in serve_beside(next_server).complaint
