"""Destructive commands require confirmation: at a terminal, or by --yes."""

import sqlite3
from contextlib import closing

import pytest

from support.command import linden
from support.terminal import linden_at_terminal
from support.visitors import android, iphone
from support.wire import PATIENCE

# What the server writes in its own time.
COUNTERS = {"nodes", "aggregation_cursors", "device_profiles", "device_shares", "link_days", "robot_hours", "object_days", "rollups", "rollup_values", "rollup_shares", "rollup_changes", "uncounted_changes", "rollup_devices"}


def contents(server):
    # One connection: each new one reads the schema.
    with closing(sqlite3.connect(f"file:{server.path}?mode=ro", uri=True, timeout=PATIENCE)) as database:
        tables = {name for (name,) in database.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")} - COUNTERS
        return {table: sorted(map(repr, database.execute(f"SELECT * FROM {table}"))) for table in sorted(tables)}


@pytest.fixture(scope="module")
def things(server, tmp_path_factory):
    """One of each kind of object that can be deleted."""
    folder = tmp_path_factory.mktemp("files")
    app = server.create_app("Orchard", "--domain", "go.orchard.example", "--default-url", "https://orchard.example.com/")
    key = ["--app", app.branch_key]
    phone = iphone()
    app.click(app.create_link(domain="go.orchard.example"), phone)
    app.install(phone, identity="ann")
    server.ask("apps", "update", app.branch_key, "--set", "fraud.emulators=true")
    server.ask("rewards", "add", *key, "--event", "install", "--reward", "actor", "--amount", "5")
    app.install(android(), model="sdk_gphone64_x86_64", android_app_link_url=app.create_link(domain="go.orchard.example"))
    server.ask("routes", "add", *key, "--syntax", "waapp", "--target", "Detail", "--id", "detail", "list/:id")
    (folder / "rates.csv").write_text("2027-01-31,EUR,0.92\n")
    (folder / "ann.csv").write_text("kept")
    (folder / "clicks.csv").write_text("kept")
    (folder / "half.csv.partial").write_text("half")
    (folder / "rules.yaml").write_text("threshold: 1000\n")
    return {
        "folder": folder,
        "link": app.create_link(domain="go.orchard.example"),
        "app": app.branch_key,
        "rule": server.ask("rewards", "list", *key)[0]["id"],
        "held": server.ask("rewards", "held", *key)[0]["id"],
        "token": server.ask("tokens", "create", "dashboard", "--role", "analyst")["token_id"],
    }


REMOVALS = [
    ["apps", "delete", "{app}"],
    ["apps", "rotate-secret", "{app}", "--overlap", "0"],
    ["apps", "rotate-key", "{app}", "--overlap", "0"],
    ["apps", "end-secret", "{app}"],
    ["apps", "revoke-urls", "{app}"],
    ["links", "delete", "{link}"],
    ["links", "delete", "{link}", "--free-alias"],
    ["domains", "remove", "go.orchard.example", "--app", "{app}"],
    ["tokens", "revoke", "{token}"],
    ["routes", "remove", "detail", "--app", "{app}"],
    ["rewards", "remove", "{rule}", "--app", "{app}"],
    ["rewards", "refuse", "{held}", "--app", "{app}"],
    ["identities", "erase", "ann", "--app", "{app}"],
    ["rates", "import", "{folder}/rates.csv", "--replace"],
    ["replay", "--from", "2025-02-01", "--to", "2090-01-01", "--rules", "{folder}/rules.yaml", "--apply"],
    ["export", "--app", "{app}", "--topic", "eo_click", "--output", "{folder}/clicks.csv"],
    ["export", "--app", "{app}", "--topic", "eo_click", "--output", "{folder}/half.csv"],
    ["identities", "export", "ann", "--app", "{app}", "--output", "{folder}/ann.csv"],
]


def named(removal):
    return " ".join(word for word in removal if not word.startswith(("{", "2")))


@pytest.fixture
def arguments(server, things, request):
    return [word.format(**things) for word in request.param] + ["--database", server.database]


@pytest.fixture(autouse=True)
def nothing_changes(server, things):
    before = contents(server)
    yield
    assert contents(server) == before
    assert {path.name: path.read_text() for path in things["folder"].glob("*.csv") if path.name != "rates.csv"} == {
        "ann.csv": "kept", "clicks.csv": "kept"}
    assert (things["folder"] / "half.csv.partial").read_text() == "half"


@pytest.mark.parametrize("arguments", REMOVALS, ids=named, indirect=True)
def test_without_a_terminal_a_removal_needs_yes(arguments):
    done = linden(*arguments)

    assert (done.status, done.out) == (64, "")
    assert "--yes" in done.err and "?" in done.err
    assert f"Usage: linden {arguments[0]}" in done.err


@pytest.mark.parametrize("arguments", REMOVALS, ids=named, indirect=True)
def test_an_answer_that_is_piped_in_is_none(tmp_path, arguments):
    (tmp_path / "answer").write_text("n\n")

    with (tmp_path / "answer").open() as answer:
        done = linden(*arguments, stdin=answer)

    assert (done.status, done.out) == (64, "")


@pytest.mark.parametrize("answer", ["n\n", "\n", "\x04"])
@pytest.mark.parametrize("arguments", REMOVALS, ids=named, indirect=True)
def test_at_a_terminal_a_removal_asks_and_takes_no_for_an_answer(arguments, answer):
    seen = linden_at_terminal(*arguments, typed=answer)

    assert (seen.status, seen.out) == (1, "")
    assert "? [y/N]" in seen.screen and "Nothing was changed." in seen.screen


def test_what_would_change_nothing_is_not_asked_about(server, things):
    assert server.command("prune", "--sessions-days", "7").status == 0
    assert server.command("replay", "--from", "2025-02-01", "--to", "2090-01-01").status == 0


@pytest.mark.parametrize("removal", [
    ["links", "delete", "unknown"], ["tokens", "revoke", "unknown"], ["routes", "remove", "unknown", "--app", "{app}"],
    ["rewards", "remove", "7", "--app", "{app}"], ["rewards", "refuse", "7", "--app", "{app}"],
    ["domains", "remove", "unknown.example", "--app", "{app}"], ["identities", "erase", "unknown", "--app", "{app}"],
], ids=named)
def test_what_is_not_there_is_not_asked_about(server, things, removal):
    done = server.command(*[word.format(**things) for word in removal])

    assert done.status == 1
    assert "--yes" not in done.err


@pytest.mark.parametrize("answer", ["y\n", "yes\n", "Y\n"])
def test_at_a_terminal_yes_removes(server, things, answer):
    (entries,) = server.query("SELECT COALESCE(MAX(position), 0) FROM audit_entries")[0]
    token = server.ask("tokens", "create", "short-lived", "--role", "analyst")["token_id"]

    seen = linden_at_terminal("tokens", "revoke", token, "--database", server.database, "--format", "json", typed=answer)

    assert seen.status == 0, seen.screen
    assert "Revoke the token short-lived (analyst) permanently?" in seen.screen
    assert '"revoked":true' in seen.out
    with_database(server, f"DELETE FROM access_tokens WHERE id = {token}")
    with_database(server, f"DELETE FROM audit_entries WHERE position > {entries}")
    with_database(server, "UPDATE installation SET value = (SELECT position || ' ' || LOWER(HEX(hash)) FROM audit_entries "
                  f"WHERE position = {entries}) WHERE name = 'audit_head'")


def test_a_file_is_replaced_once_that_is_confirmed(server, things, tmp_path):
    file = tmp_path / "clicks.csv"
    command = ["export", "--app", things["app"], "--topic", "eo_click", "--fields", "id", "--output", str(file)]
    server.ask(*command)
    first = file.read_text()

    refused = server.command(*command)
    assert refused.status == 64 and str(file) in refused.err and f"{file}.manifest.json" in refused.err
    assert server.ask(*command, "--yes")["rows"] == len(first.splitlines()) - 1

    folder = server.command(*command[:-1], str(tmp_path), "--yes")
    assert folder.status == 1 and f"{tmp_path} is not a regular file" in folder.complaint


@pytest.mark.parametrize("answer", ["n\n", None])
def test_pruning_says_how_much_it_is_about_to_remove(own_server, answer):
    app = own_server.create_app()
    app.install(iphone())
    app.install(iphone())
    own_server.stop()
    with_database(own_server, f"UPDATE sessions SET id = id - {10 * 86_400_000 << 22} WHERE id = (SELECT MIN(id) FROM sessions)")
    prune = ["prune", "--sessions-days", "7", "--clicks-days", "91", "--database", own_server.database]

    if answer is None:
        done = linden(*prune)
        assert done.status == 64 and "Remove 1 sessions for good?" in done.err
    else:
        seen = linden_at_terminal(*prune, typed=answer)
        assert seen.status == 1 and "Remove 1 sessions for good? [y/N]" in seen.screen

    assert own_server.rows()["sessions"] == 2
    assert own_server.ask(*prune[:-2], "--yes")["sessions"] == 1
    assert own_server.rows()["sessions"] == 1


def with_database(server, sql):
    import sqlite3
    with sqlite3.connect(server.path, timeout=30) as database:
        database.execute(sql)
    database.close()
