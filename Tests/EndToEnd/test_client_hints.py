"""Client hints of a real browser, requested by a link."""

import pytest

from support.browser import chromium

USER_AGENT = (
    "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/144.0.0.0 Mobile Safari/537.36")
HINTS = {
    "brands": [{"brand": "Google Chrome", "version": "144"}, {"brand": "Chromium", "version": "144"}],
    "platform": "Android", "platformVersion": "15.0.0", "model": "Pixel 8", "architecture": "", "mobile": True}


@pytest.fixture
def phone():
    """A browser with the user agent of Chrome on Android, which sends client hints only if requested."""
    with chromium() as driver:
        driver.execute_cdp_cmd(
            "Network.setUserAgentOverride", {"userAgent": USER_AGENT, "userAgentMetadata": HINTS})
        yield driver


@pytest.mark.parametrize("data", [{"$android_redirect_timeout": 10000}, {"$web_only": True}], ids=["page", "redirect"])
def test_a_browser_tells_its_model_from_the_second_click_on(phone, own_server, data):
    app = own_server.create_app("Orchard", "--android-uri-scheme", "orchard")
    url = app.create_link(data=data | {"$fallback_url": own_server.base_url + "/healthz"})

    phone.get(url)
    phone.get(url)

    # Each visit is one click: no browser is asked to repeat the first.
    clicks = own_server.query(
        "SELECT os, os_version, strings.value FROM clicks LEFT JOIN strings ON strings.id = model_id ORDER BY clicks.id")
    assert clicks == [("Android", None, None), ("Android", "15", "Pixel 8")]
