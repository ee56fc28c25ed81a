"""Requests of data subjects: access to their data, and its erasure."""

import csv
import io
import json
import uuid
from urllib.parse import urlsplit

import pytest

from support.app import click_id
from support.visitors import android, iphone
from support.waiting import eventually


@pytest.fixture
def ann(app):
    """A user who clicked a link, installed the app and made a purchase."""
    visitor = iphone()
    clicked = click_id(app.click(app.create_link(channel="mail"), visitor))
    session = app.install(visitor, identity="ann")
    event = {"branch_key": app.branch_key, "name": "PURCHASE", "custom_data": {"plan": "gold"}} | session.tokens
    assert app.server.post("/v2/event/standard", event).status == 200
    other = android()
    app.click(app.create_link(channel="print"), other)
    app.install(other, identity="bob")
    return clicked, session


def token(app, role):
    return {"Access-Token": app.server.ask("tokens", "create", f"{role} of {app.app_id}", "--role", role, "--app", app.branch_key)["token"]}


def ask(app, kind, identity_type, value, headers):
    subject = {"identity_type": identity_type, "identity_value": value, "identity_format": "raw"}
    return app.server.post("/v1/gdpr", {"subject_request_type": kind, "subject_identities": [subject]}, headers)


def status(app, answer, headers):
    return app.server.post("/v1/gdpr/status", {"request_id": answer.json["request_id"]}, headers).json


def file(app, url):
    parts = urlsplit(url)
    answer = app.server.get(f"{parts.path}?{parts.query}")
    return answer.status, list(csv.DictReader(io.StringIO(answer.text, newline="")))


def test_access_shows_the_data_of_the_subject_and_of_no_other(app, ann):
    headers = token(app, "analyst")
    answer = ask(app, "access", "DEVELOPER_ID", "ann", headers)
    assert answer.status == 200, answer.text

    reported = status(app, answer, headers)
    assert (reported["request_status"], reported["request_type"]) == ("SUCCESS", "ACCESS")
    code, rows = file(app, reported["export_url"])
    assert code == 200
    kept = {row["kind"]: json.loads(row["data"]) for row in rows}
    assert set(kept) == {"identity", "device", "session", "event", "click"}
    assert kept["identity"]["developer_identity"] == "ann"
    assert kept["event"]["body"]["custom_data"] == {"plan": "gold"}
    assert [row["id"] for row in rows if row["kind"] == "click"] == [ann[0]]
    assert "bob" not in json.dumps(rows)


@pytest.mark.parametrize("identity_type, key", [
    ("USER_ID", "randomized_bundle_token"), ("DEVICE_ID", "randomized_device_token"),
])
def test_a_data_subject_is_found_by_each_id_that_an_sdk_has(app, ann, identity_type, key):
    headers = token(app, "analyst")
    answer = ask(app, "access", identity_type, ann[1].answer[key], headers)
    assert "session" in {row["kind"] for row in file(app, status(app, answer, headers)["export_url"])[1]}


def test_an_erasure_is_done_by_the_server_and_forgets_whom_it_was_about(app, ann):
    headers = token(app, "admin")
    seen = ask(app, "access", "DEVELOPER_ID", "ann", headers)
    address = status(app, seen, headers)["export_url"]
    answer = ask(app, "erasure", "DEVELOPER_ID", "ann", headers)
    assert answer.json["request_status"] == "PENDING"

    eventually(lambda: status(app, answer, headers)["request_status"] == "SUCCESS", within=20)
    assert "export_url" not in status(app, answer, headers)
    assert app.server.command("identities", "show", "ann", "--app", app.branch_key).status == 1
    assert app.server.command("identities", "show", "bob", "--app", app.branch_key).status == 0
    assert app.server.query(f"SELECT COUNT(*) FROM subject_requests WHERE app_id = {app.app_id} AND subjects LIKE '%ann%'")[0][0] == 0
    assert file(app, address)[0] == 404
    assert len(list(csv.reader(io.StringIO(app.server.command(
        "export", "--app", app.branch_key, "--topic", "eo_click", "--fields", "id").out)))) == 3


def test_an_advertising_id_stands_for_every_device_that_reported_it(app):
    advertising_id, headers = f"{uuid.uuid4()}", token(app, "admin")
    for _ in range(2):
        installed = app.server.post("/v1/install", {
            "branch_key": app.branch_key, "os": "Android", "google_advertising_id": advertising_id})
        assert installed.status == 200
    devices = f"SELECT COUNT(*) FROM devices WHERE app_id = {app.app_id} AND advertising_id = '{advertising_id}'"
    assert app.server.query(devices)[0][0] == 2

    answer = ask(app, "erasure", "DEVICE_ID", advertising_id, headers)
    eventually(lambda: status(app, answer, headers)["request_status"] == "SUCCESS", within=20)
    assert app.server.query(devices)[0][0] == 0


def test_an_erasure_finds_all_of_very_many_requests_about_the_subject(app, ann):
    headers = token(app, "admin")
    for number in range(120):
        assert ask(app, "access", "DEVELOPER_ID", "ann" if number % 2 else "bob", headers).status == 200

    erased = ask(app, "erasure", "DEVELOPER_ID", "ann", headers)
    eventually(lambda: status(app, erased, headers)["request_status"] == "SUCCESS")

    stored = [json.loads(subjects) for (subjects,) in app.server.query(
        f"SELECT subjects FROM subject_requests WHERE app_id = {app.app_id}")]
    assert sum("bob" in str(subjects) for subjects in stored) == 60
    assert not any("ann" in str(subjects) for subjects in stored)


def test_an_erasure_on_the_command_line_deletes_requests_about_the_subject_under_any_id(app, ann):
    headers = token(app, "analyst")
    names = [("DEVELOPER_ID", "ann"), ("USER_ID", ann[1].answer["randomized_bundle_token"]), ("DEVICE_ID", ann[1].answer["randomized_device_token"])]
    asked = [ask(app, "access", kind, name, headers) for kind, name in names]
    other = ask(app, "access", "DEVELOPER_ID", "bob", headers)
    done = app.server.command("identities", "erase", "ann", "--app", app.branch_key, "--yes")
    assert done.status == 0, done.err
    assert [row[0] for row in app.server.query(f"SELECT subjects FROM subject_requests WHERE app_id = {app.app_id} ORDER BY id")] == [
        "[]", "[]", "[]", '[["DEVELOPER_ID","bob"]]']
    assert all("export_url" not in status(app, answer, headers) for answer in asked)
    assert "export_url" in status(app, other, headers)


def test_an_unknown_data_subject_has_an_empty_file_and_is_erased_at_once(app):
    headers = token(app, "admin")
    seen = ask(app, "access", "DEVELOPER_ID", "stranger", headers)
    assert file(app, status(app, seen, headers)["export_url"]) == (200, [])
    gone = ask(app, "erasure", "DEVICE_ID", "0000-0000", headers)
    eventually(lambda: status(app, gone, headers)["request_status"] == "SUCCESS", within=10)


def test_a_person_is_exported_on_the_command_line(app, ann, tmp_path):
    reported = app.server.command("identities", "export", "ann", "--app", app.branch_key, "--as", "ndjson")
    lines = [json.loads(line) for line in reported.out.splitlines()]
    assert {line["kind"] for line in lines} == {"identity", "device", "session", "event", "click"}

    app.server.ask("identities", "export", "ann", "--app", app.branch_key, "--output", str(tmp_path / "ann.csv"))
    assert len(list(csv.DictReader((tmp_path / "ann.csv").open(newline="")))) == len(lines)


@pytest.mark.parametrize("change, allowed", [
    ({"subject_request_type": "delete"}, "access or erasure"), ({"subject_identities": []}, "array"),
    ({"subject_identities": [{"identity_type": "EMAIL", "identity_value": "x"}]}, "DEVELOPER_ID"),
    ({"subject_identities": [{"identity_type": "USER_ID"}]}, "identity_value"),
    ({"subject_identities": [{"identity_type": "USER_ID", "identity_value": "1", "identity_format": "md5"}]}, "raw"),
])
def test_a_request_that_makes_no_sense_is_refused(app, change, allowed):
    body = {"subject_request_type": "access", "subject_identities": [{"identity_type": "USER_ID", "identity_value": "1"}]} | change
    assert allowed in app.server.post("/v1/gdpr", body, token(app, "analyst")).refusal(400)


def test_only_who_may_can_ask(app, ann):
    assert ask(app, "access", "DEVELOPER_ID", "ann", {}).status == 401
    analyst = token(app, "analyst")
    assert ask(app, "erasure", "DEVELOPER_ID", "ann", analyst).status == 403
    other = app.server.create_app("Other")
    answer = ask(app, "access", "DEVELOPER_ID", "ann", analyst)
    assert app.server.post("/v1/gdpr/status", {"request_id": answer.json["request_id"]}, token(other, "analyst")).status == 403
    assert app.server.post("/v1/gdpr/status", {"request_id": "x"}, analyst).status == 404


def test_the_users_of_a_deleted_app_can_be_exported_and_erased(app, ann):
    server = app.server
    headers = {"Access-Token": server.ask("tokens", "create", "all apps", "--role", "admin")["token"]}
    test = {"branch_key": app.test_branch_key, "os": "Android", "hardware_id": "T", "identity": "carol"}
    assert server.post("/v1/open", test).status == 200
    assert server.command("apps", "delete", app.app_id, "--yes").status == 0

    subject = {"identity_type": "DEVELOPER_ID", "identity_value": "ann"}
    access = {"subject_request_type": "access", "subject_identities": [subject]}
    eventually(lambda: server.post(f"/v1/gdpr?app_id={app.app_id}", access, headers).status == 404)
    assert "ann" in server.command("identities", "export", "ann", "--app", app.app_id).out
    assert server.command("identities", "erase", "carol", "--app", app.test_branch_key, "--yes").status == 0
    answer = server.post(f"/v1/gdpr?app_id={app.app_id}", access | {"subject_request_type": "erasure"}, headers)
    assert answer.status == 200, answer.text
    eventually(lambda: status(app, answer, headers)["request_status"] == "SUCCESS", within=30)
    left = f"SELECT developer_identity FROM identities WHERE app_id = {app.app_id} AND developer_identity IS NOT NULL"
    assert server.query(left) == [("bob",)]
