"""Pages in all languages with an app's branding: readable, small, and no wider than the smallest phone."""

import pytest

from support.browser import chromium, dress
from support.server import Server, running
from support.visitors import desktop, iphone
from support.waiting import eventually
from test_link_pages import CONTRASTS, fits

LANGUAGES = ["en", "de", "fr", "es", "pt", "ja"]


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """A server with a text message gateway, so that its page for desktops has the form."""
    with running(Server(tmp_path_factory.mktemp("linden"), {"LINDEN_SMS_GATEWAY_URL": "http://127.0.0.1:9/send"})) as server:
        yield server


@pytest.fixture(scope="module")
def browser():
    with chromium() as driver:
        yield driver


@pytest.fixture(scope="module")
def paths(server):
    """The pages of an app by name."""
    app = server.create_app(
        "بستان التفاح", "--ios-uri-scheme", "orchard", "--ios-app-store-id", "1234567890", "--android-package", "com.example.orchard",
        "--set", "pages.color=#ffd400", "--set", "pages.background_color=#fff7d0")
    link = app.create_link(data={"$og_title": "Conference pears", "$og_description": "Picked this morning."})
    deepview = app.create_link(data={"$og_title": "Conference pears", "$ios_deepview": "x"})
    copying = app.create_link(data={"$og_title": "Conference pears", "$ios_nativelink": True})
    expired = app.create_link(expires_at="2020-01-01T00:00:00Z")
    return {
        "deepview": (deepview, iphone()), "copying": (copying, iphone()), "code": (link, desktop()), "expired": (expired, iphone()),
        "not-found": (server.base_url + "/nothing", iphone()), "root": (server.base_url + "/", desktop())}


@pytest.mark.parametrize("is_dark", [False, True])
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", ["deepview", "copying", "code", "expired", "not-found", "root"])
def test_each_page_reads_well_in_each_language(browser, paths, tmp_path, name, language, is_dark):
    url, visitor = paths[name]
    for width in [320, 1200]:
        is_phone = width == 320 and visitor.device != {}
        dress(browser, visitor, width, 720, is_phone=is_phone, is_dark=is_dark, language=language)
        browser.get_log("browser")
        browser.get(url)
        browser.save_screenshot(str(tmp_path / f"{name}-{language}-{width}.png"))

        assert browser.find_element("tag name", "html").get_attribute("lang") == language
        assert fits(browser)
        assert len(browser.page_source.encode()) < 20_000
        contrasts = browser.execute_script(CONTRASTS)
        assert contrasts and min(contrasts) >= 4.5, contrasts
        complaints = [entry["message"] for entry in browser.get_log("browser")]
        assert [text for text in complaints if "favicon" not in text and "status of 4" not in text] == []


def test_a_domains_own_pages_are_set_on_the_command_line(server):
    host = "go.meadow.example"
    app = server.create_app("Meadow", "--domain", host)
    link = app.create_link(max_clicks=1).rsplit("/", 1)[1]
    at = {"Host": host, "Accept": "text/html"}

    updated = server.ask(
        "domains", "update", host, "--app", app.branch_key, "--root-url", "https://meadow.example.com/",
        "--not-found-url", "https://meadow.example.com/404", "--expired-url", "https://meadow.example.com/over")

    assert updated == {
        "domain": host, "app_id": app.app_id, "mode": "live", "root_url": "https://meadow.example.com/",
        "not_found_url": "https://meadow.example.com/404", "expired_url": "https://meadow.example.com/over"}
    (listed,) = [entry for entry in server.ask("domains", "list") if entry["domain"] == host]
    assert listed == updated | {"associated_app_ids": []}
    eventually(lambda: server.get("/", at).location == "https://meadow.example.com/")
    assert server.get("/nothing", at).location == "https://meadow.example.com/404"
    # The second visit is answered from memory, ahead of the router.
    assert server.get("/" + link, at | iphone().headers).status == 200
    for _ in range(2):
        answer = server.get("/" + link, at | iphone().headers)
        assert (answer.status, answer.location) == (302, "https://meadow.example.com/over")

    server.ask("domains", "update", host, "--app", app.branch_key, "--root-url", "")
    eventually(lambda: server.get("/", at).location == "https://meadow.example.com/404")


@pytest.fixture(scope="module")
def pear(server):
    return server.create_app("Pear", "--domain", "go.pear.example")


@pytest.mark.parametrize("flags, complaint", [
    ([], "at least one"), (["--root-url", "meadow"], "root_url"), (["--not-found-url", "http://go.pear.example/x"], "which is a link domain"),
])
def test_what_is_no_page_for_a_domain_is_refused(server, pear, flags, complaint):
    done = server.command("domains", "update", "go.pear.example", "--app", pear.branch_key, *flags)

    assert done.status == (1 if flags else 64)
    assert complaint in done.err
