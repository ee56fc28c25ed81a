"""No acknowledged write is lost or done twice, whenever the server is killed."""

import sqlite3
import time
from contextlib import closing

import pytest

from support.crash import prove
from support.ledger import Ledger
from support.load import Load


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
