"""Exports as clients written for Branch read them."""

import csv
import datetime
import gzip
import io
import json
import os
import pty
import re
import sqlite3
import subprocess
import time
from contextlib import closing
from urllib.parse import urlencode, urlsplit

import pytest

from support.app import Session, click_id
from support.command import BINARY, environment, linden
from support.visitors import Visitor, desktop, iphone
from support.waiting import eventually

# As Go's `2006-01-02 15:04:05-0700` reads it.
BRANCH_TIME = "%Y-%m-%d %H:%M:%S%z"
INSTAGRAM = Visitor(
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/21F79 "
    "Instagram 350.0.0.1 (iPhone15,2; iOS 17_5; en_US; en-US; scale=3.00; 1179x2556; 1)")
TODAY = datetime.datetime.now(datetime.timezone.utc).date()
URL = "last_attributed_touch_data_plus_url"


def export(app, topic, *options):
    done = app.server.command("export", "--app", app.branch_key, "--topic", topic, *options)
    assert done.status == 0, done.err
    return list(csv.DictReader(io.StringIO(done.out, newline="")))


def form(app, path, visitor, **fields):
    """A call of the Web SDK: a form whose objects are JSON text."""
    fields = {name: value if isinstance(value, str) else json.dumps(value) for name, value in fields.items()}
    answer = app.server.send("POST", path, urlencode(fields | {"branch_key": app.branch_key}).encode(), visitor.headers | {
        "Content-Type": "application/x-www-form-urlencoded"})
    assert answer.status == 200, answer.text
    return answer


@pytest.fixture
def story(app):
    """Clicks, an install with a purchase, and a page visit with views of the page and of an item."""
    link = app.create_link(channel="mail", campaign="Pears")
    visitor = iphone()
    clicked = click_id(app.click(link, visitor, "?channel=print"))
    app.click(link, INSTAGRAM)
    app.click(link, desktop())
    session = app.install(visitor, identity="ann", language="en", country="US", link_identifier=clicked)
    app.server.post("/v2/event/standard", app_event(app, session, "PURCHASE"))
    browser = desktop()
    web = Session(form(app, "/v1/open", browser, sdk="web2.84.0", options="{}").json)
    number = web.answer["browser_fingerprint_id"]
    form(
        app, "/v1/pageview", browser, sdk="web2.84.0", event="pageview", browser_fingerprint_id=number, user_language="en-us",
        session_id=web.answer["session_id"], identity_id=web.answer["identity_id"],
        metadata={"url": "https://orchard.example.com/", "user_agent": browser.user_agent, "language": "en"})
    form(app, "/v2/event/standard", browser, name="VIEW_ITEM", user_data={
        "sdk": "web", "sdk_version": "2.84.0", "user_agent": browser.user_agent, "language": "EN", "browser_fingerprint_id": number})
    # Of a browser that was never here.
    form(app, "/v2/event/custom", INSTAGRAM, name="picked", user_data={
        "sdk": "web", "sdk_version": "2.84.0", "user_agent": INSTAGRAM.user_agent, "developer_identity": "bob"})
    return link, session


def app_event(app, session, name):
    return {"branch_key": app.branch_key, "name": name, "user_data": session.tokens | {
        "os": "iOS", "sdk": "ios", "sdk_version": "3.6.0", "language": "en-US"}}


def daily(app):
    """The files of today by topic, fetched like a client: from the first URL of each topic, decoded by media type."""
    answer = app.server.post("/v3/export/", app.secret | {"export_date": str(TODAY)})
    assert answer.status == 200, answer.text
    files = {}
    for topic, (url, *_) in answer.json.items():
        parts = urlsplit(url)
        file = app.server.get(f"{parts.path}?{parts.query}")
        assert file.headers["content-type"] == "application/octet-stream"
        assert "content-encoding" not in file.headers
        files[topic] = list(csv.DictReader(io.StringIO(gzip.decompress(file.body).decode(), newline="")))
    return files


def test_a_daily_file_is_read_by_a_client_of_branch(app, story):
    files = daily(app)

    assert {topic: len(rows) for topic, rows in files.items() if rows} == {
        "eo_click": 3, "eo_install": 1, "eo_commerce_event": 1, "eo_content_event": 1, "eo_custom_event": 1, "eo_pageview": 1,
        "eo_web_session_start": 1}
    for rows in files.values():
        for row in rows:
            assert len(row) == 142
            moment = datetime.datetime.strptime(row["timestamp_iso"], BRANCH_TIME)
            assert moment.timestamp() == int(row["timestamp"]) // 1000
            if row["last_attributed_touch_timestamp_iso"]:
                datetime.datetime.strptime(row["last_attributed_touch_timestamp_iso"], BRANCH_TIME)
            assert int(row["id"]) > 10 ** 17
            assert int(row["last_attributed_touch_data_tilde_id"] or 0) >= 0
            assert (row["origin"], row["hash_version"]) == ("BRANCH", "UNHASHED")
            assert json.loads(row["last_attributed_touch_data_tilde_tags"]) == []
            assert isinstance(json.loads(row["last_attributed_touch_data_custom_fields"]), dict)
            assert row["user_data_past_cross_platform_ids"] == row["user_data_prob_cross_platform_ids"] == "[]"
    assert files["eo_install"][0]["user_data_sdk_version"] == files["eo_commerce_event"][0]["user_data_sdk_version"] == "3.6.0"
    assert files["eo_install"][0]["user_data_language"] == files["eo_commerce_event"][0]["user_data_language"] == "EN"
    assert [row["user_data_browser"] for row in files["eo_click"]] == ["Safari", "Instagram", "Chrome"]
    assert [row["name"] for row in files["eo_pageview"] + files["eo_web_session_start"]] == ["PAGEVIEW", "WEB_SESSION_START"]


@pytest.mark.parametrize("topic", ["eo_web_session_start", "eo_pageview", "eo_content_event"])
def test_what_happens_on_a_page_tells_system_and_browser(app, story, topic):
    row, = daily(app)[topic]
    exported = {name: row["user_data_" + name] for name in ("os", "browser", "platform", "environment", "user_agent", "sdk_version")}

    assert exported == {
        "os": "WINDOWS", "browser": "Chrome", "platform": "DESKTOP_WEB", "environment": "FULL_WEB", "user_agent": desktop().user_agent,
        "sdk_version": "2.84.0"}
    # The same where little else is read.
    native, = export(app, topic, "--fields", "native")
    assert (native["user_data_os"], native["user_data_browser"]) == ("WINDOWS", "Chrome")


def test_a_web_event_of_an_unknown_browser_is_read_by_its_user_agent(app, story):
    row, = export(app, "eo_custom_event")

    assert [row["user_data_" + name] for name in ("os", "os_version", "model", "browser", "platform")] == [
        "IOS", "17.5", "iPhone15,2", "Instagram", "IOS_WEB"]
    native, = export(app, "eo_custom_event", "--fields", "native")
    assert (native["user_data_os"], native["user_data_browser"], native["user_data_platform"]) == ("IOS", "Instagram", "IOS_WEB")


def test_a_phones_browser_is_counted_as_a_phone(app):
    number = form(app, "/v1/open", iphone(), sdk="web2.84.0", options="{}").json["browser_fingerprint_id"]
    row, = export(app, "eo_web_session_start")

    assert [row["user_data_" + name] for name in ("os", "os_version", "platform")] == ["IOS", "17.5.1", "IOS_WEB"]

    def platforms():
        return sorted(value for (value,) in app.server.query(
            "SELECT value FROM rollups WHERE topic = 'web_session' AND dimension = 'platform' AND hours = 1 "
            f"AND app_id = {app.app_id}"))

    eventually(lambda: platforms() == ["ios"], within=10)
    # A later visit for which the phone asks as a computer changes nothing that was counted.
    form(app, "/v1/open", desktop(), sdk="web2.84.0", options="{}", browser_fingerprint_id=number)
    eventually(lambda: platforms() == ["desktop", "ios"], within=10)
    assert app.server.command("verify").status == 0


def test_an_export_of_the_command_line_has_the_cells_of_the_daily_files(app, story):
    files = daily(app)
    for topic in ["eo_click", "eo_install", "eo_commerce_event", "eo_pageview"]:
        assert [{name: row[name] for name in row if name != URL} for row in export(app, topic)] == files[topic]


def test_times_are_in_iso_8601_on_request(app, story):
    row = export(app, "eo_install", "--times", "iso8601")[0]

    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", row["timestamp_iso"])
    assert datetime.datetime.fromisoformat(row["timestamp_iso"].replace("Z", "+00:00")).timestamp() * 1000 == int(row["timestamp"])


def test_every_touch_leads_to_its_link(app, story):
    link, _ = story
    assert [row[URL] for row in export(app, "eo_click")] == [link] * 3
    for topic in ["eo_install", "eo_commerce_event"]:
        assert [row[URL] for row in export(app, topic)] == [link]
    assert [list(row.values()) for row in export(app, "eo_click", "--fields", f"name,{URL}")] == [["CLICK", link]] * 3


def test_no_reader_takes_ids_as_text_for_numbers(app, story):
    plain, text = (export(app, "eo_click", "--ids", form) for form in ("number", "text"))
    ids = ["id", "last_attributed_touch_data_tilde_id", "last_attributed_touch_data_plus_touch_id"]

    for row, other in zip(plain, text):
        for name in ids:
            assert other[name] == "id:" + row[name]
        assert {name: row[name] for name in row if name not in ids} == {name: other[name] for name in other if name not in ids}


def test_links_that_were_made_together_stay_apart_by_their_ids_as_text(app):
    links = [item["url"] for item in app.server.post(f"/v1/url/bulk/{app.branch_key}", [{"channel": "mail"}] * 20).json]
    plain, text = ([row["link_id"] for row in export(app, "links", "--ids", form)] for form in ("number", "text"))

    # What spreadsheets make of a number, and pandas of one in a column with empty cells.
    assert len({float(number) for number in plain}) < len(links) == len(set(plain))
    assert text == ["id:" + number for number in plain]


@pytest.mark.parametrize("option, allowed", [
    ("--times=unix", "branch or iso8601"), ("--ids=hex", "number or text"), ("--fields=native,id", "named twice"),
])
def test_a_form_that_there_is_not_is_refused(app, option, allowed):
    done = app.server.command("export", "--app", app.branch_key, "--topic", "eo_click", option)

    assert done.status != 0 and allowed in done.err


def order(app, token, **change):
    body = {
        "report_type": "eo_click", "start_date": str(TODAY - datetime.timedelta(days=1)), "end_date": str(TODAY + datetime.timedelta(days=1)),
        "fields": ["id", "timestamp", "timestamp_iso"], "app_id": app.app_id}
    answer = app.server.post(f"/v2/logs?app_id={app.app_id}", body | change, {"Access-Token": token})
    assert answer.status == 200, answer.text
    status = urlsplit(answer.json["export_job_status_url"])

    def state():
        return app.server.get(f"{status.path}?{status.query}", {"Access-Token": token}).json

    eventually(lambda: state()["status"] == "complete", within=10)
    url = urlsplit(state()["response_url"])
    return url.path, app.server.get(f"{url.path}?{url.query}")


@pytest.fixture
def token(server):
    return server.ask("tokens", "create", "reader", "--role", "analyst")["token"]


def test_an_ordered_export_has_its_times_in_the_zone_that_was_asked_for(app, story, token):
    _, file = order(app, token, timezone="Asia/Kathmandu", fields=["timestamp", "timestamp_iso", "last_attributed_touch_timestamp_iso"])

    rows = list(csv.DictReader(io.StringIO(file.text, newline="")))
    assert len(rows) == 3
    for row in rows:
        assert row["timestamp_iso"].endswith("+0545") and row["last_attributed_touch_timestamp_iso"].endswith("+0545")
        assert datetime.datetime.strptime(row["timestamp_iso"], BRANCH_TIME).timestamp() == int(row["timestamp"]) // 1000


@pytest.mark.parametrize("response_format, suffix", [("csv", ".csv.gz"), ("json", ".json.gz")])
def test_an_ordered_export_is_gzipped_where_that_is_asked_for(app, story, token, response_format, suffix):
    _, plain = order(app, token, response_format=response_format)
    path, file = order(app, token, response_format=response_format, response_format_compression="gz")

    assert path.endswith(suffix)
    assert file.headers["content-type"] == "application/octet-stream"
    assert file.headers["content-disposition"].endswith(suffix + '"')
    assert gzip.decompress(file.body) == plain.body and len(plain.body) > 0


def test_progress_without_a_beginning_is_that_of_the_rows(tmp_path):
    """The log has rows of two days only, ending a week ago: progress is that of the rows, not of the time before and since."""
    database, count = f"sqlite:{tmp_path}/linden.db", 20_000
    app = json.loads(linden("apps", "create", "Orchard", "--format", "json", "--database", database).out)
    first = int(time.time() * 1000) - 1_735_689_600_000 - 9 * 86_400_000
    with closing(sqlite3.connect(tmp_path / "linden.db")) as connection:
        mode, = connection.execute("SELECT mode FROM app_keys WHERE branch_key = ?", (app["branch_key"],)).fetchone()
        connection.executemany(
            "INSERT INTO clicks (id, link_id, app_id, mode, platform, address) VALUES (?, 0, ?, ?, 'ios', '')",
            ((first + number * 2 * 86_400_000 // count << 22, int(app["app_id"]), mode) for number in range(count)))
        connection.commit()
    terminal, end = pty.openpty()
    command = [BINARY, "export", "--app", app["branch_key"], "--topic", "eo_click", "--fields", "id", "--output", str(tmp_path / "clicks.csv")]
    subprocess.run([*command, "--database", database], env=environment(), stderr=end, stdout=subprocess.PIPE, check=True)
    os.close(end)
    shown = b""
    while part := read(terminal):
        shown += part
    os.close(terminal)

    steps = [(int(done), int(rows), day) for done, rows, day in re.findall(r"(\d+) %, (\d+) rows, up to (\S+)", shown.decode())]
    assert len(steps) >= 10 and all(abs(done - rows * 100 / count) <= 1 for done, rows, _ in steps), steps
    assert steps[-1][:2] == (100, count)
    assert steps[0][2] < steps[-1][2]


def read(terminal):
    try:
        return os.read(terminal, 65536)
    except OSError:
        return b""


@pytest.mark.parametrize(("sdk", "version"), [("native", "1.2.0"), ("native", "2.1.0"), ("roku", "1.0.0")])
def test_an_sdk_that_sends_its_version_apart_keeps_it_in_exports(app, sdk, version):
    """The C++ and Roku SDKs send name and version in two fields; others use one."""
    named = {"sdk": sdk, "sdk_version": version}
    session = app.install(iphone(), **named)
    body = app_event(app, session, "PURCHASE")
    body["user_data"] = body["user_data"] | named
    assert app.server.post("/v2/event/standard", body).status == 200
    assert [row["user_data_sdk_version"] for row in export(app, "eo_install")] == [version]
    assert [row["user_data_sdk_version"] for row in export(app, "eo_commerce_event")] == [version]
