"""Branch's calls to read, change and delete links, and to create many."""

import json

import pytest

from support import wire
from support.visitors import iphone


def test_a_label_is_read_twice_bare_and_in_the_data(app):
    link = app.read(app.create_link(channel="sms", feature="sharing", campaign="harvest", stage="new", tags=["red"], data={"a": 1}))

    for name, value in [("channel", "sms"), ("feature", "sharing"), ("campaign", "harvest"), ("stage", "new"), ("tags", ["red"])]:
        assert link[name] == link["data"]["~" + name] == value


def test_a_label_that_was_not_set_is_left_out(app):
    link = app.read(app.create_link(channel=None, data={}))

    assert not {"channel", "feature", "campaign", "stage", "tags"} & set(link)
    assert not {"~channel", "~feature", "~campaign", "~stage", "~tags"} & set(link["data"])


def test_a_link_is_read_with_what_the_server_knows_of_it(app):
    url = app.create_link()
    link = app.read(url)

    assert link["type"] == 0
    assert link["alias"] is None
    assert link["data"]["url"] == link["data"]["+url"] == url
    assert link["data"]["$one_time_use"] is False
    assert link["data"]["~creation_source"] == 0
    assert link["data"]["~id"].isdecimal() and len(link["data"]["~id"]) == 18


@pytest.mark.parametrize("kind, is_used_once", [(0, False), (1, True), (2, False)])
def test_each_type_of_link_is_kept(app, kind, is_used_once):
    link = app.read(app.create_link(type=kind, data={"$marketing_title": "Harvest"}))

    assert (link["type"], link["data"]["$one_time_use"]) == (kind, is_used_once)


def test_updating_replaces_labels_and_merges_data(app):
    url = app.create_link(channel="sms", feature="sharing", data={"kept": 1, "changed": 2})

    answer = app.server.put(app.link(url), app.secret | {"channel": "email", "data": {"changed": 3, "added": 4}})

    link = app.read(url)
    assert (answer.status, answer.json) == (200, link)
    assert link["channel"] == link["data"]["~channel"] == "email"
    assert link["feature"] == "sharing"
    assert (link["data"]["kept"], link["data"]["changed"], link["data"]["added"]) == (1, 3, 4)


def test_what_cannot_be_updated_stays(app):
    url = app.create_link(alias="immutable", type=2)
    before = app.read(url)

    answer = app.server.put(app.link(url), app.secret | before | {"alias": "other", "type": 0, "identity": "user-8"})

    assert answer.status == 200
    assert app.read(url) == before


def test_the_next_click_follows_an_update(app):
    url, visitor = app.create_link(data={"$deeplink_path": "old"}), iphone()
    app.click(url, iphone())

    app.server.put(app.link(url), app.secret | {"data": {"$deeplink_path": "new"}})

    assert "orchard://new?" in app.click(url, visitor).text


@pytest.mark.parametrize("secret", [None, "", "secret_live_wrong", 7])
def test_updating_needs_the_secret(app, secret):
    url = app.create_link(channel="sms")

    answer = app.server.put(app.link(url), {"branch_key": app.branch_key, "branch_secret": secret, "channel": "email"})

    answer.refusal(400)
    assert app.read(url)["channel"] == "sms"


def test_a_link_deleted_with_key_and_secret_answers_like_an_unknown_one(app):
    url = app.create_link(alias="to/delete")

    answer = app.server.send("DELETE", app.link(url), app.secret)

    assert (answer.status, answer.json) == (200, {"url": url, "deleted": True})
    assert app.server.get(app.link(url)).status == 404
    assert app.click(url, iphone()).status == 404
    assert app.open(iphone(), universal_link_url=url).data["+clicked_branch_link"] is False


def test_an_app_cannot_read_change_or_delete_another_apps_link(app, server):
    url = app.create_link(channel="sms")
    other = server.create_app("Other")

    assert server.get(other.link(url)).status == 404
    assert server.put(other.link(url), other.secret | {"channel": "email"}).status == 404
    assert server.send("DELETE", other.link(url), other.secret).status == 404
    assert app.read(url)["channel"] == "sms"


def test_bulk_of_nothing_is_refused_with_an_empty_array(app):
    answer = app.server.post(f"/v1/url/bulk/{app.branch_key}", b"[]")

    assert (answer.status, answer.json) == (400, [])


def test_a_body_in_chunks_is_read_like_any_other(app):
    body = json.dumps({"branch_key": app.branch_key, "channel": "sms"}).encode()
    chunks = b"".join(b"%x\r\n%b\r\n" % (len(part), part) for part in (body[:10], body[10:])) + b"0\r\n\r\n"
    headers = {"Host": "localhost", "Transfer-Encoding": "chunked", "Connection": "close"}

    answer = wire.exchange(app.server.port, wire.head("POST", "/v1/url", headers) + chunks)

    assert app.read(answer.json["url"])["channel"] == "sms"


def test_nulls_for_what_is_not_set_are_accepted(app):
    answer = app.server.post("/v1/url", {
        "branch_key": app.branch_key, "alias": None, "type": None, "duration": None, "identity": None, "tags": None,
        "channel": None, "feature": None, "campaign": None, "stage": None, "data": None})

    assert answer.status == 200
