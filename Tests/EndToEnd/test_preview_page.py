"""The page for search engines and previews, in a real browser."""

import json

import pytest

from support.browser import chromium
from support.visitors import crawler

HOSTILE = "Pears</script><script>document.title='taken over'</script>"


@pytest.fixture(scope="module")
def robot():
    """A browser with a search engine's user agent."""
    with chromium() as driver:
        driver.execute_cdp_cmd("Network.setUserAgentOverride", {"userAgent": crawler().user_agent})
        yield driver


@pytest.mark.parametrize("title", ["Pears", HOSTILE])
def test_structured_data_are_read_and_break_no_rule_of_the_page(robot, app, title):
    url = app.create_link(data={"$content_schema": "COMMERCE_PRODUCT", "$og_title": title, "$price": 19.9, "$currency": "EUR"})
    robot.get_log("browser")
    robot.get(url)

    (data,) = robot.find_elements("css selector", "head script")
    assert data.get_attribute("type") == "application/ld+json"
    assert json.loads(data.get_attribute("textContent")) == {
        "@context": "https://schema.org", "@type": "Product", "name": title, "url": url,
        "offers": {"@type": "Offer", "price": 19.9, "priceCurrency": "EUR"}}
    assert robot.title == title
    assert [entry["message"] for entry in robot.get_log("browser") if "favicon" not in entry["message"]] == []
