"""No acknowledged write is lost or done twice, whenever the server is killed."""

import signal
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest

from support.crash import prove
from support.ledger import Ledger
from support.load import Load
from support.server import Server

MIGRATIONS = len(list((Path(__file__).parents[2] / "Migrations/SQL").glob("*.sql")))


@pytest.mark.parametrize("seed", [1, 2])
def test_a_server_killed_under_load_has_every_acknowledged_write_exactly_once(own_server, seed):
    proof = prove(own_server, kills=3, seed=seed, customers=8, longest=1)

    assert proof.findings and all(findings.is_clean for findings in proof.findings), proof.findings
    assert proof.damages == []
    assert proof.refusals == {}
    assert proof.matched and proof.mismatched == []
    assert all(proof.ledger.acknowledged.values()), "each kind of write is to be acknowledged at least once"


def test_a_write_that_is_gone_or_there_twice_is_noticed(own_server):
    load = Load(own_server.create_app("Orchard", "--default-url", "https://orchard.example.com/"), Ledger(), customers=2)
    load.start()
    time.sleep(0.5)
    load.stop()
    own_server.stop()
    gone, doubled = sorted(load.ledger.acknowledged["redirects"])[:2]

    with closing(sqlite3.connect(own_server.path)) as database, database:
        database.execute("DELETE FROM clicks WHERE query = ?", [f"entry={gone}"])
        database.execute("CREATE TEMP TABLE again AS SELECT * FROM clicks WHERE query = ?", [f"entry={doubled}"])
        database.execute("UPDATE again SET id = 1")
        database.execute("INSERT INTO clicks SELECT * FROM again")

    findings = load.ledger.compare(own_server)
    assert findings.lost == [("redirects", gone)]
    assert findings.doubled == [("redirects", doubled)]
    assert findings.invented == []


def migrations(path):
    """How many are applied; 0 while the file cannot be read."""
    try:
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=0)) as database:
            return database.execute("SELECT COUNT(*) FROM migrations").fetchone()[0]
    except sqlite3.OperationalError:
        return 0


def test_a_server_killed_during_the_migrations_of_its_start_goes_on_with_them(tmp_path):
    applied = []
    for first in range(1, MIGRATIONS, 2):
        folder = tmp_path / str(first)
        folder.mkdir()
        server = Server(folder)
        server.launch()
        deadline = time.monotonic() + 60
        # In slices of half a millisecond, so that it is looked at between two migrations.
        while True:
            server.process.send_signal(signal.SIGSTOP)
            if (count := migrations(server.path)) >= first:
                break
            assert time.monotonic() < deadline, server.log
            server.process.send_signal(signal.SIGCONT)
            time.sleep(0.0005)
        server.kill()
        applied.append(count)

        server.start()
        assert migrations(server.path) == MIGRATIONS
        server.create_app()
        server.stop()
        with closing(sqlite3.connect(server.path)) as database:
            assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert server.command("verify").status == 0

    assert any(count < MIGRATIONS for count in applied), "some were killed in the middle"
