"""`linden verify --repair`: an index that does not agree with its table, and a server that is running."""

import sqlite3
from contextlib import closing

import pytest

from support.server import Server, running


@pytest.fixture
def damaged(tmp_path):
    """A server, not started, one of whose indexes has an entry of a row that is gone, as a lost write would leave it."""
    server = Server(tmp_path)
    app = server.create_app("Orchard")
    for number in range(3):
        server.ask("links", "create", "--app", app.branch_key, "--alias", f"pear-{number}")
    with closing(sqlite3.connect(server.path)) as database:
        index = database.execute(
            "SELECT type, name, tbl_name, rootpage, sql FROM sqlite_master WHERE type = 'index' AND tbl_name = 'links' AND sql IS NOT NULL"
            " AND sql NOT LIKE '%WHERE%' ORDER BY name LIMIT 1"
        ).fetchone()
        database.execute("PRAGMA writable_schema = ON")
        with database:
            database.execute("DELETE FROM sqlite_master WHERE name = ?", (index[1],))
        database.execute("PRAGMA writable_schema = RESET")
        with database:
            database.execute("DELETE FROM links WHERE path = 'pear-1'")
        database.execute("PRAGMA writable_schema = ON")
        with database:
            database.execute("INSERT INTO sqlite_master VALUES (?, ?, ?, ?, ?)", index)
        database.execute("PRAGMA writable_schema = RESET")
    return server


def test_a_repair_shows_what_it_would_do_and_does_it_without_a_server(damaged):
    shown = damaged.command("verify", "--repair", "--format", "json")

    assert shown.status == 1 and shown.json["applied"] is False
    assert [(repair["repair"], repair["changes"]) for repair in shown.json["repairs"]] == [("storage.pages", 1)]
    assert shown.json["not_derivable"] == []

    with running(damaged):
        refused = damaged.command("verify", "--repair", "--apply")
        assert refused.status == 1 and "is served already" in refused.complaint
    assert damaged.command("verify").status == 1

    done = damaged.command("verify", "--repair", "--apply", "--format", "json")

    assert done.status == 0 and done.json["ok"] and done.json["applied"]
    assert not done.json["checks"][0]["ok"] and done.json["checks_after"][0]["ok"]
    assert damaged.command("verify").status == 0
    assert damaged.command("verify", "--repair").status == 0


def test_what_only_a_backup_has_is_named(tmp_path):
    server = Server(tmp_path)
    server.create_app()
    with closing(sqlite3.connect(server.path)) as database, database:
        database.execute("DELETE FROM apps")

    done = server.command("verify", "--repair", "--apply", "--format", "json")

    assert done.status == 1 and done.json["repairs"] == [] and done.json["not_derivable"] == ["storage.references"]
