"""Exports of `linden export` and Branch's export calls, read back by Python's own readers."""

import csv
import datetime
import gzip
import hashlib
import io
import json
import os
import pty
import sqlite3
import stat
import subprocess
import threading
import time
from contextlib import closing
from urllib.parse import urlsplit

import pytest

from support.app import click_id
from support.command import BINARY, environment, linden
from support.server import Server, running
from support.terminal import linden_at_terminal
from support.visitors import android, iphone
from support.waiting import eventually

FORMULA = "=HYPERLINK(\"http://evil.example\", \"x\"),\nnext"


TODAY = datetime.datetime.now(datetime.timezone.utc).date()
YESTERDAY = str(TODAY - datetime.timedelta(days=1))
TOMORROW = str(TODAY + datetime.timedelta(days=1))


def export(app, topic, *options):
    done = app.server.command("export", "--app", app.branch_key, "--topic", topic, *options)
    assert done.status == 0, done.err
    return done


def rows(text):
    return list(csv.DictReader(io.StringIO(text, newline="")))


def manifest(done):
    return json.loads(done.err.splitlines()[-1])


def event(app, session, endpoint, name, **fields):
    answer = app.server.post(endpoint, {"branch_key": app.branch_key, "name": name} | session.tokens | fields)
    assert answer.status == 200, answer.text


@pytest.fixture
def story(app):
    """A link with special characters in its labels, two clicks, one install, one open and some events."""
    link = app.create_link(channel="mail", campaign=FORMULA, feature="sharing", tags=["a", "b\"c"], data={"$og_title": "Pears", "kind": 7})
    visitor = iphone()
    clicked = click_id(app.click(link, visitor))
    app.click(link, android(), "?channel=print")
    session = app.install(visitor, identity="ann")
    app.open(visitor, identity="ann", **session.tokens)
    event(app, session, "/v2/event/standard", "PURCHASE", event_data={
        "revenue": 12.50, "currency": "EUR", "transaction_id": "-7"}, custom_data={"plan": "gold"})
    event(app, session, "/v2/event/standard", "VIEW_ITEM")
    event(app, session, "/v2/event/custom", "@picked")
    return clicked, session


def test_a_click_is_exported_with_its_links_labels(app, story):
    first, second = rows(export(app, "eo_click").out)

    assert first["id"] == story[0]
    assert first["name"] == "CLICK"
    assert first["last_attributed_touch_data_tilde_channel"] == "mail"
    assert first["last_attributed_touch_data_tilde_campaign"] == "'" + FORMULA
    assert json.loads(first["last_attributed_touch_data_tilde_tags"]) == ["a", "b\"c"]
    assert json.loads(first["last_attributed_touch_data_custom_fields"])["kind"] == 7
    assert first["user_data_os"] == "IOS"
    assert first["user_data_ip"] == ""
    assert second["last_attributed_touch_data_tilde_channel"] == "print"
    assert list(first)[142:] == ["last_attributed_touch_data_plus_url"]


def test_an_install_is_exported_with_the_click_that_brought_it(app, story):
    install, = rows(export(app, "eo_install").out)

    shown = app.server.ask("sessions", "show", story[1].answer["session_id"])
    assert "session_" + install["id"] == shown["session_id"] != "session_" + story[1].answer["session_id"]
    assert install["user_data_developer_identity"] == "ann"
    assert install["deep_linked"] == install["first_event_for_user"] == "true"
    assert install["match_guaranteed"] == "false"
    assert install["last_attributed_touch_type"] == "CLICK"
    assert install["last_attributed_touch_data_plus_touch_id"] == story[0]
    assert install["last_attributed_touch_data_tilde_channel"] == "mail"
    assert len(rows(export(app, "eo_open").out)) == 1
    assert rows(export(app, "eo_reinstall").out) == []


def test_events_are_exported_under_their_topics(app, story):
    purchase, = rows(export(app, "eo_commerce_event").out)

    assert purchase["name"] == "PURCHASE"
    assert float(purchase["event_data_revenue"]) == 12.5
    assert purchase["event_data_transaction_id"] == "'-7"
    assert json.loads(purchase["custom_data"]) == {"plan": "gold"}
    assert purchase["last_attributed_touch_data_tilde_channel"] == "mail"
    assert [row["name"] for row in rows(export(app, "eo_content_event").out)] == ["VIEW_ITEM"]
    assert [row["name"] for row in rows(export(app, "eo_custom_event").out)] == ["'@picked"]


@pytest.mark.parametrize("topic", ["eo_click", "eo_install", "eo_commerce_event"])
def test_both_forms_say_the_same_row_for_row(app, story, topic):
    table = rows(export(app, topic).out)
    lines = [json.loads(line) for line in export(app, topic, "--as", "ndjson").out.splitlines()]

    assert len(table) == len(lines) > 0
    for row, line in zip(table, lines):
        assert list(row) == list(line)
        for name, value in line.items():
            assert cell(value) == row[name].removeprefix("'") if isinstance(value, str) else cell(value) == row[name], name


def cell(value):
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (list, dict)):
        return json.dumps(value, separators=(",", ":"), ensure_ascii=False)
    return str(value)


def test_no_link_is_forgotten_where_there_are_many(tmp_path):
    database, epoch = f"sqlite:{tmp_path}/linden.db", 1_735_689_600_000
    key = json.loads(linden("apps", "create", "Orchard", "--format", "json", "--database", database).out)["branch_key"]
    links, clicks = 12_000, 16_000
    with closing(sqlite3.connect(tmp_path / "linden.db")) as connection:
        app, mode = connection.execute("SELECT app_id, mode FROM app_keys WHERE branch_key = ?", (key,)).fetchone()
        now = int(time.time() * 1000) - epoch
        connection.executemany(
            "INSERT INTO links (id, app_id, mode, host, path, has_alias, type, channel, data, creation_source, created_at, updated_at) "
            "VALUES (?, ?, ?, '', ?, 0, 0, ?, '{}', 0, 0, 0)",
            ((number + 1, app, mode, f"slug{number}", f"channel-{number}") for number in range(links)))
        connection.executemany(
            "INSERT INTO clicks (id, link_id, app_id, mode, platform, address) VALUES (?, ?, ?, ?, 'ios', '')",
            ((now - clicks + number << 22, number % links + 1, app, mode) for number in range(clicks)))
        connection.commit()

    fields = "last_attributed_touch_data_tilde_id,last_attributed_touch_data_tilde_channel"
    done = linden("export", "--app", key, "--topic", "eo_click", "--fields", fields, "--database", database)

    assert done.out.split()[1:] == [f"{number % links + 1},channel-{number % links}" for number in range(clicks)]


def test_a_topic_without_rows_is_its_header(app):
    done = export(app, "eo_impression")

    assert done.out.startswith("id,name,timestamp,")
    assert manifest(done)["rows"] == 0


def test_chosen_fields_come_in_their_order(app, story):
    assert export(app, "eo_click", "--fields", "name,user_data_os").out.split() == ["name,user_data_os", "CLICK,IOS", "CLICK,ANDROID"]


def test_a_file_has_a_manifest_beside_it_and_nothing_else(app, story, tmp_path):
    file = tmp_path / "clicks.csv.gz"
    export(app, "eo_click", "--gzip", "--output", str(file))

    assert sorted(path.name for path in tmp_path.glob("clicks*")) == ["clicks.csv.gz", "clicks.csv.gz.manifest.json"]
    reported = json.loads((tmp_path / "clicks.csv.gz.manifest.json").read_text())
    assert reported["rows"] == len(rows(gzip.decompress(file.read_bytes()).decode())) == 2
    assert reported["sha256"] == hashlib.sha256(file.read_bytes()).hexdigest()
    assert {"from", "to", "checkpoint"} <= reported.keys()


def test_a_file_and_its_manifest_are_its_owners_alone(app, story, tmp_path):
    export(app, "eo_click", "--output", str(tmp_path / "clicks.csv"))

    assert [stat.S_IMODE(path.stat().st_mode) for path in tmp_path.glob("clicks*")] == [0o600] * 2


def test_a_file_without_its_manifest_does_not_get_its_name(app, story, tmp_path):
    (tmp_path / "clicks.csv.manifest.json").mkdir()
    done = app.server.command("export", "--app", app.branch_key, "--topic", "eo_click", "--output", str(tmp_path / "clicks.csv"))

    assert done.status == 1 and "manifest" in done.complaint
    assert not (tmp_path / "clicks.csv").exists()


def test_a_gzipped_export_since_a_checkpoint_goes_on_after_it_was_killed(tmp_path):
    database, file, count = f"sqlite:{tmp_path}/linden.db", tmp_path / "clicks.csv.gz", 220_000
    app = json.loads(linden("apps", "create", "Orchard", "--format", "json", "--database", database).out)
    with closing(sqlite3.connect(tmp_path / "linden.db")) as connection:
        mode, = connection.execute("SELECT mode FROM app_keys WHERE branch_key = ?", (app["branch_key"],)).fetchone()
        first = int(time.time() * 1000) - 1_735_689_600_000 - count
        connection.executemany(
            "INSERT INTO clicks (id, link_id, app_id, mode, platform, address) VALUES (?, 0, ?, ?, 'ios', '')",
            ((first + number << 22, int(app["app_id"]), mode) for number in range(count)))
        connection.commit()
    command = ["export", "--app", app["branch_key"], "--topic", "eo_click", "--fields", "timestamp", "--gzip",
               "--since", str(first + 999 << 22), "--output", str(file), "--database", database]
    going = subprocess.Popen([BINARY, *command], env=environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while not (tmp_path / "clicks.csv.gz.partial.json").exists() and going.poll() is None:
        time.sleep(0.005)
    assert going.poll() is None, "the export was over before it could be killed"
    going.kill()
    going.wait()

    assert {stat.S_IMODE(path.stat().st_mode) for path in tmp_path.glob("clicks*")} == {0o600}
    half = (tmp_path / "clicks.csv.gz.partial").read_bytes()
    refused = linden(*command)
    assert refused.status == 64 and "clicks.csv.gz.partial" in refused.err and "--resume" in refused.err and "--yes" in refused.err
    assert (tmp_path / "clicks.csv.gz.partial").read_bytes() == half

    done = linden(*command, "--resume", "--format", "json")

    assert done.status == 0, done.err
    assert done.json["rows"] == count - 1000
    assert done.json["sha256"] == hashlib.sha256(file.read_bytes()).hexdigest()
    times = gzip.decompress(file.read_bytes()).decode().split()
    assert times == ["timestamp"] + [str(first + number + 1_735_689_600_000) for number in range(1000, count)]


def test_a_partial_file_is_discarded_only_once_that_is_confirmed(app, story, tmp_path):
    (tmp_path / "clicks.csv.partial").write_text("half")
    command = ["export", "--app", app.branch_key, "--topic", "eo_click", "--output", str(tmp_path / "clicks.csv")]
    refused = linden_at_terminal(*command, "--database", app.server.database, typed="n\n")
    assert refused.status == 1 and "--resume" in refused.screen, refused.screen
    assert (tmp_path / "clicks.csv.partial").read_text() == "half" and not (tmp_path / "clicks.csv").exists()

    done = app.server.command(*command, "--yes")
    assert done.status == 0, done.err
    assert not (tmp_path / "clicks.csv.partial").exists() and (tmp_path / "clicks.csv").exists()


def test_a_file_of_another_command_leaves_a_partial_file_alone(app, tmp_path):
    app.install(iphone(), identity="ann")
    (tmp_path / "ann.csv.partial").write_text("half")
    app.server.ask("identities", "export", "ann", "--app", app.branch_key, "--output", str(tmp_path / "ann.csv"))
    assert (tmp_path / "ann.csv.partial").read_text() == "half" and (tmp_path / "ann.csv").exists()


def test_progress_is_shown_on_a_terminal_alone(app, story, tmp_path):
    command = ["export", "--app", app.branch_key, "--topic", "eo_click", "--output", str(tmp_path / "clicks.csv")]
    terminal, end = pty.openpty()
    subprocess.run([BINARY, *command, "--database", app.server.database], env=environment(), stderr=end, stdout=subprocess.PIPE, check=True)
    os.close(end)
    assert b"100 %, 2 rows" in os.read(terminal, 65536)
    os.close(terminal)
    assert app.server.command(*command, "--yes").err == ""


def test_days_are_whole_and_times_are_exact(app, story):
    first, second = rows(export(app, "eo_click", "--times", "iso8601").out)
    day = first["timestamp_iso"][:10]

    assert len(rows(export(app, "eo_click", "--from", day).out)) == 2
    assert len(rows(export(app, "eo_click", "--to", "2026-01-01").out)) == 0
    late = export(app, "eo_click", "--to", "2999-01-01")
    assert len(rows(late.out)) == 2
    assert manifest(late)["checkpoint"] >= manifest(export(app, "eo_click", "--to", second["timestamp_iso"]))["checkpoint"] > "0"
    assert len(rows(export(app, "eo_click", "--from", first["timestamp_iso"], "--to", second["timestamp_iso"]).out)) == 1


def test_exports_that_follow_one_another_beside_writes_have_every_row_once(app):
    link = app.create_link(channel="mail")
    stop = threading.Event()
    failures = []

    def click():
        while not stop.is_set():
            if app.click(link, iphone()).status != 200:
                failures.append("a click was refused")

    writers = [threading.Thread(target=click) for _ in range(3)]
    for writer in writers:
        writer.start()
    parts, sizes, checkpoint = [], [], None
    for number in range(5):
        done = export(app, "eo_click", "--fields", "id", *(["--since", checkpoint] if checkpoint else []))
        parts += done.out.split()[1:]
        sizes.append(len(done.out.split()) - 1)
        checkpoint = manifest(done)["checkpoint"]
        if number == 3:
            stop.set()
            for writer in writers:
                writer.join()

    assert not failures
    assert parts == export(app, "eo_click", "--fields", "id").out.split()[1:]
    assert sum(size > 0 for size in sizes) > 1


def test_today_is_exported_at_the_first_url_of_each_topic(app, story):
    day = rows(export(app, "eo_click").out)[0]["timestamp_iso"][:10]
    answer = app.server.post("/v3/export", app.secret | {"export_date": day})

    assert answer.status == 200
    assert len(answer.json) == 14
    counts = {}
    for topic, urls in answer.json.items():
        assert f"-{topic}-v2-" in urls[0]
        table = gzip.decompress(download(app, urls[0])).decode()
        assert len(table.splitlines()[0].split(",")) == 142
        counts[topic] = len(rows(table))
    assert counts["eo_click"] == 2 and counts["eo_install"] == counts["eo_commerce_event"] == 1
    assert counts["eo_impression"] == 0


def test_the_former_export_has_links_clicks_and_sessions_among_the_events(app, story):
    day = rows(export(app, "eo_click").out)[0]["timestamp_iso"][:10]
    answer = app.server.get(f"/v2/export/{app.branch_key}?branch_secret={app.branch_secret}&export_date={day}")

    assert answer.status == 200, answer.text
    files = {name.removesuffix("_export_url"): rows(gzip.decompress(download(app, url)).decode()) for name, (url,) in answer.json.items()}
    link, = files["links"]
    first, second = files["clicks"]
    assert link["campaign"] == first["link_campaign"] == "'" + FORMULA
    assert json.loads(link["data"])["$og_title"] == "Pears"
    assert link["link_id"] == first["link_id"] == second["link_id"]
    assert first["branch_link_click_id"] == story[0]
    assert second["query_params"] == "channel=print"
    assert [event["name"] for event in files["events"]] == ["install", "open", "PURCHASE", "VIEW_ITEM", "'@picked"]
    assert [event["developer_identity"] for event in files["events"]] == ["ann"] * 5
    assert {event["session_referring_click_id"] for event in files["events"][2:]} == {story[0]}
    assert app.server.get(f"/v2/export/{app.branch_key}?export_date={day}").status == 400


def download(app, url):
    parts = urlsplit(url)
    answer = app.server.get(f"{parts.path}?{parts.query}")
    assert answer.status == 200, answer.text
    return answer.body


def test_an_ordered_export_is_fetched_when_it_is_complete(app, story):
    token = app.server.ask("tokens", "create", "reader", "--role", "analyst")["token"]
    order = {
        "report_type": "eo_click", "start_date": YESTERDAY + "T00:00:00Z", "end_date": TOMORROW, "limit": 10,
        "fields": ["id", "user_data_os"], "filter": ["and", ["eq", "user_data_os", "IOS"], ["gt", "timestamp", 7]],
        "response_format": "json"}
    answer = app.server.post(f"/v2/logs?app_id={app.app_id}", order, {"Access-Token": token})

    assert answer.status == 200, answer.text
    status = urlsplit(answer.json["export_job_status_url"])


    def state():
        return app.server.get(f"{status.path}?{status.query}", {"Access-Token": token}).json

    eventually(lambda: state()["status"] == "complete", within=10)
    done = state()
    assert done["lines_exported"] == 1
    assert json.loads(download(app, done["response_url"])) == {"id": story[0], "user_data_os": "IOS"}


@pytest.mark.parametrize("options, allowed", [
    (["--topic", "eo_clicks"], "eo_click, eo_commerce_event"),
    (["--topic", "eo_click", "--fields", "id,colour"], "user_data_os"),
    (["--topic", "eo_click", "--from", "2026-11-02", "--to", "2026-11-01"], "before"),
    (["--topic", "eo_click", "--from", "2026-02-30"], "2027-01-31"),
    (["--topic", "eo_click", "--since", "yesterday"], "manifest"),
    (["--topic", "eo_click", "--since", "9223372036854775807"], "in the future"),
    (["--topic", "eo_click", "--to", "2027-01-31 00:00:00 junk"], "2027-01-31"),
])
def test_what_cannot_be_exported_is_refused_and_nothing_is_left(app, tmp_path, options, allowed):
    done = app.server.command("export", "--app", app.branch_key, "--output", str(tmp_path / "file.csv"), *options)

    assert done.status == 1
    assert allowed in done.err
    assert list(tmp_path.glob("file*")) == []


@pytest.mark.parametrize("change, allowed", [
    ({"export_date": "2026-13-01"}, "2027-01-31"), ({"export_date": None}, "missing"), ({"export_date": "2199-01-01"}, "today"),
])
def test_a_day_that_cannot_be_exported_is_refused(app, change, allowed):
    answer = app.server.post("/v3/export", app.secret | change)

    assert answer.status == 400 and allowed in answer.json["error"]["message"]


@pytest.mark.parametrize("change, allowed", [
    ({"report_type": "eo_clicks"}, "eo_click"), ({"fields": ["colour"]}, "colour"), ({"fields": []}, "all"),
    ({"limit": 0}, "15000000"), ({"report_typ": "eo_open"}, "report_type"), ({"response_format_compression": "snappy"}, "gz"),
    ({"end_date": TOMORROW + "T12:00:00 PM"}, "2027-01-31"), ({"allow_multiple_files": "some"}, "true or false"),
    ({"timezone": "EST5EDT5"}, "Europe/Berlin"), ({"timezone": "Mars/Olympus"}, "Europe/Berlin"), ({"filter": ["like", "name", "x"]}, "gte"),
    ({"filter": "name"}, "array"), ({"filter": ["eq", "colour", "red"]}, "colour"), ({"end_date": str(TODAY - datetime.timedelta(days=2))}, "before"),
    ({"start_date": str(TODAY - datetime.timedelta(days=130)), "end_date": str(TODAY - datetime.timedelta(days=125))}, "120 days"), ({"response_format": "xml"}, "csv or json"),
])
def test_an_order_that_makes_no_sense_is_refused(app, change, allowed):
    token = app.server.ask("tokens", "create", "reader", "--role", "analyst")["token"]
    order = {"report_type": "eo_click", "start_date": YESTERDAY, "end_date": TOMORROW, "fields": ["all"]} | change
    answer = app.server.post(f"/v2/logs?app_id={app.app_id}", order, {"Access-Token": token})

    assert answer.status == 400 and allowed in answer.json["error"]["message"]


def test_an_ordered_export_of_all_fields_has_those_that_only_orders_have(app, story):
    token = app.server.ask("tokens", "create", "reader", "--role", "analyst")["token"]
    order = {"report_type": "eo_click", "start_date": YESTERDAY, "end_date": TOMORROW, "fields": ["all"], "allow_multiple_files": True}
    status = urlsplit(app.server.post(f"/v2/logs?app_id={app.app_id}", order, {"Access-Token": token}).json["export_job_status_url"])

    def state():
        return app.server.get(f"{status.path}?{status.query}", {"Access-Token": token}).json

    eventually(lambda: state()["status"] == "complete", within=10)
    first, second = rows(download(app, state()["response_url"]).decode())
    assert len(first) > 200
    assert first["app_name"] == second["app_name"] == "Orchard"
    assert first["attributed"] == "true"


def test_only_addresses_that_were_given_out_lead_to_files(app, story):
    day = rows(export(app, "eo_click").out)[0]["timestamp_iso"][:10]
    url = urlsplit(app.server.post("/v3/export", app.secret | {"export_date": day}).json["eo_click"][0])
    changed = url.path.replace("eo_click", "eo_install")

    assert app.server.get(f"{changed}?{url.query}").status == 403
    assert app.server.get(f"{url.path}?expires=4000000000000").status == 403
    assert app.server.get(url.path).status == 403
    assert app.server.get(f"/api/v1/exports/secrets.csv?{url.query}").status == 404
    assert app.server.post("/v3/export", {"branch_key": app.branch_key, "export_date": day}).status == 400


def test_addresses_are_exported_only_where_they_are_kept_as_they_are(tmp_path):
    raw = {"LINDEN_PRIVACY_ADDRESSES": "raw"}
    with running(Server(tmp_path, raw)) as server:
        app = server.create_app("Orchard", "--default-url", "https://orchard.example.com/")
        visitor = iphone()
        app.click(app.create_link(), visitor)
        command = ["export", "--app", app.branch_key, "--topic", "eo_click", "--fields", "user_data_ip"]
        shown, hidden = server.command(*command, settings=raw), server.command(*command)

    assert shown.out.split()[1:] == [visitor.address]
    assert [row["user_data_ip"] for row in rows(hidden.out)] == [""]
