"""A day of those who change nothing in the dashboard, and a walk through its pages by the keyboard alone."""

import re
from urllib.parse import urlsplit

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from support.browser import chromium
from support.forms import PASSWORD, fill, follow, press, submit, text
from support.visitors import iphone
from support.waiting import eventually


@pytest.fixture(scope="module")
def browser():
    with chromium() as driver:
        yield driver


@pytest.fixture(params=["with scripts", "without scripts"])
def visitor(browser, request):
    browser.delete_all_cookies()
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": request.param == "without scripts"})
    yield browser
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})


def sign_in(browser, server, role, request):
    name = f"{role}-" + re.sub(r"\W", "-", request.node.name)
    browser.get(server.ask("users", "create", name, "--role", role)["set_up_url"])
    fill(browser, password=PASSWORD, repeated=PASSWORD)


def sign_out(browser):
    press(browser, browser.find_element(By.CSS_SELECTOR, "header form button"))
    assert urlsplit(browser.current_url).path == "/dashboard/sign-in"


def menu(browser):
    """The pages of the app that the menu names."""
    return {link.text for link in browser.find_elements(By.CSS_SELECTOR, "nav.app a")} - {"Apps", "switch to test"}


def get(browser, server, path):
    """What the server answers to the browser's user."""
    cookie, = browser.get_cookies()
    return server.get(path, {"Cookie": f"{cookie['name']}={cookie['value']}"})


def is_refused(browser, server, path):
    browser.get(server.base_url + path)
    return get(browser, server, path).status == 403 and browser.find_elements(By.LINK_TEXT, "To the start page") != []


def choose(browser, app):
    """Follows the app's link on the page of all apps."""
    press(browser, browser.find_element(By.CSS_SELECTOR, f"main a[href*='{app.app_id}']"))


def install_by_a_link(app, alias):
    phone = iphone()
    app.click(app.create_link(alias=alias, channel="mail", data={"$og_title": "A crate of Cox"}), phone)
    app.install(phone, identity="ann")


def test_an_analysts_day(visitor, server, app, request):
    install_by_a_link(app, "analyst-" + app.app_id)
    sign_in(visitor, server, "analyst", request)
    choose(visitor, app)
    assert menu(visitor) == {"Overview", "Analytics", "Links", "Events", "Content", "Rewards"}

    # Figures, with the period before, and as a file.
    follow(visitor, "Analytics")
    submit(visitor, "Show", by="channel", granularity="all")
    eventually(lambda: "mail" in text(visitor) or visitor.refresh(), within=10)
    follow(visitor, "Top")
    submit(visitor, "Show", by="platform")
    assert "ios" in text(visitor)
    address = visitor.find_element(By.LINK_TEXT, "Download as CSV").get_attribute("href")
    table = get(visitor, server, address.removeprefix(server.base_url))
    assert table.status == 200 and table.text.startswith("platform,")

    # Links can be looked at and not changed; rows of people not even looked at.
    follow(visitor, "Links")
    assert "analyst" in text(visitor) and visitor.find_elements(By.LINK_TEXT, "Create a link") == []
    for page in ("sessions", "identities", "credits", "live", "exports", "settings", "links/new"):
        assert is_refused(visitor, server, f"/dashboard/apps/{app.app_id}/{page}"), page
    sign_out(visitor)


def test_a_supporters_day(visitor, server, app, request):
    install_by_a_link(app, "support-" + app.app_id)
    server.post("/v1/credits", app.secret | {"identity": "ann", "amount": 30, "type": "credit"})
    sign_in(visitor, server, "support", request)
    choose(visitor, app)
    assert menu(visitor) == {"Live", "Links", "Attribution", "Identities", "Credits", "Rewards"}

    # "I tapped your link and came to the start page": which link, and why?
    fill(visitor, search="crate of cox")
    assert "support" in text(visitor)
    follow(visitor, "Attribution")
    follow(visitor, "explain")
    assert "What was compared" in text(visitor) and "won" in text(visitor)

    # "Where are my credits?"
    follow(visitor, "Credits")
    submit(visitor, "Look up", identity="ann")
    assert visitor.find_element(By.CSS_SELECTOR, ".cards .value").text == "30"
    assert {button.text for button in visitor.find_elements(By.CSS_SELECTOR, "main form button")} == {"Look up"}, "Nothing can be granted."
    follow(visitor, "Identities")
    submit(visitor, "Look up", identity="ann")
    assert "install" in text(visitor).lower() and visitor.find_elements(By.LINK_TEXT, "Erase the user") == []

    for page in ("", "analytics", "exports", "settings", "links/new"):
        assert is_refused(visitor, server, f"/dashboard/apps/{app.app_id}/{page}".rstrip("/")), page
    sign_out(visitor)


# What can be focused, in the order of the document. Fields of closed groups cannot.
FOCUSABLE = """
return [...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"]')]
    .filter(e => !e.disabled && e.type !== 'hidden' && e.tabIndex >= 0 && e.checkVisibility({visibilityProperty: true}))
    .filter(e => e.type !== 'radio' || e.checked)"""
FOCUS = """
const e = document.activeElement, box = e.getBoundingClientRect(), style = getComputedStyle(e);
return [e, e.type?.startsWith('date') || style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2, box.bottom > 0 && box.top < innerHeight && box.width > 0]"""


@pytest.mark.parametrize("page", ["", "/links", "/links/new", "/analytics", "/sessions", "/settings"])
def test_the_keyboard_alone_reaches_all_that_can_be_used_and_shows_where_it_is(browser, server, app, page, request):
    browser.delete_all_cookies()
    sign_in(browser, server, "admin", request)
    app.create_link()
    browser.get(f"{server.base_url}/dashboard/apps/{app.app_id}{page}")
    expected = browser.execute_script(FOCUSABLE)
    # From the beginning of the page, also where it sets the focus itself.
    browser.execute_script("document.activeElement.blur(); scrollTo(0, 0); getSelection().removeAllRanges()")

    reached = []
    # The parts of a field for a time are reached one by one.
    for _ in range(len(expected) + 8 * len(browser.find_elements(By.CSS_SELECTOR, "input[type^=date]"))):
        browser.switch_to.active_element.send_keys(Keys.TAB)
        element, is_outlined, is_in_view = browser.execute_script(FOCUS)
        assert is_outlined and is_in_view, element.get_attribute("outerHTML")
        reached.append(element)
        if len(set(reached)) == len(expected):
            break

    assert set(reached) == set(expected), "Tab leaves no element out and is caught by none."


def test_the_first_tab_offers_to_skip_the_menu(browser, server, app, request):
    browser.delete_all_cookies()
    sign_in(browser, server, "admin", request)
    browser.get(f"{server.base_url}/dashboard/apps/{app.app_id}")

    browser.find_element(By.TAG_NAME, "body").send_keys(Keys.TAB)
    skip = browser.switch_to.active_element
    assert skip.text == "Skip to content" and skip.is_displayed()
    skip.send_keys(Keys.ENTER)
    browser.switch_to.active_element.send_keys(Keys.TAB)

    main = browser.find_element(By.TAG_NAME, "main")
    assert browser.execute_script("return arguments[0].contains(document.activeElement)", main)
