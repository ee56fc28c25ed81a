"""Which commands create a database, and which server may use it."""

import sqlite3
import subprocess
import time
from contextlib import closing

import pytest

from support.command import BINARY, environment, linden
from support.server import Server, free_port

READERS = [
    ["apps", "list"], ["apps", "show", "key_live_x"], ["links", "list", "--app", "key_live_x"],
    ["links", "create", "--app", "key_live_x"], ["tokens", "create", "x", "--role", "admin"], ["verify"],
    ["prune", "--clicks-days", "100"], ["rates", "list"], ["export", "--app", "key_live_x", "--topic", "eo_click"],
    ["doctor", "app", "key_live_x"], ["domains", "add", "go.example.com", "--app", "key_live_x"],
]


@pytest.mark.parametrize("arguments", READERS, ids=" ".join)
def test_a_command_on_a_wrong_path_says_so_and_makes_no_database(tmp_path, arguments):
    done = linden(*arguments, "--database", f"sqlite:{tmp_path}/typo.db")

    assert (done.status, done.out) == (1, "")
    assert f"{tmp_path}/typo.db" in done.complaint and "--database" in done.complaint
    assert list(tmp_path.iterdir()) == []


def test_a_relative_path_is_shown_in_full(tmp_path):
    done = linden("apps", "list", folder=tmp_path)

    assert done.status == 1
    assert f"{tmp_path}/linden.db" in done.complaint
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("arguments", [
    ["migrate"], ["apps", "create", "Orchard"],
    ["bench-data", "--days", "1", "--links", "2", "--clicks", "2", "--installs", "1", "--opens", "0", "--events", "0"]], ids=" ".join)
def test_a_command_that_begins_a_database_makes_it(tmp_path, arguments):
    done = linden(*arguments, "--database", f"sqlite:{tmp_path}/new.db")

    assert done.status == 0, done.err
    assert linden("apps", "list", "--database", f"sqlite:{tmp_path}/new.db").status == 0


def test_an_empty_file_is_filled_only_by_a_command_that_begins_a_database(tmp_path):
    (tmp_path / "empty.db").touch()

    done = linden("apps", "list", "--database", f"sqlite:{tmp_path}/empty.db")

    assert done.status == 1 and "empty.db is not a database of Linden: it is empty" in done.complaint
    assert (tmp_path / "empty.db").read_bytes() == b""
    assert linden("migrate", "--database", f"sqlite:{tmp_path}/empty.db").status == 0


@pytest.mark.parametrize("arguments", [["apps", "list"], ["migrate"], ["serve", "--port", "0"]], ids=" ".join)
def test_another_programs_database_is_left_alone(tmp_path, arguments):
    with closing(sqlite3.connect(tmp_path / "notes.db")) as database:
        database.execute("CREATE TABLE notes (text)")
        database.commit()
    before = (tmp_path / "notes.db").read_bytes()

    done = linden(*arguments, "--database", f"sqlite:{tmp_path}/notes.db")

    assert done.status == 1 and "another program" in done.complaint
    assert (tmp_path / "notes.db").read_bytes() == before


def second_serve(server, *flags, database=None):
    return linden("serve", "--port", str(free_port()), "--database", database or server.database, *flags)


def test_a_second_server_on_a_database_is_refused_with_the_first_ones_process_and_address(own_server):
    done = second_serve(own_server, "--base-url", "https://second.example.com")

    assert (done.status, done.out) == (1, "")
    for named in (str(own_server.path), str(own_server.process.pid), f"127.0.0.1:{own_server.port}", own_server.base_url):
        assert named in done.complaint
    # Commands go on to show links as the server that runs does.
    assert own_server.create_app().short_url_domain == "127.0.0.1"
    assert own_server.answers()


@pytest.mark.parametrize("way", ["symbolic link", "relative path"])
def test_a_database_by_another_name_is_the_same(own_server, way):
    if way == "symbolic link":
        link = own_server.folder / "other.db"
        link.symlink_to(own_server.path)
        done = second_serve(own_server, database=f"sqlite:{link}")
    else:
        done = linden("serve", "--port", str(free_port()), "--database", "sqlite:./linden.db", folder=own_server.folder)

    assert done.status == 1 and str(own_server.process.pid) in done.complaint
    assert {path.name for path in own_server.folder.glob("other.db*")} <= {"other.db"}


@pytest.mark.parametrize("end", ["kill", "stop"])
def test_a_server_that_ended_keeps_no_other_from_starting(own_server, end):
    getattr(own_server, end)()

    own_server.start()

    assert own_server.answers()


def test_of_servers_that_start_at_once_one_serves(tmp_path):
    server = Server(tmp_path)
    ports = [free_port() for _ in range(4)]
    processes = [
        subprocess.Popen(
            [BINARY, "serve", "--port", str(port), "--database", server.database], env=environment(), stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) for port in ports]
    try:
        deadline = time.monotonic() + 60
        while sum(process.poll() is None for process in processes) > 1 and time.monotonic() < deadline:
            time.sleep(0.05)
        alive = [process for process in processes if process.poll() is None]
        assert len(alive) == 1
        for process in set(processes) - set(alive):
            assert process.returncode == 1 and f"process id {alive[0].pid}" in process.stderr.read()
    finally:
        for process in processes:
            process.terminate()
            process.wait(timeout=30)
            process.stderr.close()


def test_commands_go_on_beside_the_server_that_has_the_database(server):
    assert server.command("apps", "list").status == 0
    assert server.command("migrate").status == 0
