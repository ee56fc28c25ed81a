"""`linden copy`: from a file to PostgreSQL and back, interrupted, and refused."""

import json
import sqlite3
import subprocess
import time
from contextlib import closing

import pytest

from support.app import click_id
from support.command import BINARY, environment, linden
from support.postgres import needs_postgres, new_database, psql, url
from support.server import Server, running
from support.visitors import iphone
from support.waiting import eventually


@pytest.fixture
def postgres():
    """The URL of an empty database."""
    with new_database() as name:
        yield url(name)


def copy(source, target):
    return linden("copy", "--from", source, "--to", target, "--format", "json")


@needs_postgres
def test_a_server_goes_on_with_the_copy_on_the_other_engine(tmp_path, postgres):
    visitors = [iphone() for _ in range(3)]
    server = Server(tmp_path)
    with running(server):
        app = server.create_app("Orchard", "--ios-uri-scheme", "orchard")
        link = app.create_link(data={"number": 1})
        clicks = [click_id(app.click(link, visitor)) for visitor in visitors]
        server.stop()

    for database in (postgres, f"sqlite:{tmp_path}/back.db"):
        done = copy(server.database, database)
        assert done.status == 0, done.err
        assert done.json["rows"] > 10 and done.json["continued"] is False
        assert linden("verify", "--database", database).status == 0

        server.database = database
        with running(server):
            assert app.install(visitors.pop()).answer["link_click_id"] == clicks.pop()
            server.stop()


@needs_postgres
def test_a_killed_copy_is_continued_by_the_same_command(tmp_path, postgres):
    source = f"sqlite:{tmp_path}/linden.db"
    assert linden("bench-data", "--clicks", "10000", "--installs", "500", "--opens", "500", "--events", "1000", "--links", "50",
                  "--days", "2", "--database", source).status == 0
    arguments = [BINARY, "copy", "--from", source, "--to", postgres]
    process = subprocess.Popen(arguments, env=environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    eventually(lambda: psql("SELECT to_regclass('copy_progress')", postgres) == "copy_progress", within=30)
    process.kill()
    assert process.wait() != 0, "the copy ended before it was killed"

    assert "holds an unfinished copy" in linden("apps", "list", "--database", postgres).complaint
    done = copy(source, postgres)

    assert done.status == 0, done.err
    assert done.json["continued"] is True
    assert linden("verify", "--database", postgres).status == 0


@pytest.mark.parametrize("engine", ["sqlite", pytest.param("postgres", marks=needs_postgres)])
def test_a_copy_follows_a_running_server_until_it_is_stopped(tmp_path, request, engine):
    target = request.getfixturevalue("postgres") if engine == "postgres" else f"sqlite:{tmp_path}/new.db"
    server = Server(tmp_path)
    with running(server):
        app = server.create_app("Orchard", "--ios-uri-scheme", "orchard")
        links = [app.create_link(data={"number": number}) for number in range(3)]
        first, second, third = iphone(), iphone(), iphone()
        app.click(links[0], first)
        copying = subprocess.Popen(
            [BINARY, "copy", "--follow", "--from", server.database, "--to", target, "--format", "json"],
            env=environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        try:
            assert "The copy follows its source" in copying.stderr.readline()
            # What was copied is changed and deleted, and more is added.
            assert app.install(first).data["number"] == 0
            assert server.put(app.link(links[1]), app.secret | {"data": {"number": 11}}).status == 200
            assert server.send("DELETE", app.link(links[2]), app.secret).status == 200
            # After a crash, systemd starts the server again.
            server.kill()
            time.sleep(3)
            server.start()
            assert copying.poll() is None
            clicks = [click_id(app.click(links[1], visitor)) for visitor in (second, third)]
            assert app.install(second).answer["link_click_id"] == clicks[0]
            server.stop()
            out, err = copying.communicate(timeout=60)
        finally:
            copying.kill()
    assert copying.returncode == 0, err
    done = json.loads(out)
    assert "warnings" not in done
    assert f"The copy ended as of {done['as_of']}." in err
    assert linden("verify", "--database", target).status == 0

    server.database = target
    with running(server):
        assert app.install(third).answer["link_click_id"] == clicks[1]
        assert app.read(links[1])["data"]["number"] == 11
        server.send("DELETE", app.link(links[2]), app.secret).refusal(404)
        server.stop()


def test_a_copy_of_a_running_servers_database_says_what_is_not_in_it(server, tmp_path):
    done = copy(server.database, f"sqlite:{tmp_path}/copy.db")

    assert done.status == 0
    assert [warning.partition(" is not in the copy")[1] for warning in done.json["warnings"]] == [" is not in the copy"]


def test_a_running_servers_database_is_no_target(server, tmp_path):
    assert linden("migrate", "--database", f"sqlite:{tmp_path}/new.db").status == 0
    done = copy(f"sqlite:{tmp_path}/new.db", server.database)

    assert done.status == 1
    assert "is served already" in done.err


@pytest.mark.parametrize("source, target, problem", [
    ("sqlite:absent.db", "sqlite:new.db", "There is no database at "),
    ("sqlite:../orders.db", "sqlite:new.db", "orders.db is not one of Linden"),
    ("mysql://localhost/linden", "sqlite:new.db", "--from must be sqlite: and the path of a file"),
    ("sqlite:absent.db", "postgres://linden:pears%zz@localhost/linden", "--to must be a URL of PostgreSQL"),
])
def test_databases_that_cannot_be_copied_are_refused_in_one_line(tmp_path, source, target, problem):
    with closing(sqlite3.connect(tmp_path / "orders.db")) as orders:
        orders.execute("CREATE TABLE orders (id INTEGER)")
    folder = tmp_path / "folder"
    folder.mkdir()

    done = linden("copy", "--from", source, "--to", target, folder=folder)

    assert done.status > 0
    assert problem in done.complaint
    assert "pears" not in done.err
    assert list(folder.iterdir()) == []
