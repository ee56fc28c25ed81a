"""The interstitial page between a link and its app, in a phone's browser."""

import time

import pytest

from support.browser import chromium, dress
from support.visitors import iphone
from support.waiting import eventually


@pytest.fixture(scope="module")
def phone():
    """A browser with the size and user agent of an iPhone."""
    with chromium() as driver:
        dress(driver, iphone(), 390, 844, is_phone=True)
        yield driver


@pytest.fixture
def opening(phone, app):
    """Opens a link and returns its URL; the browser's log has unknown schemes, and so whether the app was tried."""

    def visit(**data):
        url = app.create_link(data={"$og_title": "Conference pears"} | data)
        phone.get_log("browser")
        phone.get(url)
        return url

    return visit


def test_the_page_tries_the_app_and_goes_on_to_the_web_when_nothing_happens(phone, opening, server):
    opening(**{"$fallback_url": server.base_url + "/healthz?fallback"})

    eventually(lambda: phone.current_url.startswith(server.base_url + "/healthz?fallback&_branch_match_id="))


def test_the_page_waits_as_long_as_the_link_says(phone, opening, server):
    url = opening(**{"$fallback_url": server.base_url + "/healthz?late", "$ios_redirect_timeout": 3000})
    time.sleep(1.5)

    assert phone.current_url == url
    assert phone.find_element("id", "open").get_attribute("href").startswith("orchard://open?link_click_id=")
    assert "Conference pears" in phone.find_element("tag name", "h1").text
    eventually(lambda: phone.current_url.startswith(server.base_url + "/healthz?late&_branch_match_id="))


def test_the_page_goes_on_behind_the_app_where_the_link_says(phone, opening, server):
    opening(**{"$after_click_url": server.base_url + "/healthz?after", "$ios_redirect_timeout": 10000})

    # What a phone does when it shows the app.
    phone.execute_script(
        "Object.defineProperty(document, 'hidden', {value: true}); document.dispatchEvent(new Event('visibilitychange'));")

    eventually(lambda: phone.current_url.endswith("/healthz?after"))


def test_the_page_breaks_no_rule_of_its_own(phone, opening):
    opening(**{"$ios_redirect_timeout": 10000, "$fallback_url": "https://orchard.example.com/"})
    time.sleep(0.5)

    messages = [entry["message"] for entry in phone.get_log("browser")]
    # That the browser knows no app of that scheme is what shows that it was tried.
    assert [message for message in messages if "favicon" not in message and "orchard" not in message] == []


def test_a_link_that_leads_nowhere_says_so(phone, server):
    phone.get(server.base_url + "/nosuchlink")

    assert "leads nowhere" in phone.find_element("tag name", "h1").text
