"""Kinds of sessions, as an operator sees them."""

import base64
import json

import pytest

from support.app import click_id
from support.visitors import android, iphone


@pytest.fixture
def kind(server):
    return lambda session: server.ask("sessions", "show", session.answer["session_id"])["kind"]


def test_a_phone_on_which_the_app_was_before_reinstalls_it(app, server, kind):
    phone = iphone()
    sessions = [app.install(phone, ios_vendor_id="V1") for _ in range(2)]

    assert [kind(session) for session in sessions] == ["install", "reinstall"]
    assert [session.data["+is_first_session"] for session in sessions] == [True, False]
    assert kind(app.open(phone, **sessions[1].tokens)) == "open"
    assert "(reinstall, live" in server.command("explain", sessions[1].answer["session_id"]).out
    listed = server.ask("sessions", "list", "--app", app.branch_key)
    assert [session["kind"] for session in listed] == ["open", "reinstall", "install"]


def test_the_whole_app_goes_on_with_its_clip(app, kind):
    phone, url = iphone(), app.create_link(channel="poster")
    clip = app.install(phone, environment="APP_CLIP", universal_link_url=url)
    whole = app.install(
        phone, environment="FULL_APP", universal_link_url=url, app_clip_bundle_id="com.example.orchard.Clip",
        app_clip_randomized_device_token=clip.tokens["randomized_device_token"],
        app_clip_randomized_bundle_token=clip.tokens["randomized_bundle_token"])

    assert (kind(whole), whole.tokens) == ("full_app_conversion", clip.tokens)
    assert whole.data["~channel"] == "poster"
    assert app.statistics(url)["installs"] == 2


def test_an_instant_app_becomes_the_whole_app(app, kind):
    phone, url = android(), app.create_link(channel="search")
    session = app.install(phone, environment="FULL_APP", is_full_app_conversion=True, android_app_link_url=url)

    assert (kind(session), session.data["~channel"]) == ("full_app_conversion", "search")


def test_in_debug_mode_a_test_keys_phone_installs_for_the_first_time_each_time(app, server, kind):
    phone = iphone()
    sessions = [app.install(phone, branch_key=app.test_branch_key, ios_vendor_id="V1", debug=True) for _ in range(2)]

    assert [kind(session) for session in sessions] == ["install", "install"]
    assert sessions[0].tokens != sessions[1].tokens


def search_ad(campaign="884384280"):
    details = {"iad-attribution": "true", "iad-campaign-id": campaign, "iad-campaign-name": "Pears", "iad-keyword": "juicy"}
    return base64.b64encode(json.dumps({"Version3.1": details}).encode()).decode()


def test_an_app_store_ad_is_reported_and_explained(app, server):
    phone = iphone()
    app.click(app.create_link(), phone)
    session = app.install(phone, search_ad_encoded=search_ad())

    assert session.data["~campaign"] == "Pears" and session.data["~advertising_partner_name"] == "Apple Search Ads"
    assert session.data["+clicked_branch_link"] is False
    text = server.command("explain", session.answer["session_id"]).out
    assert "Attributed to an ad in the App Store (Pears, juicy), and to no link: Apple says" in text


def test_a_made_up_ad_is_said_to_be_one(app, server):
    session = app.install(iphone(), search_ad_encoded=search_ad("1234567890"))

    assert "~campaign" not in session.data
    answers = server.ask("explain", session.answer["session_id"])["answers"]
    (reason,) = [answer["reason"] for answer in answers if answer["matcher"] == "search_ad"]
    assert "test keys only" in reason


@pytest.mark.parametrize("opt_out", ["$deeplink_no_attribution", "$do_not_process"])
def test_a_link_may_have_its_data_delivered_and_nothing_counted(app, server, opt_out):
    phone = iphone()
    url = app.create_link(data={opt_out: True, "pear": "conference"})
    page = app.click(url, phone)
    session = app.install(phone, link_identifier=click_id(page))

    assert session.data["pear"] == "conference"
    figures = app.statistics(url)
    assert [figures[name] for name in ("clicks", "sessions", "installs")] == [0, 0, 0]
    explanation = server.ask("explain", session.answer["session_id"])
    assert (explanation["outcome"], explanation["attributed"], explanation["link"]) == ("matched", False, url)
    assert "without credit, as the link asks" in server.command("explain", session.answer["session_id"]).out


def test_an_event_keeps_the_click_that_it_is_credited_to(app, server):
    phone, url = iphone(), app.create_link(data={"$click_conversion_window_days": 30})
    session = app.install(phone, link_identifier=click_id(app.click(url, phone)))
    user = {"randomized_device_token": session.tokens["randomized_device_token"]}
    body = {"branch_key": app.branch_key, "name": "PURCHASE", "user_data": user}
    assert server.post("/v2/event/standard", body).status == 200

    (touch,) = server.query("SELECT touch_link_id, touch_click_id FROM events ORDER BY id DESC LIMIT 1")
    assert str(touch[0]) == session.data["~id"] and touch[1] is not None
