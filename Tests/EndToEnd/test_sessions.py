"""The responses to install, open and close that all SDKs require."""

import pytest

from support.visitors import android, iphone


def test_every_answer_has_what_any_generation_of_sdks_reads(app):
    answer = app.install(iphone()).answer

    for name in ("session_id", "identity_id", "randomized_bundle_token", "device_fingerprint_id", "randomized_device_token"):
        assert answer[name].isdecimal() and len(answer[name]) == 18
    assert answer["identity_id"] == answer["randomized_bundle_token"]
    assert answer["device_fingerprint_id"] == answer["randomized_device_token"]
    assert answer["link"].startswith(f"{app.server.base_url}/a/{app.branch_key}?%24")
    assert isinstance(answer["data"], str)
    assert None not in answer.values()


def test_an_opening_without_a_link_says_so(app):
    assert app.install(iphone()).data == {"+clicked_branch_link": False, "+is_first_session": True}


@pytest.mark.parametrize("device, bundle", [
    ("randomized_device_token", "randomized_bundle_token"), ("device_fingerprint_id", "identity_id")])
def test_the_tokens_of_an_install_are_kept_by_later_opens(app, device, bundle):
    visitor = iphone()
    installed = app.install(visitor)

    opened = app.open(visitor, **{device: installed.answer[device], bundle: installed.answer[bundle]})

    assert opened.tokens == installed.tokens
    assert opened.answer["session_id"] != installed.answer["session_id"]
    assert opened.data == {"+clicked_branch_link": False, "+is_first_session": False}


def test_tokens_of_another_app_are_not_believed(app, server):
    visitor = iphone()
    foreign = app.install(visitor).tokens

    opened = server.create_app("Other").open(visitor, **foreign)

    assert not set(foreign.values()) & set(opened.tokens.values())


def test_the_developers_identity_is_echoed(app):
    assert app.install(iphone(), identity="user-7").answer["identity"] == "user-7"


@pytest.mark.parametrize("unset", [None, "", "bnc_no_value"])
def test_what_an_sdk_does_not_know_counts_as_missing(app, unset):
    session = app.install(
        android(), identity=unset, randomized_device_token=unset, link_identifier=unset, universal_link_url=unset)

    assert session.data == {"+clicked_branch_link": False, "+is_first_session": True}
    assert "identity" not in session.answer


def test_fields_of_the_wrong_type_never_refuse_a_session(app):
    session = app.install(
        iphone(), identity={"a": 1}, os_version=17.5, link_identifier=["1"], universal_link_url=7, hardware_id=False,
        randomized_device_token=True, instrumentation=[[]], a_field_of_tomorrow={"deep": [None]})

    assert session.data["+clicked_branch_link"] is False


def test_nul_characters_never_refuse_a_session(app):
    nul = dict.fromkeys(("os", "os_version", "model", "brand", "app_version", "hardware_id", "ios_vendor_id", "user_agent",
                         "identity", "language", "country", "universal_link_url", "link_identifier"), "a\0b")

    assert app.install(iphone(), is_hardware_id_real=True, **nul).data["+clicked_branch_link"] is False


def test_a_foreign_url_that_opened_the_app_is_handed_on(app):
    data = app.open(iphone(), universal_link_url="https://elsewhere.example.org/page").data

    assert data["+clicked_branch_link"] is False
    assert data["+non_branch_link"] == "https://elsewhere.example.org/page"


def test_a_test_keys_links_are_not_given_to_the_live_app(app):
    link = app.create_link(branch_key=app.test_branch_key, data={"number": 1})

    assert app.open(iphone(), universal_link_url=link).data["+clicked_branch_link"] is False
    assert app.open(iphone(), universal_link_url=link, branch_key=app.test_branch_key).data["number"] == 1


def test_a_session_that_is_closed_is_answered_with_an_empty_object(app):
    session = app.install(iphone())
    body = {"branch_key": app.branch_key, "session_id": session.answer["session_id"]} | session.tokens

    closed = app.server.post("/v1/close", body)

    assert (closed.status, closed.json) == (200, {})
