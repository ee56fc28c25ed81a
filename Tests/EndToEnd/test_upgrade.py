"""Databases of earlier versions: one of a release is upgraded with all its contents, one of a build before the first release is refused."""

import hashlib
import re
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

import pytest

from support.command import BINARY, linden
from support.server import Server, running
from support.visitors import iphone

MIGRATIONS = sorted((Path(__file__).parents[2] / "Migrations" / "SQL").glob("*.sql"))
# The last migration of each release. There is none yet: this is one of a build, in its place.
RELEASES = [12]


def in_sqlite(sql):
    for postgres, sqlite in [("BIGINT PRIMARY KEY", "INTEGER PRIMARY KEY"), ("BIGINT", "INTEGER"), ("SMALLINT", "INTEGER"),
                             ("BYTEA", "BLOB")]:
        sql = sql.replace(postgres, sqlite)

    def end(table):
        is_key = "\n    PRIMARY KEY (" in table[0] and not table[0].startswith("CREATE TABLE device_clicks (")
        return table[0].removesuffix(");") + (") STRICT, WITHOUT ROWID;" if is_key else ") STRICT;")

    return re.sub(r"^CREATE TABLE .*?\n\);", end, sql, flags=re.DOTALL | re.MULTILINE)


def make(path, last):
    """Creates a database with the migrations up to a number."""
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        begin(database)
        for file in MIGRATIONS[:last]:
            database.executescript(in_sqlite(file.read_text()))
            record(database, int(file.name[:4]), file.stem[5:], file.read_bytes())


def begin(database):
    database.execute("PRAGMA journal_mode = WAL")
    database.executescript(in_sqlite(
        "CREATE TABLE migrations (\n number BIGINT PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL,"
        " applied_at BIGINT NOT NULL\n);"))


def record(database, number, name, content):
    database.execute("INSERT INTO migrations VALUES (?, ?, ?, 1)", (number, name, hashlib.sha256(content).hexdigest()))


def fill(path, newer):
    """Copies the rows of a newer database, in the columns that both have."""
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        database.execute("ATTACH ? AS newer", (str(newer),))
        for table in tables(database) - {"migrations"}:
            newest = columns(database, table, "newer")
            shared = ", ".join(name for name in columns(database, table) if name in newest)
            if shared:
                database.execute(f"DELETE FROM {table}")
                database.execute(f"INSERT INTO {table} ({shared}) SELECT {shared} FROM newer.{table}")
        if "audit_entries" not in tables(database):
            database.execute("DELETE FROM installation WHERE name = 'audit_head'")


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


def schema(path):
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
        return database.execute("SELECT type, name, sql FROM sqlite_schema WHERE name <> 'migrations' ORDER BY type, name").fetchall()


@pytest.fixture(scope="module")
def newest(tmp_path_factory):
    """A database of the current version with content, and its server."""
    folder = tmp_path_factory.mktemp("newest")
    with running(Server(folder)) as server:
        app = server.create_app("Orchard", "--default-url", "https://orchard.example.com/", "--ios-uri-scheme", "orchard")
        phone = iphone()
        url = app.create_link(data={"fruit": "pear"}, alias="pears")
        app.click(url, phone)
        app.install(phone, identity="ann")
        server.post("/v1/event", {"branch_key": app.branch_key, "event": "pruned", "identity": "ann", "metadata": {"tree": 7}})
        server.stop()
        yield server.path, app, phone


@pytest.mark.parametrize("last", RELEASES)
def test_a_releases_database_keeps_all_its_contents(newest, last, tmp_path):
    path, app, phone = newest
    old = Server(tmp_path)
    make(old.path, last)
    fill(old.path, path)
    before = contents(old.path)
    with running(old):
        # Links and identities are the same as before.
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


def copy(path, to):
    with closing(sqlite3.connect(path)) as database, closing(sqlite3.connect(to)) as target:
        database.backup(target)


def make_later(path, version):
    """Applies a further migration to a database, as a later version of linden does, and uses it: optional columns, a table and an index."""
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        database.executescript("""
            ALTER TABLE links ADD COLUMN note TEXT;
            ALTER TABLE sessions ADD COLUMN rating INTEGER NOT NULL DEFAULT 3;
            CREATE TABLE notes (id INTEGER PRIMARY KEY, session_id INTEGER REFERENCES sessions (id) ON DELETE CASCADE) STRICT;
            CREATE INDEX notes_by_session ON notes (session_id);
            UPDATE links SET note = 'kept';
            UPDATE sessions SET rating = 5;
            INSERT INTO notes VALUES (7, NULL);
            INSERT INTO notes SELECT id, id FROM sessions;
        """)
        record(database, len(MIGRATIONS) + 1, "notes", b"a migration of that version")
        database.execute("INSERT OR REPLACE INTO installation VALUES ('schema_version', ?)", (version,))


MINOR = linden("--version").out.split(" ")[0].rsplit(".", 1)[0]


def test_a_later_patch_versions_database_is_served_and_keeps_what_that_added(newest, tmp_path):
    path, app, phone = newest
    later = Server(tmp_path)
    copy(path, later.path)
    make_later(later.path, MINOR)
    made, applied = schema(later.path), contents(later.path)["migrations"]
    with running(later):
        assert "orchard://" in later.get("/pears", iphone().headers).text
        created = later.post("/v1/url", {"branch_key": app.branch_key, "alias": "plums"})
        assert created.status == 200
        other = {"branch_key": app.branch_key, "identity": "bob"} | iphone().device
        assert later.post("/v1/install", other).json["identity"] == "bob"
        assert later.command("backup", f"{tmp_path}/backups").status == 0
        # Rows go, also those that a table of the later version names.
        assert later.query("SELECT COUNT(*) FROM notes") == [(2,)]
        erased = later.command("identities", "erase", "ann", "--app", app.branch_key, "--yes")
        assert erased.status == 0, erased.err
        later.stop()
    assert later.query("SELECT path, note FROM links ORDER BY path") == [("pears", "kept"), ("plums", None)]
    assert later.query("SELECT rating FROM sessions") == [(3,)] and later.query("SELECT id FROM notes") == [(7,)]
    # The later version finds its own schema again.
    assert (schema(later.path), contents(later.path)["migrations"]) == (made, applied)
    assert later.query("SELECT value FROM installation WHERE name = 'schema_version'") == [(MINOR,)]
    assert later.command("verify").status == 0
    backup = next((tmp_path / "backups").glob("*.db"))
    assert linden("restore", str(backup), "--database", f"sqlite:{tmp_path}/restored.db").status == 0
    # A copy would lose what it does not know.
    copied = linden("copy", "--from", later.database, "--to", f"sqlite:{tmp_path}/copied.db")
    assert copied.status == 1 and "has other columns" in copied.complaint


@pytest.mark.parametrize("version, is_upgraded", [(MINOR, True), ("0.0", False)])
def test_a_command_changes_the_schema_under_a_server_only_within_a_minor_version(version, is_upgraded, tmp_path):
    """The server is one of this version whose database is set back, to that of a server which has all migrations but the last."""
    last = MIGRATIONS[-1].read_text()
    with running(Server(tmp_path)) as server:
        newest = schema(server.path)
        with closing(sqlite3.connect(server.path, isolation_level=None)) as database:
            for table in re.findall(r"^CREATE TABLE (\w+)", last, re.MULTILINE):
                database.execute(f"DROP TABLE {table}")
            database.execute("DELETE FROM migrations WHERE number = ?", (len(MIGRATIONS),))
            database.execute("UPDATE installation SET value = ? WHERE name = 'schema_version'", (version,))
        former = schema(server.path)
        assert former != newest

        done = server.command("apps", "list")

        if is_upgraded:
            assert done.status == 0 and schema(server.path) == newest
        else:
            assert done.status == 1 and "Restart the server with this version" in done.complaint
            assert schema(server.path) == former
        assert server.answers("/readyz")
        server.stop()
        server.start()
        assert schema(server.path) == newest and server.command("apps", "list").status == 0


def test_a_later_minor_versions_database_is_refused_and_kept(newest, tmp_path):
    path, *_ = newest
    later = tmp_path / "linden.db"
    copy(path, later)
    make_later(later, "99.0")
    before = contents(later)

    for arguments in (["apps", "list"], ["migrate"], ["serve", "--port", "0"]):
        done = linden(*arguments, "--database", f"sqlite:{later}")
        assert done.status == 1 and "of linden 99.0" in done.complaint and "restore the backup" in done.complaint
    assert contents(later) == before


def test_the_way_back_across_minor_versions_keeps_the_backup_and_starts_nothing_before_the_former_package(newest, tmp_path):
    """The blocks of the page, with what changes the machine only noted. An apt that installs finds a database that its version serves."""
    path, *_ = newest
    page = (Path(__file__).parents[2] / "Documentation/upgrading.md").read_text()
    upgrade, _, within, across = (block for block in re.findall(r"```console\n(.*?)```", page, re.DOTALL) if "apt install" in block)
    copy(path, tmp_path / "linden.db")
    (tmp_path / "linden.yaml").write_text(f"storage:\n  database: sqlite:{tmp_path}/linden.db\n")
    stubs = f'''
        set -eu
        export LINDEN_CONFIG={tmp_path}/linden.yaml
        linden() {{ "{BINARY}" "$@"; }}
        runuser() {{ shift 3; "$@"; }}
        systemctl() {{ echo "systemctl $*" >>{tmp_path}/notes; }}
        apt() {{ echo "apt $*" >>{tmp_path}/notes; }}\n'''

    def follow(block):
        done = subprocess.run(["bash", "-c", stubs + block.replace("/var/lib/linden", str(tmp_path))], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr

    follow(upgrade)
    (backup,) = (tmp_path / "before-upgrade").iterdir()
    follow(within)
    assert backup.exists()
    make_later(tmp_path / "linden.db", "99.0")
    (tmp_path / "notes").unlink()
    follow(across.replace("linden status", "true"))

    assert linden("migrate", "--database", f"sqlite:{tmp_path}/linden.db").status == 0
    stop, install = [line.split()[:2] for line in (tmp_path / "notes").read_text().splitlines() if "is-active" not in line]
    assert (stop, install) == (["systemctl", "stop"], ["apt", "install"])


@pytest.mark.parametrize("applied", [0, 1, 5, len(MIGRATIONS) - 1])
def test_migrations_that_were_interrupted_are_completed(applied, tmp_path):
    make(tmp_path / "interrupted.db", applied)

    for name in ("interrupted", "new"):
        done = linden("migrate", "--database", f"sqlite:{tmp_path}/{name}.db")
        assert done.status == 0, done.err

    assert schema(tmp_path / "interrupted.db") == schema(tmp_path / "new.db")


@pytest.mark.parametrize("arguments", [["apps", "list"], ["migrate"], ["serve", "--port", "0"]], ids=" ".join)
def test_a_database_made_before_the_first_release_is_refused_and_kept(tmp_path, arguments):
    path = tmp_path / "linden.db"
    path.touch(0o600)
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        begin(database)
        database.execute("CREATE TABLE apps (id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT")
        database.execute("INSERT INTO apps VALUES (7, 'Orchard')")
        for number, name in [(1, "installation"), (2, "apps"), (35, "split_users"), (68, "sites")]:
            record(database, number, name, b"a migration of that time")
    before = contents(path)

    done = linden(*arguments, "--database", f"sqlite:{path}")

    assert (done.status, done.out) == (1, "")
    assert "before the first release" in done.complaint and "--database" in done.complaint
    assert contents(path) == before
    assert linden("migrate", "--database", f"sqlite:{tmp_path}/new.db").status == 0
