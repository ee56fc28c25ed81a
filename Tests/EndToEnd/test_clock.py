"""A system clock that is wrong, or is corrected while the server runs."""

import time

import pytest

from support.clock import Clock
from support.ledger import Ledger
from support.load import CLICKS, Load
from support.server import Server, running

TABLES = ["clicks", "links", "sessions", "events", "credit_transactions"]
HOUR = 3600


@pytest.fixture
def clock(tmp_path):
    return Clock(tmp_path)


@pytest.fixture
def server(tmp_path, clock):
    with running(Server(tmp_path, clock.environment)) as server:
        yield server


@pytest.fixture
def load(server):
    return Load(server.create_app("Orchard", "--default-url", "https://orchard.example.com/"), Ledger(), customers=4)


def write(load, seconds=0.3):
    before = load.ledger.count
    load.start()
    time.sleep(seconds)
    load.stop()
    assert load.ledger.count > before
    assert load.refusals == {}


def last_ids(server):
    return {table: server.query(f"SELECT MAX(id) FROM {table}")[0][0] for table in TABLES}


def clicks(load):
    """The clicks of the load's link that were acknowledged: those of computers and those of phones."""
    return sum(len(load.ledger.acknowledged[kind]) for kind in CLICKS)


def test_ids_go_on_rising_when_the_clock_goes_back(server, clock, load):
    write(load)
    last, rows = last_ids(server), server.rows()

    clock.set(-HOUR)
    write(load)

    assert load.ledger.compare(server).is_clean
    for table in TABLES:
        later = server.query(f"SELECT COUNT(*) FROM {table} WHERE id > {last[table]}")[0][0]
        assert later == server.rows()[table] - rows[table] > 0, table


def test_a_server_that_starts_while_the_clock_is_behind_makes_no_id_twice_and_counts_everything(server, clock, load):
    write(load)
    time.sleep(4)  # What was written is counted: later rows must not be passed over.
    clock.set(-HOUR)
    server.kill()
    server.start()
    write(load)
    server.stop()
    clock.set(0)
    server.start()
    write(load)

    assert load.ledger.compare(server).is_clean
    assert load.app.statistics(load.link)["clicks"] == clicks(load)
    done = server.command("verify", "--format", "json")
    assert done.status == 0, done.out


def test_a_clock_that_was_a_day_ahead_is_set_right(server, clock, load):
    clock.set(24 * HOUR)
    write(load)
    clock.set(0)
    write(load)
    server.kill()
    server.start()
    write(load)

    assert load.ledger.compare(server).is_clean
    assert load.app.statistics(load.link)["clicks"] == clicks(load)
