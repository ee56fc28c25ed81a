"""The pages at a link's address, in the browsers of phones and desktops."""

import re
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from subprocess import run

import pytest

from support.browser import chromium, dress
from support.visitors import android, desktop, iphone
from support.waiting import eventually

PICTURE = (b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1200 630"><rect width="1200" height="630" fill="#c9d86a"/>'
           b'<circle cx="600" cy="330" r="200" fill="#7d9b2a"/></svg>')

PEARS = {"$og_title": "Conference pears, picked this morning", "$og_description": "Two kilos from the old trees behind the barn."}

# What Chromium says of a scheme that no program on this machine opens: that the app was tried.
LAUNCHES = ("Not allowed to launch", "Failed to launch")


class Picture(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "image/svg+xml")
        self.end_headers()
        self.wfile.write(PICTURE)

    def log_message(self, *arguments):
        pass


@pytest.fixture(scope="module")
def picture():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Picture)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/pear.svg"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def one_browser():
    with chromium() as driver:
        yield driver


@pytest.fixture
def browser(request):
    """One browser for all, but another for a test that taps: once the app's scheme was tried, Chromium shows a dialog that takes every
    later tap."""
    if not request.node.get_closest_marker("taps"):
        yield request.getfixturevalue("one_browser")
        return
    with chromium() as driver:
        yield driver




@pytest.fixture
def app(server):
    """An app without a web page."""
    return server.create_app(
        "Orchard", "--ios-uri-scheme", "orchard", "--ios-app-store-id", "1234567890", "--android-uri-scheme", "orchard",
        "--android-package", "com.example.orchard")


@pytest.fixture
def visit(browser, tmp_path):
    """Opens an address as a visitor, and at the end checks what every page guarantees."""

    def open_page(url, visitor, name="page", is_dark=False, **size):
        is_phone = visitor.device != {}
        size = size or ({"width": 390, "height": 844} if is_phone else {"width": 1200, "height": 900})
        dress(browser, visitor, is_phone=is_phone, is_dark=is_dark, **size)
        browser.get_log("browser")
        browser.get(url)
        browser.save_screenshot(str(tmp_path / f"{name}.png"))
        assert (tmp_path / f"{name}.png").stat().st_size > 5_000
        return browser

    yield open_page
    messages = [entry["message"] for entry in browser.get_log("browser")]
    assert [text for text in messages if "favicon" not in text and not any(launch in text for launch in LAUNCHES)] == []


def fits(browser):
    """Returns whether nothing is wider than the screen."""
    return browser.execute_script("return document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("is_dark", [False, True])
@pytest.mark.parametrize(
    ("visitor", "data"),
    [
        (iphone(), {"$ios_redirect_timeout": 9000}), (iphone(), {"$ios_deepview": "branch_default"}),
        (iphone(), {"$ios_nativelink": True}), (android(), {"$android_redirect_timeout": 9000}),
        (android(), {"$android_passive_deepview": "x", "$android_redirect_timeout": 9000}), (desktop(), {}),
        (desktop(), {"$desktop_deepview": "x"}),
    ])
def test_each_page_fits_reads_well_and_is_small(app, visit, picture, visitor, data, is_dark):
    url = app.create_link(data=PEARS | {"$og_image_url": picture} | data)
    page = visit(url, visitor, is_dark=is_dark)

    assert page.find_element("tag name", "h1").text == PEARS["$og_title"]
    assert fits(page)
    assert len(page.page_source.encode()) < 20_000
    contrasts = page.execute_script(CONTRASTS)
    assert contrasts and min(contrasts) >= 4.5, contrasts
    sizes = page.execute_script(
        "return [...document.querySelectorAll('.button')].map(e => e.getBoundingClientRect().height)")
    assert all(height >= 44 for height in sizes)
    requests = page.execute_script("return performance.getEntriesByType('resource').map(entry => entry.name)")
    host = url.rsplit("/", 1)[0]
    report = re.compile(re.escape(host) + r"/c/\d+/device")
    assert {request for request in requests if not report.fullmatch(request)} <= {picture, host + "/favicon.ico"}


@pytest.mark.parametrize("width", [280, 320, 1920])
def test_long_words_and_small_screens_do_no_harm(app, visit, width):
    url = app.create_link(data={"$og_title": "Donaudampfschifffahrtsgesellschaft" * 4, "$og_description": "x" * 600,
                         "$ios_deepview": "x"})

    assert fits(visit(url, iphone(), width=width, height=700))


@pytest.mark.taps
def test_a_deepview_waits_for_its_button_and_then_goes_to_the_store(app, visit, server):
    store = server.base_url + "/healthz?store"
    url = app.create_link(data=PEARS | {"$ios_deepview": "branch_default", "$fallback_url": store, "$ios_redirect_timeout": 300})
    page = visit(url, iphone())
    page.implicitly_wait(0)
    assert not any("launch" in entry["message"] for entry in page.get_log("browser"))
    assert page.current_url == url

    page.find_element("id", "open").click()

    eventually(lambda: page.current_url.startswith(store + "&_branch_match_id="))


@pytest.mark.taps
def test_native_link_puts_the_link_onto_the_clipboard(app, visit, server):
    store = server.base_url + "/healthz?store"
    page = visit(app.create_link(data=PEARS | {"$ios_nativelink": True, "$ios_url": store, "pear": "conference"}), iphone())
    page.execute_cdp_cmd("Browser.grantPermissions", {"permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]})

    page.find_element("id", "copy").click()
    eventually(lambda: page.current_url.startswith(store + "&_branch_match_id="))
    copied = page.execute_async_script("navigator.clipboard.readText().then(arguments[0], error => arguments[0](String(error)))")

    assert copied.startswith(server.base_url + "/c/")
    session = app.install(iphone(), local_url=copied)
    assert (session.data["pear"], session.data["+match_guaranteed"]) == ("conference", True)


def test_android_is_tried_by_an_intent_first(app, visit, server):
    page = visit(app.create_link(data=PEARS | {"$fallback_url": server.base_url + "/healthz?web"}), android())

    tried = page.execute_script("return document.body.dataset.opens")
    assert tried.startswith("intent://open?link_click_id=")
    assert "S.browser_fallback_url=http%3A%2F%2F127.0.0.1" in tried
    eventually(lambda: page.current_url.startswith(server.base_url + "/healthz?web&_branch_match_id="))


def test_the_code_on_a_desktop_is_the_link(app, visit, tmp_path):
    url = app.create_link(data=PEARS) + "?ripe=yes"
    page = visit(url, desktop())
    picture = tmp_path / "code.png"
    picture.write_bytes(page.find_element("class name", "code").screenshot_as_png)

    assert scanned(picture) == url


@pytest.mark.taps
def test_without_scripts_the_page_still_leads_on(app, visit, browser, server):
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        page = visit(app.create_link(data={"$fallback_url": server.base_url + "/healthz?web"}), iphone())
        page.find_element("id", "fallback").click()
        eventually(lambda: page.current_url.startswith(server.base_url + "/healthz?web&_branch_match_id="))
    finally:
        browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})


def scanned(picture: Path):
    """Decodes a picture with a QR reader."""
    return run(["zbarimg", "--quiet", "--raw", str(picture)], capture_output=True, text=True, check=True).stdout.strip()


# The contrast of every text with what is behind it (WCAG 2.2, "contrast ratio").
CONTRASTS = """
const channel = value => { value /= 255; return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4; };
const light = color => { const [r, g, b] = color.match(/[\\d.]+/g).map(Number); return 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b); };
const behind = element => { for (; element; element = element.parentElement) {
    const color = getComputedStyle(element).backgroundColor; if (!/^rgba.*, 0\\)$/.test(color)) return color; } return 'rgb(255, 255, 255)'; };
const texts = [...document.querySelectorAll('main *')].filter(element =>
    [...element.childNodes].some(node => node.nodeType === 3 && node.textContent.trim()) && !element.closest('svg'));
return texts.map(element => { const [a, b] = [light(getComputedStyle(element).color), light(behind(element))];
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05); });
"""


def test_a_page_tells_the_screen_so_that_another_phone_behind_the_address_is_not_given_the_click(app, visit, server):
    phone = iphone().at("127.0.0.1")
    visit(app.create_link(data=PEARS | {"$ios_deepview": "branch_default"}), phone)
    time.sleep(1)  # The page waits for no answer to what it tells.

    larger = app.install(phone, screen_width=1290, screen_height=2796, screen_dpi=3)
    assert larger.data["+clicked_branch_link"] is False
    explanation = server.ask("explain", larger.answer["session_id"])
    assert "another screen" in explanation["candidates"][0]["reason"]

    assert app.install(phone, screen_width=1170, screen_height=2532, screen_dpi=3).data["$og_title"] == PEARS["$og_title"]

