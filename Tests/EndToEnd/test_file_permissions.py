"""Files that Linden writes can be read by their owner only."""

import os
import stat

import pytest

from support.command import linden
from support.server import Server, running
from support.visitors import iphone


def modes(folder):
    """The permissions of all files of the database, by name."""
    return {path.name: stat.S_IMODE(path.stat().st_mode) for path in folder.glob("linden.db*")}


@pytest.fixture
def open_umask():
    """A umask that would make files readable by all users."""
    before = os.umask(0)
    yield
    os.umask(before)


def test_the_files_of_a_database_are_their_owners_alone(tmp_path, open_umask):
    with running(Server(tmp_path)) as server:
        app = server.create_app()
        app.click(app.create_link(), iphone())
        assert modes(tmp_path) == dict.fromkeys(
            ["linden.db", "linden.db-wal", "linden.db-shm", "linden.db-gate", "linden.db-server"], 0o600)


def test_a_command_makes_no_file_that_others_may_read(tmp_path, open_umask):
    database = f"sqlite:{tmp_path}/linden.db"
    assert linden("apps", "create", "Orchard", "--database", database).status == 0
    assert set(modes(tmp_path).values()) == {0o600}


def test_a_database_that_everyone_could_read_is_closed_to_others(tmp_path):
    with running(Server(tmp_path)) as server:
        server.create_app()
    for path in tmp_path.glob("linden.db*"):
        path.chmod(0o644)
    with running(Server(tmp_path)) as server:
        assert {mode & 0o007 for mode in modes(tmp_path).values()} == {0}
        assert "open to every user of this machine" in server.log
    assert linden("apps", "list", "--database", server.database).status == 0


def findings(server, app):
    checks = server.command("doctor", "app", app.branch_key, "--format", "json").json["checks"]
    return [check["detail"] for check in checks if check["check"].startswith("database.")]


def test_the_doctor_names_files_and_folders_that_others_have_access_to(tmp_path):
    folder = tmp_path / "data"
    folder.mkdir(mode=0o700)
    server = Server(folder)
    app = server.create_app()
    assert findings(server, app) == []

    (folder / "linden.db").chmod(0o640)
    (detail,) = findings(server, app)
    assert "Their group has access" in detail and "linden.db (0640)" in detail and "chmod 600" in detail

    (folder / "linden.db").chmod(0o600)
    folder.chmod(0o777)
    (detail,) = findings(server, app)
    assert f"{folder} has the permissions 0777" in detail and "chmod go-w" in detail
