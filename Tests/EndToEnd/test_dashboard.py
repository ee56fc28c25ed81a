"""The dashboard in a real browser: a day at work, and what a first try on a laptop needs."""

import re
from datetime import datetime, timedelta
from urllib.parse import urlsplit

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.select import Select

from support.browser import chromium
from support.forms import PASSWORD, fill, follow, press, submit, text
from support.server import Server, running
from support.terminal import serving_at_terminal
from support.visitors import iphone
from support.waiting import eventually


@pytest.fixture(scope="module")
def browser():
    with chromium() as driver:
        yield driver


@pytest.fixture(params=["with scripts", "without scripts"])
def visitor(browser, request):
    """The browser without cookies, once as usual and once with JavaScript turned off. Asserts that no page reports an error."""
    browser.delete_all_cookies()
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": request.param == "without scripts"})
    browser.get_log("browser")
    yield browser
    faults = [entry for entry in browser.get_log("browser") if not re.search("40[014]", entry["message"])]
    assert faults == []
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})


def test_a_day_at_work(visitor, server, app, request):
    name = re.sub(r"\W", "-", request.node.name)
    visitor.get(server.ask("users", "create", name, "--role", "editor")["set_up_url"])

    # The invitation.
    fill(visitor, password=PASSWORD, repeated="another password")
    assert "The two passwords differ." in text(visitor)
    fill(visitor, password=PASSWORD, repeated=PASSWORD)
    eventually(lambda: urlsplit(visitor.current_url).path == "/dashboard")

    # A link.
    visitor.get(f"{server.base_url}/dashboard/apps/{app.app_id}")
    assert "Nothing has happened yet" in text(visitor)
    follow(visitor, "Links")
    follow(visitor, "Create the first link")
    visitor.find_element(By.NAME, "$og_title").send_keys("A crate of Cox")
    if "without" in request.node.name:
        press(visitor, visitor.find_element(By.XPATH, "//main//button[normalize-space()='Preview']"))
    eventually(lambda: "A crate of Cox" in visitor.find_element(By.ID, "preview").text)
    fill(visitor, og_title="A crate of Cox", deeplink="apples/cox", alias="a b")
    assert "alias may contain only" in text(visitor)
    assert visitor.find_element(By.NAME, "$og_title").get_attribute("value") == "A crate of Cox"
    alias = "cox-" + name.lower()
    fill(visitor, alias=alias, channel="mail")
    assert "The link was created." in text(visitor)
    link = visitor.current_url
    assert [row.text.split()[0] for row in visitor.find_elements(By.CSS_SELECTOR, "main tbody tr")][:4] == [
        "iPhone", "Android", "Desktop", "Robot"]
    assert visitor.find_element(By.TAG_NAME, "img").get_property("naturalWidth") > 0

    # Its click, and the install that it leads to.
    phone = iphone()
    assert app.click(f"{server.base_url}/{alias}", phone).status == 200
    app.install(phone)
    visitor.get(link)
    assert "Latest clicks" in text(visitor) and "iOS 17.5.1" in text(visitor)
    follow(visitor, "Overview")
    assert visitor.find_element(By.CSS_SELECTOR, ".cards .current .value").text == "1"
    assert "A crate of Cox" in text(visitor)

    # Why.
    follow(visitor, "Attribution")
    follow(visitor, "explain")
    assert "What was compared" in text(visitor) and "won" in text(visitor)

    # Archived and restored; searching, and signing out.
    visitor.get(link)
    press(visitor, visitor.find_element(By.XPATH, "//main//button[normalize-space()='Archive']"))
    assert "This link is archived" in text(visitor)
    follow(visitor, "Links")
    fill(visitor, search="crate of cox")
    assert alias not in text(visitor)
    visitor.get(link)
    press(visitor, visitor.find_element(By.XPATH, "//main//button[normalize-space()='Restore from the archive']"))
    follow(visitor, "Links")
    fill(visitor, search="crate of cox")
    assert alias in text(visitor)
    page = visitor.current_url
    press(visitor, visitor.find_element(By.CSS_SELECTOR, "header form button"))
    assert urlsplit(visitor.current_url).path == "/dashboard/sign-in"

    # A wrong password, and back to the page.
    visitor.get(page)
    fill(visitor, name=name, password="something else")
    eventually(lambda: "The name or the password is wrong." in text(visitor))
    fill(visitor, password=PASSWORD)
    eventually(lambda: visitor.current_url == page)


def test_an_administrators_day(visitor, server, app, request):
    name = "admin-" + re.sub(r"\W", "-", request.node.name)
    visitor.get(server.ask("users", "create", name, "--role", "admin")["set_up_url"])
    fill(visitor, password=PASSWORD, repeated=PASSWORD)
    home = f"{server.base_url}/dashboard/apps/{app.app_id}"

    # Settings: a mistake leaves all as they were.
    visitor.get(home)
    follow(visitor, "Settings")
    submit(visitor, "Save", ios_url="https://ios.example.com", web_url="nowhere")
    assert "Nothing was saved." in text(visitor)
    assert visitor.find_element(By.NAME, "ios_url").get_attribute("value") == "https://ios.example.com"
    submit(visitor, "Save", web_url="https://orchard.example.com/shop", always_open_app="false")
    assert "The settings were saved." in text(visitor)
    stored = server.ask("apps", "show", app.app_id)["settings"]
    assert stored["ios_url"] == "https://ios.example.com" and stored["web_url"] == "https://orchard.example.com/shop"
    assert stored["always_open_app"] == "false"

    # A domain, and its removal by name.
    host = f"links-{app.app_id}.example.com"
    follow(visitor, "Domains")
    submit(visitor, "Add the domain", domain=host)
    assert f"Links on {host} are for Orchard." in text(visitor)
    follow(visitor, "Remove the domain")
    submit(visitor, "Remove the domain", confirmation="another")
    assert "This is not the domain." in text(visitor)
    submit(visitor, "Remove the domain", confirmation=host)
    assert "The domain was removed." in text(visitor)

    # A token, which is shown once.
    follow(visitor, "Tokens")
    follow(visitor, "Create a token")
    submit(visitor, "Create the token", name="reports-" + app.app_id)
    token = re.search(r"linden_[A-Za-z0-9]{40}", text(visitor)).group()
    assert server.get(f"/api/v1/apps/{app.app_id}", {"Access-Token": token}).status == 200
    follow(visitor, "To the tokens")
    assert token not in visitor.page_source

    # A rule, and credits.
    follow(visitor, "Rewards")
    follow(visitor, "Create the first rule")
    submit(visitor, "Create the rule", event="PURCHASE", amount="5", reward="referrer")
    assert "The rule was created." in text(visitor) and "PURCHASE" in text(visitor)
    follow(visitor, "Credits")
    submit(visitor, "Look up", identity="ann")
    submit(visitor, "Grant", amount="50")
    submit(visitor, "Redeem", amount="20")
    assert visitor.find_element(By.CSS_SELECTOR, ".cards .value").text == "30"
    follow(visitor, "reverse")
    submit(visitor, "Reverse the transaction", confirmation="ann", fraud="true")
    assert visitor.find_element(By.CSS_SELECTOR, ".cards .value").text == "50"

    # Figures, an export, and a user's data.
    app.click(app.create_link(channel="mail"), iphone())
    follow(visitor, "Analytics")
    submit(visitor, "Show", by="channel", granularity="all")
    eventually(lambda: "mail" in text(visitor) or visitor.refresh(), within=10)
    follow(visitor, "Exports")
    submit(visitor, "Order the export", start_date="today", end_date="today")
    eventually(lambda: visitor.find_elements(By.LINK_TEXT, "download") or visitor.refresh(), within=10)
    assert visitor.find_element(By.LINK_TEXT, "download").get_attribute("href").endswith("/download")
    follow(visitor, "Identities")
    submit(visitor, "Look up", identity="ann")
    follow(visitor, "Erase the user")
    submit(visitor, "Erase the user", confirmation="ann")
    eventually(lambda: "The user's rows are erased." in text(visitor) or visitor.refresh(), within=10)


def test_an_editor_changes_several_links_and_reads_a_file(visitor, server, app, request, tmp_path):
    name = "bulk-" + re.sub(r"\W", "-", request.node.name)
    visitor.get(server.ask("users", "create", name, "--role", "editor")["set_up_url"])
    fill(visitor, password=PASSWORD, repeated=PASSWORD)
    for number in (1, 2, 3):
        app.create_link(alias=f"{name}-{number}", channel="mail")
    links = f"{server.base_url}/dashboard/apps/{app.app_id}/links?search={name}"
    visitor.get(links)

    # Tags for the first two.
    for box in visitor.find_elements(By.CSS_SELECTOR, "tbody input[type=checkbox]")[:2]:
        box.click()
    submit(visitor, "Change the selected links", action="add-tag", value="ripe")
    assert "2 links were changed." in text(visitor)
    follow(visitor, "Back to the links")
    assert visitor.current_url == links
    assert [("ripe" in row.text) for row in visitor.find_elements(By.CSS_SELECTOR, "tbody tr")] == [True, True, False]

    # Deleting asks once more.
    visitor.find_element(By.CSS_SELECTOR, "tbody input[type=checkbox]").click()
    submit(visitor, "Change the selected links", action="delete")
    submit(visitor, "Delete the links", confirmation="1")
    assert "1 link was deleted." in text(visitor)

    # A file: checked, then read.
    path = tmp_path / "links.csv"
    path.write_text(f"alias,channel\n{name}-4,sms\n{name}-1,sms\n", encoding="utf-8")
    for choice, says in [("true", "Nothing was created."), ("false", "The file was read.")]:
        visitor.get(links)
        follow(visitor, "Import a file")
        Select(visitor.find_element(By.NAME, "dry_run")).select_by_value(choice)
        visitor.find_element(By.NAME, "file").send_keys(str(path))
        press(visitor, visitor.find_element(By.CSS_SELECTOR, "main form button"))
        assert says in text(visitor)
        rows = [row.text for row in visitor.find_elements(By.CSS_SELECTOR, "tbody tr")]
        assert rows[0].startswith("3 refused") and "differs in channel" in rows[0]
        assert rows[1:] == ["2 to be created"] if choice == "true" else rows[1].startswith(f"2 created {server.base_url}/{name}-4")
    assert app.read(f"{server.base_url}/{name}-4")["channel"] == "sms"

    # What was done is on the link's page, with the user's name.
    visitor.get(links)
    follow(visitor, f"{urlsplit(server.base_url).netloc}/{name}-2")
    assert f"user {name}" in text(visitor) and "ripe" in text(visitor)


def test_an_administrator_creates_an_app_replaces_its_key_and_reads_who_did(visitor, server, request):
    name = "keys-" + re.sub(r"\W", "-", request.node.name)
    visitor.get(server.ask("users", "create", name, "--role", "admin")["set_up_url"])
    fill(visitor, password=PASSWORD, repeated=PASSWORD)
    follow(visitor, "Create an app")
    fill(visitor, name="Grove " + name, web_url="https://grove.example.com/")
    assert "Keep these secrets" in visitor.find_element(By.TAG_NAME, "h1").text
    follow(visitor, "To its set-up")
    follow(visitor, "Keys")
    former = visitor.find_element(By.CSS_SELECTOR, "tbody code").text
    submit(visitor, "Give the app a new key", overlap="7d")
    assert former in text(visitor)
    follow(visitor, "To the keys")
    assert "former, accepted until" in text(visitor)
    follow(visitor, "end")
    submit(visitor, "End the key", confirmation=former)
    assert "The key is refused from now on." in text(visitor)
    visitor.find_element(By.CSS_SELECTOR, "nav.app").find_element(By.LINK_TEXT, "Audit log").click()
    eventually(lambda: visitor.find_elements(By.TAG_NAME, "h1") and visitor.find_element(By.TAG_NAME, "h1").text == "Audit log")
    assert f"user {name}" in text(visitor) and "POST /dashboard/apps/{app}/keys/{key}/end" in text(visitor)


def test_keys_lead_to_search_creation_and_rows_until_they_are_turned_off(browser, server, app):
    browser.delete_all_cookies()
    browser.get(server.ask("users", "create", "keys", "--role", "editor")["set_up_url"])
    fill(browser, password=PASSWORD, repeated=PASSWORD)
    home = f"{server.base_url}/dashboard/apps/{app.app_id}"
    for channel in ("mail", "sms"):
        app.create_link(channel=channel)
    browser.get(home)

    def keys(*sent):
        browser.switch_to.active_element.send_keys(*sent)

    def focused():
        return browser.switch_to.active_element

    keys("/")
    eventually(lambda: focused().get_attribute("name") == "search")
    assert urlsplit(browser.current_url).path.endswith("/links")
    keys("c/")
    assert focused().get_attribute("value") == "c/", "Keys are typed into fields."
    browser.execute_script("document.querySelector('.scroll').focus()")
    keys(Keys.ARROW_DOWN)
    keys(Keys.ARROW_DOWN)
    rows = browser.find_elements(By.CSS_SELECTOR, "tbody tr")
    assert len(rows) == 2 and focused() == rows[1].find_element(By.TAG_NAME, "a")
    keys(Keys.ARROW_UP)
    assert focused() == rows[0].find_element(By.TAG_NAME, "a")
    keys("c")
    eventually(lambda: urlsplit(browser.current_url).path.endswith("/links/new"))

    browser.get(f"{server.base_url}/dashboard")
    toggle = browser.find_element(By.ID, "keys-toggle")
    assert toggle.text == "Turn keys off"
    toggle.click()
    assert toggle.text == "Turn keys on"
    browser.get(home)
    keys("c")
    keys("/")
    assert browser.current_url == home
    browser.execute_script("localStorage.clear()")


def test_times_are_in_the_zone_of_the_browser(browser, server, app):
    browser.delete_all_cookies()
    browser.get(server.ask("users", "create", "zoned", "--role", "admin")["set_up_url"])
    fill(browser, password=PASSWORD, repeated=PASSWORD)
    app.create_link(alias="zoned")
    browser.execute_cdp_cmd("Emulation.setTimezoneOverride", {"timezoneId": "Asia/Tokyo"})
    try:
        browser.get(f"{server.base_url}/dashboard/apps/{app.app_id}/links")
        time = browser.find_element(By.CSS_SELECTOR, "main time")
        shown, utc = (datetime.strptime(text[:16], "%Y-%m-%d %H:%M") for text in (time.text, time.get_attribute("title")))
        assert shown - utc == timedelta(hours=9) and time.get_attribute("title").endswith(" UTC")
    finally:
        browser.execute_cdp_cmd("Emulation.setTimezoneOverride", {"timezoneId": ""})


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_a_laptop_needs_no_certificate(browser, server, host):
    name = f"ann-{host}"
    created = server.ask("users", "create", name, "--role", "admin")
    browser.delete_all_cookies()
    browser.get(f"http://{host}:{server.port}{urlsplit(created['set_up_url']).path}")
    fill(browser, password=PASSWORD, repeated=PASSWORD)
    assert browser.find_element(By.TAG_NAME, "h1").text == "Apps"


@pytest.mark.parametrize("path", ["", "/links", "/links/new", "/sessions", "/analytics", "/settings", "/credits", "/rewards/new", "/exports", "/domains", "/live", "/links/import", "/links/templates", "/keys", "/audit", "/events",
    "/content"])
def test_pages_fit_a_narrow_screen(browser, server, app, path):
    name = "narrow" + path.replace("/", "-")
    browser.delete_all_cookies()
    browser.get(server.ask("users", "create", name, "--role", "admin")["set_up_url"])
    fill(browser, password=PASSWORD, repeated=PASSWORD)
    app.create_link(data={"$og_title": "A title that is rather long for such a narrow screen"}, channel="x" * 100)
    browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride", {"width": 320, "height": 640, "deviceScaleFactor": 1, "mobile": True})
    try:
        browser.get(f"{server.base_url}/dashboard/apps/{app.app_id}{path}")
        assert browser.execute_script("return document.documentElement.scrollWidth") <= 320
    finally:
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_a_link_is_created_at_400_percent(browser, server, app):
    """A window of 1280 by 1024 pixels, of which a page has a quarter each way."""
    browser.delete_all_cookies()
    browser.get(server.ask("users", "create", "zoomed", "--role", "editor")["set_up_url"])
    fill(browser, password=PASSWORD, repeated=PASSWORD)
    browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride", {"width": 320, "height": 256, "deviceScaleFactor": 4, "mobile": False})
    try:
        browser.get(f"{server.base_url}/dashboard/apps/{app.app_id}/links/new")
        for name in ("$og_title", "channel", "max_clicks"):
            browser.find_element(By.NAME, name).send_keys("7")
            assert browser.execute_script("""
                const field = document.activeElement, box = field.getBoundingClientRect();
                return document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2) === field""")
        fill(browser, alias="zoomed")
        assert "The link was created." in text(browser)
        assert browser.execute_script("return document.documentElement.scrollWidth") <= 320
    finally:
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


# MARK: The first start

def test_a_log_says_how_to_create_the_first_user_and_has_no_secret(own_server):
    # The server answers a moment before.
    eventually(lambda: "The dashboard has no user yet: linden users create NAME --role admin" in own_server.log)
    assert "set-up" not in own_server.log
    assert own_server.ask("users", "list") == []


def test_a_terminal_shows_the_first_user_an_address(tmp_path):
    database = f"sqlite:{tmp_path / 'linden.db'}"

    def start():
        screen = serving_at_terminal("--port", "0", "--database", database, until=r"set-up/[A-Za-z0-9]{40}\s")
        return re.findall(r"http://127\.0\.0\.1:\d+/dashboard/set-up/([A-Za-z0-9]{40})", screen)

    first, second = start(), start()
    assert len(first) == len(second) == 1 and first != second


def test_it_may_be_turned_off(tmp_path):
    with running(Server(tmp_path, {"LINDEN_DASHBOARD_ENABLED": "false"})) as server:
        assert server.get("/dashboard/sign-in").status == 404
        assert "has no user yet" not in server.log
