"""Probabilistic matching by address, OS and version: once, within the window, and never if ambiguous."""

import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from support.app import click_id
from support.visitors import android, iphone


def test_a_click_is_claimed_only_once(app):
    link = app.create_link()
    first = iphone()
    second = iphone().at(first.address)
    app.click(link, first)

    assert app.install(first).data["+clicked_branch_link"] is True
    assert app.install(second).data["+clicked_branch_link"] is False


def test_a_click_that_many_want_at_once_is_claimed_only_once(app):
    link, visitor = app.create_link(), iphone()
    app.click(link, visitor)

    with ThreadPoolExecutor(8) as threads:
        sessions = list(threads.map(lambda _: app.install(visitor), range(8)))

    assert [session.data["+clicked_branch_link"] for session in sessions].count(True) == 1


def test_a_click_is_forgotten_when_its_links_window_is_over(app):
    link, visitor = app.create_link(duration=1), iphone()
    app.click(link, visitor)
    time.sleep(1.1)

    assert app.install(visitor).data["+clicked_branch_link"] is False


def test_two_links_clicked_from_equal_devices_are_a_tie_and_neither_is_matched(app):
    visitor = iphone()
    app.click(app.create_link(data={"number": 1}), visitor)
    app.click(app.create_link(data={"number": 2}), visitor)

    assert app.install(visitor).data == {"+clicked_branch_link": False, "+is_first_session": True}


def test_one_link_clicked_twice_is_no_tie(app):
    link, visitor = app.create_link(data={"number": 1}), iphone()
    app.click(link, visitor)
    app.click(link, visitor)

    assert app.install(visitor).data["number"] == 1


@pytest.mark.parametrize("other", [
    lambda visitor: iphone(), lambda visitor: iphone("16.1").at(visitor.address), lambda visitor: android().at(visitor.address)])
def test_a_device_that_differs_is_not_given_the_click(app, other):
    visitor = iphone()
    app.click(app.create_link(), visitor)

    assert app.install(other(visitor)).data["+clicked_branch_link"] is False


def test_an_app_is_not_given_another_apps_click(app, server):
    visitor = iphone()
    click = app.click(app.create_link(), visitor)
    other = server.create_app("Other")

    session = other.install(visitor, link_identifier=click_id(click))

    assert session.data["+clicked_branch_link"] is False
