"""Progress of long commands on standard error at a terminal, and none if it is piped."""

import sqlite3
from contextlib import closing

import pytest

from support.command import linden
from support.terminal import linden_at_terminal
from support.visitors import iphone

SMALL = ["--days", "3", "--apps", "1", "--links", "5", "--clicks", "50", "--installs", "5", "--opens", "10", "--events", "20"]


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A small database of generated traffic, and the progress output of generating it."""
    database = f"sqlite:{tmp_path_factory.mktemp('made')}/linden.db"
    return database, linden_at_terminal("bench-data", *SMALL, "--database", database)


def test_made_up_traffic_shows_how_far_its_counting_is(made):
    _, seen = made

    assert seen.status == 0, seen.screen
    assert "Counting for links, until " in seen.screen and "Counting events, until " in seen.screen
    assert "Counting the devices of sessions, " in seen.screen


def test_verify_shows_which_check_it_is_at(made):
    seen = linden_at_terminal("verify", "--database", made[0])

    assert seen.status == 0
    assert "Check 3 of 16: credits.transactions" in seen.screen and "Check 16 of 16: days.objects" in seen.screen
    assert "credits.transactions" in seen.out


def test_an_erasure_shows_what_it_is_about(own_server):
    app = own_server.create_app()
    app.install(iphone(), identity="ann")

    seen = linden_at_terminal("identities", "erase", "ann", "--app", app.branch_key, "--yes", "--database", own_server.database)

    assert seen.status == 0, seen.screen
    assert "Searching 1 of 6: devices" in seen.screen
    assert "Searching again for what came in meanwhile, 6 of 6: credits" in seen.screen
    assert "Erasing 3 rows" in seen.screen and "Emptying the database's log" in seen.screen


def test_pruning_shows_how_much_is_gone(made):
    path = made[0].removeprefix("sqlite:")
    with closing(sqlite3.connect(path)) as database:
        database.execute(f"UPDATE sessions SET id = id - {20 * 86_400_000 << 22}")
        database.commit()

    seen = linden_at_terminal("prune", "--sessions-days", "7", "--yes", "--database", made[0])

    assert seen.status == 0
    assert "15 of 15 sessions removed" in seen.screen


def test_a_replay_says_first_how_many_sessions_have_no_evidence(own_server):
    app = own_server.create_app()
    for _ in range(3):
        app.install(iphone())
    with closing(sqlite3.connect(own_server.path, timeout=30)) as database:
        database.execute("UPDATE sessions SET evidence = NULL WHERE id = (SELECT MIN(id) FROM sessions)")
        database.commit()
    replay = ["replay", "--from", "2025-02-01", "--to", "2090-01-01", "--database", own_server.database]

    for scope in ([], ["--app", app.branch_key]):
        done = linden(*replay, *scope, "--format", "json")
        assert done.complaint == "1 of 3 sessions have no evidence and stay as they are."
        assert (done.json["sessions"], done.json["without_evidence"]) == (3, 1)
    asked = linden_at_terminal(*replay, "--apply", typed="n\n")
    assert asked.screen.index("1 of 3 sessions have no evidence") < asked.screen.index("Attribute 2 sessions again")
    assert "3 of 3 sessions, until " in linden_at_terminal(*replay).screen


@pytest.mark.parametrize("arguments", [["verify"], ["prune", "--events-days", "7", "--yes"], ["bench-data", "--append", *SMALL[2:], "--days", "1"]])
def test_no_progress_is_written_to_a_pipe(made, arguments):
    done = linden(*arguments, "--database", made[0], "--format", "json")

    assert "\x1b" not in done.err and "\r" not in done.err
    assert done.err == "" or "more can only be added" in done.err
