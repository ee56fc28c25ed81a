"""A database of an older version is upgraded with all its contents."""

import hashlib
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from support.server import Server, running
from support.visitors import iphone

MIGRATIONS = sorted((Path(__file__).parents[2] / "Migrations").glob("*.sql"))
# Where a version's last migration was: before sessions were explained, before addresses had keys, before credits, and the last but one.
VERSIONS = [17, 19, 23, int(MIGRATIONS[-2].name[:4])]
# What a column of an older version is called today.
RENAMED = {("rollups", "revenue"): "revenue_millionths", ("object_days", "revenue"): "revenue_millionths"}


def in_sqlite(sql):
    for postgres, sqlite in [("BIGINT PRIMARY KEY", "INTEGER PRIMARY KEY"), ("BIGINT", "INTEGER"), ("SMALLINT", "INTEGER"),
                             ("BYTEA", "BLOB"), ("\n);", "\n) STRICT;")]:
        sql = sql.replace(postgres, sqlite)
    return sql


def make(path, version, newer):
    """Creates a database with the migrations up to a version, and copies to it what the rows of a newer one have in common with it."""
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        database.execute("PRAGMA journal_mode = WAL")
        database.executescript(in_sqlite(
            "CREATE TABLE migrations (\n number BIGINT PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL,"
            " applied_at BIGINT NOT NULL\n);"))
        for file in MIGRATIONS:
            if int(file.name[:4]) > version:
                break
            database.executescript(in_sqlite(file.read_text()))
            database.execute("INSERT INTO migrations VALUES (?, ?, ?, 1)", (
                int(file.name[:4]), file.stem[5:], hashlib.sha256(file.read_bytes()).hexdigest()))
        database.execute("ATTACH ? AS newer", (str(newer),))
        for table in tables(database) - {"migrations"}:
            newest = columns(database, table, "newer")
            shared = {name: today for name in columns(database, table) if (today := RENAMED.get((table, name), name)) in newest}
            if shared:
                database.execute(f"DELETE FROM {table}")
                database.execute(
                    f"INSERT INTO {table} ({', '.join(shared)}) SELECT {', '.join(shared.values())} FROM newer.{table}")


def tables(database):
    return {name for (name,) in database.execute("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'")}


def columns(database, table, schema="main"):
    return [name for (name,) in database.execute("SELECT name FROM pragma_table_info(?, ?)", (table, schema))]


def contents(path):
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
        return {table: (columns(database, table), set(database.execute(f"SELECT * FROM {table}"))) for table in tables(database)}


def rows(contents, table, names):
    known, values = contents[table]
    return {tuple(row[known.index(name)] for name in names) for row in values}


@pytest.fixture(scope="module")
def newest(tmp_path_factory):
    """A database of the current version with content, and its server."""
    folder = tmp_path_factory.mktemp("newest")
    with running(Server(folder)) as server:
        app = server.create_app("Orchard", "--default-url", "https://orchard.example.com/", "--ios-uri-scheme", "orchard")
        phone = iphone()
        url = app.mint(data={"fruit": "pear"}, alias="pears")
        app.click(url, phone)
        app.install(phone, identity="ann")
        server.post("/v1/event", {"branch_key": app.branch_key, "event": "pruned", "identity": "ann", "metadata": {"tree": 7}})
        server.stop()
        yield server.path, app, phone


@pytest.mark.parametrize("version", VERSIONS)
def test_what_an_older_version_wrote_is_all_there(newest, version, tmp_path):
    path, app, phone = newest
    old = Server(tmp_path)
    make(old.path, version, path)
    before = contents(old.path)
    with running(old):
        # It goes on where it was: the link leads, and who is known is known.
        assert "orchard://" in old.get("/pears", iphone().headers).text
        assert old.ask("links", "show", f"{old.base_url}/pears")["data"]["fruit"] == "pear"
        again = old.post("/v1/install", {"branch_key": app.branch_key, "identity": "ann"} | phone.device)
        assert again.json["identity"] == "ann"
        old.stop()
    after = contents(old.path)
    for table in ["apps", "app_keys", "links", "clicks", "identities", "sessions", "events"]:
        shared = [name for name in before[table][0] if name in after[table][0]]
        assert before[table][1] and rows(before, table, shared) <= rows(after, table, shared), table
    assert old.command("verify").status == 0
    assert [number for (number,) in old.query("SELECT number FROM migrations ORDER BY number")] == [
        int(file.name[:4]) for file in MIGRATIONS]
