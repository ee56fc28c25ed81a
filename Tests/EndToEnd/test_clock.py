"""A system clock that is wrong, or is corrected while the server runs."""

import time

import pytest

from support.clock import Clock
from support.ledger import Ledger
from support.load import CLICKS, Load
from support.server import Server, running

TABLES = ["clicks", "links", "sessions", "events", "credit_transactions"]
HOUR = 3600
# Seconds for which a process leases the node number of its ids.
NODE_LEASE = 60


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


MONTH = 31 * 24 * HOUR


@pytest.mark.parametrize("jump", [24 * HOUR, MONTH, -MONTH])
def test_a_clock_that_jumps_by_a_day_or_a_month_and_back_loses_nothing_and_makes_no_id_twice(server, clock, load, jump):
    write(load)
    clock.set(jump)
    write(load)
    clock.set(0)
    write(load)
    server.kill()
    server.start()
    write(load)

    assert load.ledger.compare(server).is_clean
    assert load.app.statistics(load.link)["clicks"] == clicks(load)
    done = server.command("verify", "--format", "json")
    assert done.status == 0, done.out


@pytest.mark.parametrize("jump", [2 * NODE_LEASE, -2 * NODE_LEASE])
def test_a_jump_past_the_lease_of_a_node_number_gives_no_number_to_two_processes(server, clock, load, jump):
    """To another process the server's lease has expired, before the server itself renews it."""
    write(load)
    clock.set(jump)
    made = [server.command("links", "create", "--app", load.app.branch_key, "--format", "json", settings=clock.environment)
            for _ in range(3)]
    assert [done.status for done in made] == [0, 0, 0], made[0].err
    write(load)
    clock.set(0)
    write(load)

    assert load.ledger.compare(server).is_clean
    for done in made:
        assert len(server.query(f"SELECT 1 FROM links WHERE id = {done.json['id']}")) == 1
    assert load.app.statistics(load.link)["clicks"] == clicks(load)
