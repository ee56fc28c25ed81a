"""Old rows are deleted and totals kept; and the visits of one link are listed from the log."""

import json
import sqlite3
import subprocess
import time
from contextlib import closing

import pytest

from support.command import BINARY, environment, linden
from support.visitors import android, iphone

DAY = 86_400_000
EPOCH = 1_735_689_600_000


def test_clicks_that_are_old_are_pruned_and_still_counted(own_server):
    app = own_server.create_app("Orchard", "--default-url", "https://orchard.example.com/")
    link = app.create_link()
    app.click(link, iphone())
    app.click(link, android())
    own_server.ask("links", "stats", link)
    own_server.stop()
    # The first click is made a hundred days older, as if the server had been there then.
    with closing(sqlite3.connect(own_server.path)) as database:
        first, = database.execute("SELECT MIN(id) FROM clicks").fetchone()
        database.execute("UPDATE clicks SET id = ? WHERE id = ?", (first - (100 * DAY << 22), first))
        database.commit()

    reported = own_server.ask("prune", "--clicks-days", "91", "--dry-run")
    assert (reported["dry_run"], reported["sessions"]) == (True, None)
    assert own_server.rows()["clicks"] == 2
    assert own_server.ask("prune", "--clicks-days", "91", "--yes")["clicks"] == 1
    assert own_server.rows()["clicks"] == 1
    assert own_server.ask("links", "stats", link)["clicks"] == 2


def test_a_server_prunes_by_itself_while_clicks_go_on(own_server):
    app = own_server.create_app("Orchard", "--default-url", "https://orchard.example.com/")
    link = app.create_link()
    app.click(link, iphone())
    own_server.stop()
    count = 30_000
    with closing(sqlite3.connect(own_server.path)) as database:
        # Rows of a hundred days ago.
        click, link_id, app_id, mode = database.execute("SELECT id, link_id, app_id, mode FROM clicks").fetchone()
        first = click - (100 * DAY << 22)
        database.executemany(
            "INSERT INTO clicks (id, link_id, app_id, mode, platform, address) VALUES (?, ?, ?, ?, 'ios', '')",
            ((first + (number << 22), link_id, app_id, mode) for number in range(count)))
        # Nothing is counted yet, so they may go only once they are.
        database.execute("DELETE FROM aggregation_cursors")
        database.execute("DELETE FROM link_days")
        database.commit()
    own_server.settings["LINDEN_RETENTION_CLICKS_DAYS"] = "91"
    own_server.start()

    clicks, slowest = 1, 0
    deadline = time.monotonic() + 60
    while own_server.rows()["clicks"] > clicks:
        assert time.monotonic() < deadline, own_server.rows()
        began = time.monotonic()
        assert app.click(link, iphone()).status == 302
        slowest = max(slowest, time.monotonic() - began)
        clicks += 1
        time.sleep(0.02)

    assert slowest < 2
    assert own_server.ask("links", "stats", link)["clicks"] == count + clicks


def test_sessions_and_events_go_and_every_figure_of_their_days_stays(tmp_path):
    database = f"sqlite:{tmp_path}/linden.db"

    def ask(*arguments):
        done = linden(*arguments, "--format", "json", "--database", database)
        assert done.status == 0, done.err
        return json.loads(done.out)

    made = ask("bench-data", "--days", "20", "--apps", "1", "--links", "20", "--clicks", "600", "--installs", "80", "--opens", "200", "--events", "900")
    app, span = made["apps"][0]["branch_key"], ["--from", made["from"], "--to", made["to"]]

    def figures():
        return [ask("query", "counts", "--app", app, *span, "--topic", topic, "--by", by, "--aggregation", aggregation)
                for topic in ("click", "install", "open", "commerce_event") for by in ("channel", "country", "link")
                for aggregation in ("total_count", "unique_count", "revenue")]

    def kept(table):
        with closing(sqlite3.connect(tmp_path / "linden.db")) as connection:
            return [(row >> 22) + EPOCH for row, in connection.execute(f"SELECT id FROM {table}")]

    before = figures()
    reported = ask("prune", "--events-days", "7", "--sessions-days", "10", "--yes")
    for table, days, count in (("events", 7, 900), ("sessions", 10, 280)):
        left = kept(table)
        assert 0 < len(left) == count - reported[table] < count
        assert min(left) >= time.time() * 1000 - days * DAY - 60_000
    assert reported["clicks"] is None and len(kept("clicks")) == 600
    assert figures() == before
    day = time.strftime("%Y-%m-%d", time.gmtime(time.time() - 15 * 86400))
    assert all(check["problems"] == [] for check in ask("verify", "--day", day)["checks"])


@pytest.mark.parametrize("options, allowed", [
    ([], "--clicks-days"), (["--clicks-days", "90"], "91"), (["--events-days", "1"], "7"),
])
def test_pruning_says_what_is_allowed(server, options, allowed):
    done = server.command("prune", *options)
    assert done.status in (1, 64) and allowed in done.err


def test_the_visits_of_a_link_are_listed_with_how_far_was_looked(app):
    link, other = app.create_link(), app.create_link()
    for number in range(3):
        app.click(link, iphone(), f"?n={number}")
        app.click(other, android())

    done = app.server.command("links", "clicks", link, "--format", "json")
    assert [row["query"] for row in json.loads(done.out)] == ["n=0", "n=1", "n=2"]
    assert "Looked through 6 visits" in done.err

    few = app.server.command("links", "clicks", link, "--limit", "2", "--format", "json")
    assert len(json.loads(few.out)) == 2 and "go on with --from" in few.err


def test_an_export_that_was_killed_goes_on_where_it_was(tmp_path):
    database, file = f"sqlite:{tmp_path}/linden.db", tmp_path / "clicks.csv"
    app = json.loads(linden("apps", "create", "Orchard", "--format", "json", "--database", database).out)
    # Progress is noted every 100,000 rows.
    count = 140_000
    with closing(sqlite3.connect(tmp_path / "linden.db")) as connection:
        now = int(time.time() * 1000) - EPOCH
        connection.executemany(
            "INSERT INTO clicks (id, link_id, app_id, mode, platform, address) VALUES (?, 0, ?, 0, 'ios', '')",
            ((now - count + number << 22, int(app["app_id"])) for number in range(count)))
        connection.commit()
        mode, = connection.execute("SELECT mode FROM app_keys WHERE branch_key = ?", (app["branch_key"],)).fetchone()
        connection.execute("UPDATE clicks SET mode = ?", (mode,))
        connection.commit()
    command = ["export", "--app", app["branch_key"], "--topic", "eo_click", "--fields", "id,timestamp", "--output", str(file),
               "--database", database]
    export = subprocess.Popen([BINARY, *command], env=environment({}), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    note = tmp_path / "clicks.csv.partial.json"
    while not note.exists() and export.poll() is None:
        time.sleep(0.005)
    assert export.poll() is None, "the export was over before it could be killed"
    export.kill()
    export.wait()
    assert not file.exists()

    done = linden(*command, "--resume", "--format", "json")

    assert done.status == 0, done.err
    assert done.json["rows"] == count
    lines = file.read_text().splitlines()
    assert len(lines) == len(set(lines)) == count + 1
    assert [path.name for path in sorted(tmp_path.glob("clicks*"))] == ["clicks.csv", "clicks.csv.manifest.json"]
