"""The unmodified PyPI client `branchio`, configured with Linden's address."""

import json
from urllib.error import HTTPError

import branchio
import pytest

from support.visitors import iphone


@pytest.fixture
def client(app, monkeypatch):
    monkeypatch.setattr(branchio.Client, "BRANCH_BASE_URI", app.server.base_url)
    return branchio.Client(app.branch_key)


def test_a_link_minted_by_the_client_opens_the_app_with_its_data(client, app):
    url = client.create_deep_link_url(
        data={branchio.DATA_BRANCH_DEEPLINK_PATH: "apple/7", "variety": "Cox"}, channel="sms", feature="sharing",
        campaign="harvest", stage="new", tags=["red", "sweet"])[branchio.RETURN_URL]
    visitor = iphone()

    click = app.click(url, visitor)
    session = app.install(visitor)

    assert "orchard://apple/7?link_click_id=" in click.text
    assert session.data["+clicked_branch_link"] is True
    assert session.data["+is_first_session"] is True
    assert session.data["~channel"] == "sms"
    assert session.data["~feature"] == "sharing"
    assert session.data["~campaign"] == "harvest"
    assert session.data["~stage"] == "new"
    assert session.data["~tags"] == ["red", "sweet"]
    assert session.data["variety"] == "Cox"


def test_every_parameter_of_the_client_is_kept(client, app):
    answer = client.create_deep_link_url(
        data={"variety": "Cox"}, alias="every/parameter", type=branchio.TYPE_URL_MARKETING, duration=3600, identity="user-7",
        tags=["red"], campaign="harvest", feature="sharing", channel="sms", stage="new")

    link = app.read(answer["url"])

    assert answer == {"url": app.server.base_url + "/every/parameter"}
    assert (link["alias"], link["type"], link["duration"]) == ("every/parameter", 2, 3600)
    assert (link["campaign"], link["feature"], link["channel"], link["stage"]) == ("harvest", "sharing", "sms", "new")
    assert link["tags"] == ["red"]
    assert link["data"]["variety"] == "Cox"


def test_links_minted_in_bulk_come_back_in_order(client, app):
    wanted = [
        client.create_deep_link_url(data={"number": number}, channel=f"channel-{number}", skip_api_call=True)
        for number in range(20)]

    answers = client.create_deep_linking_urls(wanted)

    links = [app.read(answer["url"]) for answer in answers]
    assert [link["data"]["number"] for link in links] == list(range(20))
    assert [link["channel"] for link in links] == [f"channel-{number}" for number in range(20)]


def test_one_bad_link_in_bulk_does_not_keep_the_others_from_being_made(client, app):
    good = client.create_deep_link_url(data={"number": 1}, skip_api_call=True)
    bad = client.create_deep_link_url(alias="v1/reserved", skip_api_call=True)

    first, second, third = client.create_deep_linking_urls([good, bad, good])

    assert isinstance(second[branchio.RETURN_ERROR], str)
    assert branchio.RETURN_URL not in second
    assert app.read(first["url"])["data"]["number"] == 1
    assert first["url"] != third["url"]


def test_the_same_link_asked_for_again_under_its_alias_is_the_same_link(client):
    first = client.create_deep_link_url(alias="cox", data={"variety": "Cox"}, channel="sms")
    again = client.create_deep_link_url(alias="cox", data={"variety": "Cox"}, channel="sms")

    assert first == again


def test_a_different_link_under_a_taken_alias_is_a_conflict_that_names_the_differences(client, app):
    url = client.create_deep_link_url(alias="pear", data={"variety": "Conference", "weight": 1}, channel="sms")["url"]

    with pytest.raises(HTTPError) as conflict:
        client.create_deep_link_url(alias="pear", data={"variety": "Williams", "weight": 1}, channel="email")

    error = json.loads(conflict.value.read())["error"]
    assert conflict.value.code == error["code"] == 409
    assert error["message"].startswith("Link alias conflict: ")
    assert error["message"].endswith("/pear")
    said = json.dumps(error)
    assert all(value in said for value in ("Conference", "Williams", "sms", "email"))
    assert "weight" not in said
    assert app.read(url)["data"]["variety"] == "Conference"


def test_an_unknown_key_is_refused_with_400(client):
    client.branch_key = "key_live_" + "0" * 32

    with pytest.raises(HTTPError) as refusal:
        client.create_deep_link_url(data={})

    assert refusal.value.code == json.loads(refusal.value.read())["error"]["code"] == 400


@pytest.mark.parametrize("field, limit", [("alias", 128), ("channel", 128), ("identity", 127)])
def test_what_the_client_would_not_send_the_server_refuses(app, field, limit):
    longest = app.server.post("/v1/url", {"branch_key": app.branch_key, field: "x" * limit})
    too_long = app.server.post("/v1/url", {"branch_key": app.branch_key, field: "x" * (limit + 1)})

    assert longest.status == 200
    message = too_long.refusal(400)
    assert field in message and str(limit) in message
