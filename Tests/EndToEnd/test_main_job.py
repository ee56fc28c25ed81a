"""The main path: create a link, click it, open the app."""

import json

import pytest

from support.app import click_id
from support.visitors import android, crawler, desktop, iphone, previewer

APPLE = {"$deeplink_path": "apple/7", "variety": "Cox"}
phones = pytest.mark.parametrize("phone", [iphone, android])


@phones
def test_a_click_on_a_phone_opens_the_app_at_the_links_path(app, phone):
    link = app.create_link(data=APPLE)

    click = app.click(link, phone())

    assert click.status == 200
    assert click.headers["content-type"].startswith("text/html")
    assert click.headers["cache-control"] == "no-store"
    assert f"orchard://apple/7?link_click_id={click_id(click)}" in click.text


@phones
def test_an_install_after_a_click_is_given_the_link(app, phone):
    link = app.create_link(channel="sms", data=APPLE)
    visitor = phone()
    app.click(link, visitor)

    data = app.install(visitor).data

    assert data["+clicked_branch_link"] is True
    assert data["+is_first_session"] is True
    assert data["+match_guaranteed"] is False
    assert data["~channel"] == "sms"
    assert data["~referring_link"] == link
    assert data["variety"] == "Cox"


def test_a_click_on_a_desktop_goes_to_the_web_with_a_match_id(app):
    link = app.create_link(data={"$desktop_url": "https://orchard.example.com/apples?sort=new"})

    click = app.click(link, desktop())

    assert click.status == 302
    assert click.headers["cache-control"] == "no-store"
    assert click.location == f"https://orchard.example.com/apples?sort=new&_branch_match_id={click_id(click)}"


def test_a_click_on_a_desktop_without_a_url_of_the_link_goes_to_the_apps_own(app):
    assert app.click(app.create_link(), desktop()).location.startswith("https://orchard.example.com/?_branch_match_id=")


def test_an_app_that_is_not_for_a_phone_sends_that_phone_straight_to_its_web_page(server):
    app = server.create_app("Web only", "--default-url", "https://orchard.example.com/")

    click = app.click(app.create_link(data=APPLE), iphone())

    assert click.status == 302
    assert click.headers["cache-control"] == "no-store"
    assert click.location == f"https://orchard.example.com/?_branch_match_id={click_id(click)}"


@phones
def test_a_link_that_is_for_the_web_only_never_opens_the_app(app, phone):
    link = app.create_link(data={"$web_only": True, "$fallback_url": "https://orchard.example.com/apples"})

    click = app.click(link, phone())

    assert (click.status, click.location) == (302, f"https://orchard.example.com/apples?_branch_match_id={click_id(click)}")


@phones
@pytest.mark.parametrize("kind", [{}, {"type": 1}], ids=["a link", "a one-time link"])
def test_a_web_page_on_the_way_learns_the_click_and_leaves_it_to_the_app(app, phone, kind):
    link = app.create_link(**kind, channel="sms", data=APPLE | {"$always_deeplink": False, "$fallback_url": "https://orchard.example.com/apples"})
    visitor = phone()
    click = click_id(app.click(link, visitor))

    page = app.server.post(
        "/v1/open", {"branch_key": app.branch_key, "sdk": "web2.84.0", "link_identifier": click}, visitor.headers).json
    installed = app.install(visitor).data

    assert json.loads(page["data"])["~channel"] == "sms"
    assert installed["~referring_link"] == link
    assert installed["~channel"] == "sms"


def test_an_opening_with_a_click_id_is_given_that_click_for_certain(app):
    first, second = app.create_link(data={"number": 1}), app.create_link(data={"number": 2})
    visitor = iphone()
    opened, _ = app.click(first, visitor), app.click(second, visitor)

    session = app.open(visitor, link_identifier=click_id(opened))

    assert session.data["number"] == 1
    assert session.data["+match_guaranteed"] is True
    assert session.answer["link_click_id"] == click_id(opened)


@pytest.mark.parametrize("phone, field", [(iphone, "universal_link_url"), (android, "android_app_link_url")])
def test_an_opening_by_the_link_itself_is_given_the_link_and_counts_as_a_click(app, phone, field):
    link = app.create_link(data={"number": 1})

    session = app.open(phone(), **{field: link + "?colour=red"})

    assert session.data["number"] == 1
    assert session.data["colour"] == "red"
    assert session.data["+match_guaranteed"] is True
    assert app.statistics(link)["clicks"] == 1


@pytest.mark.parametrize("robot", [crawler, previewer])
def test_a_robot_sees_a_page_about_the_link_and_leaves_no_click(app, robot):
    link, visitor = app.create_link(data={"$og_title": "A fine apple"}), iphone()

    page = app.click(link, robot().at(visitor.address))

    assert page.status == 200
    assert "A fine apple" in page.text
    assert app.install(visitor).data["+clicked_branch_link"] is False


def test_what_was_appended_to_the_link_comes_into_the_app(app):
    link, visitor = app.create_link(channel="sms", data={"variety": "Cox"}), iphone()
    app.click(link, visitor, query="?colour=red&~channel=email")

    data = app.install(visitor).data

    assert (data["variety"], data["colour"], data["~channel"]) == ("Cox", "red", "email")
