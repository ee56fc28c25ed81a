"""A full disk, a read-only one, and a database that does not answer."""

import sqlite3
import time
from contextlib import closing

import pytest

from support.command import linden
from support.ledger import Ledger
from support.load import Load
from support.server import Server, running
from support.visitors import desktop
from support.volume import volume
from support.waiting import eventually


@pytest.fixture
def disk(tmp_path):
    with volume(tmp_path / "disk", megabytes=24) as disk:
        yield disk


@pytest.fixture
def server(disk):
    # The disk is smaller than the floor of free space below which nothing would be written.
    with running(Server(disk.folder, {"LINDEN_LIMITS_MIN_FREE_DISK": "0"})) as server:
        yield server


@pytest.fixture
def load(server):
    return Load(server.create_app("Orchard", "--default-url", "https://orchard.example.com/"), Ledger(), customers=8)


def write(load, seconds):
    """Returns the number of acknowledged writes."""
    before = load.ledger.count
    load.start()
    time.sleep(seconds)
    load.stop()
    return load.ledger.count - before


def test_a_full_disk_refuses_what_it_cannot_keep_and_goes_on_when_there_is_room(server, disk, load):
    assert write(load, 0.3)
    assert load.refusals == {}

    disk.fill()
    write(load, 1)
    assert set(load.refusals) == {503}
    assert load.app.click(load.link, desktop()).status == 503
    assert load.app.read(load.link)["data"]["$desktop_url"], "what is stored can be read"
    assert "disk of the database is full" in server.get("/readyz").refusal(503)
    assert server.get("/healthz").status == 200
    assert server.log.count("The disk of the database is full") == 1

    disk.make_room()
    # Readiness is determined once a second.
    eventually(lambda: server.answers("/readyz"))
    assert "The database can be written again" in server.log
    load.refusals.clear()
    assert write(load, 0.5)
    assert load.refusals == {}
    assert load.ledger.compare(server).is_clean
    assert server.query("PRAGMA integrity_check") == [("ok",)]
    done = server.command("verify", "--format", "json")
    assert done.status == 0, done.out


def test_a_server_killed_while_the_disk_is_full_has_what_it_acknowledged(server, disk, load):
    write(load, 0.3)
    disk.fill()
    load.start()
    time.sleep(0.5)
    server.kill()
    load.join()

    disk.make_room()
    server.start()

    assert load.ledger.compare(server).is_clean
    assert server.query("PRAGMA integrity_check") == [("ok",)]


def test_a_server_does_not_start_on_a_read_only_file_system_and_loses_nothing_by_it(server, disk, load):
    write(load, 0.3)
    server.stop()
    disk.make_read_only()

    done = linden("serve", "--port", "0", "--database", server.database)
    disk.make_read_only(False)
    server.start()

    assert done.status > 0
    assert "linden.db" in done.complaint
    assert load.ledger.compare(server).is_clean


# MARK: A database that does not answer

def test_a_server_whose_writes_wait_for_another_program_is_not_ready_until_they_go_on(own_server):
    app = own_server.create_app("Orchard", "--default-url", "https://orchard.example.com/")
    load = Load(app, Ledger(), customers=8)
    with closing(sqlite3.connect(own_server.path, timeout=30, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        load.start()
        try:
            eventually(lambda: "Writes have been waiting" in own_server.get("/readyz").text, within=30)
            assert own_server.get("/readyz").status == 503
            assert own_server.get("/healthz").status == 200
        finally:
            other.execute("ROLLBACK")
            eventually(lambda: own_server.answers("/readyz"), within=30)
            load.stop()

    load.refusals.clear()
    assert write(load, 0.3) and load.refusals == {}


def test_a_flood_of_writes_does_not_make_a_server_unready(own_server):
    app = own_server.create_app("Orchard", "--default-url", "https://orchard.example.com/")
    load = Load(app, Ledger(), customers=64)
    load.start()
    end = time.monotonic() + 12
    statuses = set()
    while time.monotonic() < end:
        statuses.add(own_server.get("/readyz").status)
        time.sleep(0.2)
    load.stop()

    assert load.ledger.count > 100 and statuses == {200}
