"""Summary of how an app's installs were attributed, and which deterministic matches are switched off."""

import pytest

from support.app import click_id
from support.visitors import iphone


@pytest.fixture
def installed(app):
    """One install by a click's id, one by address and device, and one without a click."""
    phone = iphone()
    click = app.click(app.create_link(), phone)
    app.install(phone.at("198.18.99.98"), link_identifier=click_id(click))
    other = iphone()
    app.click(app.create_link(), other)
    app.install(other)
    app.install(iphone())
    return app


def test_installs_are_listed_by_what_decided_them(installed, server):
    rows = server.ask("query", "attribution", "--app", installed.branch_key, "--from", "today")

    assert [(row["way"], row["certainty"], row["installs"], row["share"]) for row in rows] == [
        ("link_click", "deterministic", 1, "33.3 %"), ("fingerprint", "probabilistic", 1, "33.3 %"), ("organic", "none", 1, "33.3 %")]


def test_the_doctor_says_what_is_off_and_how_to_turn_it_on(installed, server):
    def checks():
        found = server.ask("doctor", "app", installed.branch_key)["checks"]
        return {check["check"]: check for check in found if check["check"].startswith("attribution.")}

    before = checks()
    assert before["attribution.clipboard"]["status"] == "warning"
    assert "33.3 % were attributed by an id and 33.3 % by address and device" in before["attribution.installs"]["detail"]

    command = before["attribution.clipboard"]["detail"].split("they do: ")[1].split()
    assert command[:2] == ["linden", "apps"]
    server.ask(*command[1:])
    assert checks()["attribution.clipboard"]["status"] == "ok"


def test_without_fingerprints_an_app_is_matched_by_ids_alone(app, server):
    server.ask("apps", "update", app.branch_key, "--set", "attribution.fingerprint=off")
    phone = iphone()
    click = app.click(app.create_link(data={"pear": 1}), phone)

    refused = app.install(phone)
    assert refused.data["+clicked_branch_link"] is False
    assert "attribution.fingerprint is off" in server.ask("explain", refused.answer["session_id"])["reason"]
    assert app.install(phone, link_identifier=click_id(click)).data["pear"] == 1


def test_a_wrong_value_is_refused_with_what_is_allowed(app, server):
    done = server.command("apps", "update", app.branch_key, "--set", "attribution.fingerprint=maybe")

    assert done.status != 0 and "on" in done.err and "off" in done.err
