"""Branch's C++ SDK 1.2.0: its recorded requests get the responses that it requires."""

import json
from pathlib import Path

import pytest

from support import wire
from support.app import click_id
from support.visitors import iphone

RECORDING = Path(__file__).parent / "fixtures/cpp-1.2.0-requests.jsonl"
KEY = "key_live_cppsample0000000000000000"
UNKNOWN_KEY = "key_live_thiskeydoesnotexist00000000000"
# Ids of clicks which the recording server had issued: on the second link, and on the one with an alias.
CLICKS = {"1000000000000000007": 1, "1000000000000000008": 2}


class Client:
    """Sends the recorded requests, with the tokens of the last response, like the SDK."""

    def __init__(self, app):
        self.app = app
        self.tokens = {}
        self.links = []
        self.clicks = {}

    def replay(self, line):
        body = self.current(line["body"])
        answer = self.send(line["path"], line["headers"], body)
        if answer.status == 200 and line["path"] == "/v1/url":
            self.links.append(answer.json["url"])
        if answer.status == 200 and line["path"] in self.TOKENS and "tracking_disabled" not in body:
            self.tokens |= {name: answer.json[name] for name in self.TOKENS[line["path"]]}
        return answer

    # What the SDK takes over from each answer.
    TOKENS = {
        "/v1/open": ["session_id", "device_fingerprint_id", "identity_id"], "/v1/profile": ["session_id", "identity_id"],
        "/v1/logout": ["session_id", "identity_id"]}

    def current(self, body):
        if body["branch_key"] == KEY:
            body["branch_key"] = self.app.branch_key
        for fields in (body, body.get("user_data", {})):
            for name in self.tokens.keys() & fields.keys():
                fields[name] = self.tokens[name]
        if body.get("link_identifier") in CLICKS:
            body["link_identifier"] = self.clicked(CLICKS[body["link_identifier"]])
        return body

    def clicked(self, number):
        """The id of a click on the link that was created for a recorded one."""
        if number not in self.clicks:
            self.clicks[number] = click_id(self.app.click(self.links[number], iphone()))
        return self.clicks[number]

    def send(self, path, headers, body):
        """Sends only the recorded headers and the host."""
        text = json.dumps(body, separators=(",", ":"), ensure_ascii=False, sort_keys=True).encode()
        headers = {"Host": "localhost", "Connection": "Close"} | headers | {"Content-Length": str(len(text))}
        return wire.exchange(self.app.server.port, wire.head("POST", path, headers) + text)


@pytest.fixture(scope="module")
def exchanges(server):
    """All recorded requests with their responses, in order."""
    app = server.create_app("C++ sample", "--ios-uri-scheme", "cppsample")
    client = Client(app)
    lines = [json.loads(line) for line in RECORDING.read_text().splitlines()]
    return [(line, client.replay(line)) for line in lines]


@pytest.fixture(scope="module")
def opens(exchanges):
    """The opens of the app with a key, each with its session's parameters."""
    return [
        (line["body"], answer.json, json.loads(answer.json["data"])) for line, answer in exchanges
        if line["path"] == "/v1/open" and line["body"]["branch_key"] != UNKNOWN_KEY]


@pytest.fixture(scope="module")
def creations(exchanges):
    return [
        (line["body"], answer) for line, answer in exchanges
        if line["path"] == "/v1/url" and line["body"]["branch_key"] != UNKNOWN_KEY]


def test_every_opening_is_answered_with_the_strings_that_the_sdk_reads(opens):
    assert len(opens) == 9
    for _, answer, data in opens:
        assert all(answer[name].isdecimal() for name in ("session_id", "device_fingerprint_id", "identity_id"))
        assert type(data["+clicked_branch_link"]) is type(data["+is_first_session"]) is bool


def test_an_opening_without_tokens_is_an_install_and_later_ones_are_not(opens):
    tracked = [data["+is_first_session"] for body, _, data in opens if "tracking_disabled" not in body]

    assert tracked == [True] + [False] * (len(tracked) - 1)


def test_the_device_stays_the_same_from_one_opening_to_the_next(opens):
    devices = {answer["device_fingerprint_id"] for body, answer, _ in opens if "tracking_disabled" not in body}

    assert len(devices) == 1


def test_a_click_id_opens_the_app_with_its_links_data(opens):
    for body, _, data in opens:
        if body.get("link_identifier") and body["link_identifier"] != "999999999999999999":
            assert data["+clicked_branch_link"] is True
            assert (data["marker"], data["number"], data["~channel"]) == ("m42018273242", 42, "cpp-channel")
            assert data["~tags"] == ["cpp", "sample"]
        else:
            assert data["+clicked_branch_link"] is False


def test_with_tracking_disabled_the_links_data_are_delivered_and_nothing_is_stored(server, opens):
    body, answer, data = opens[-1]
    assert body["tracking_disabled"] is True
    assert data["marker"] == "m42018273242"

    assert answer["device_fingerprint_id"] not in {other["device_fingerprint_id"] for _, other, _ in opens[:-1]}
    logouts = 1
    assert server.rows()["sessions"] == len(opens) - 1 + logouts
    assert server.rows()["devices"] == 1


def test_links_are_made_and_an_alias_is_given_once(creations):
    first, second, aliased, again, different = [answer for _, answer in creations]

    assert first.json["url"] != second.json["url"]
    assert aliased.json == again.json
    assert aliased.json["url"].endswith("/al42044562260")
    different.refusal(409)


def test_an_unknown_key_is_refused_with_a_status_that_is_not_retried(exchanges):
    answers = [answer for line, answer in exchanges if line["body"]["branch_key"] == UNKNOWN_KEY]

    assert len(answers) == 2
    for answer in answers:
        answer.refusal(400)


def test_events_are_acknowledged_with_an_object_and_stored(server, exchanges):
    answers = [answer for line, answer in exchanges if line["path"].startswith("/v2/event/")]

    assert len(answers) > 25
    assert all(answer.status == 200 and isinstance(answer.json, dict) for answer in answers)
    assert server.rows()["events"] == len(answers)


def test_a_user_is_named_and_a_logout_makes_a_new_user(exchanges):
    profile, = [answer.json for line, answer in exchanges if line["path"] == "/v1/profile"]
    logout, = [answer.json for line, answer in exchanges if line["path"] == "/v1/logout"]

    assert profile["identity"] == "user-m42018273242"
    assert logout["identity_id"] != profile["identity_id"]
    assert "identity" not in logout
    for answer in (profile, logout):
        assert all(isinstance(answer[name], str) for name in ("session_id", "identity_id", "link"))
