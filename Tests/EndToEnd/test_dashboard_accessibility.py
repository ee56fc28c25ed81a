"""Every page of the dashboard as axe-core sees it, in light and dark: the pages that an administrator can reach by links."""

import re
from urllib.parse import parse_qsl, urlsplit

import pytest
from selenium.webdriver.common.by import By

from support.accessibility import violations
from support.browser import chromium
from support.visitors import iphone
from support.waiting import eventually

PASSWORD = "a crate of twelve apples"


@pytest.fixture(scope="module")
def browser(server):
    with chromium() as driver:
        driver.get(server.ask("users", "create", "ann", "--role", "admin")["set_up_url"])
        for name in ("password", "repeated"):
            driver.find_element(By.NAME, name).send_keys(PASSWORD)
        driver.find_element(By.CSS_SELECTOR, "main form button").click()
        yield driver


@pytest.fixture(scope="module")
def app(server):
    """An app with something on each of its pages."""
    app = server.create_app(
        "Orchard", "--ios-uri-scheme", "orchard", "--default-url", "https://orchard.example.com/", "--set",
        "fraud.rewards_per_address=1")
    key = app.branch_key
    server.ask("rewards", "add", "--app", key, "--event", "install", "--reward", "actor", "--amount", "10")
    server.ask("domains", "add", "links.orchard.example", "--app", key)
    server.ask("tokens", "create", "reports", "--role", "analyst", "--app", key)
    server.ask("links", "templates", "save", "Newsletter", "--app", key, "--channel", "mail", "--tag", "red")
    link = app.create_link(data={"$og_title": "A crate of Cox"}, channel="mail", tags=["red"])
    phone = iphone()
    app.click(link, phone)
    app.install(phone, identity="ann")
    for _ in range(2):
        app.install(iphone().at(phone.address), universal_link_url=link)
    server.ask("credits", "grant", "ann", "50", "--app", key)
    return app


def reachable(browser, starts, app):
    """Shows one page of each kind that links lead to, and yields its address: numbers, keys and searched texts do not tell kinds apart."""
    found, waiting = set(), list(starts)
    while waiting:
        address = waiting.pop(0)
        parts = urlsplit(address)
        query = dict(parse_qsl(parts.query))
        path = re.sub(r"[0-9a-f-]{36}|\d{4,}|[\w-]+(\.[\w-]+){2,}", "*", parts.path)
        kind = path + "".join(f" {name}" for name in sorted(query) if name in ("identity", "transaction", "question"))
        kind += query.get("question", "") + query.get("show", "")
        if kind in found or not parts.path.startswith("/dashboard") or re.search(r"/(download|assets|code\.(svg|png|jpeg))|\.csv", parts.path):
            continue
        # Of two apps or sides, one.
        if "/apps/" in parts.path and f"/apps/{app.app_id}" not in parts.path or ".test" in parts.path:
            continue
        found.add(kind)
        browser.get(address)
        waiting += browser.execute_script("return [...document.links].map(link => link.href)")
        yield address


def show(browser, scheme):
    """Shows pages in a colour scheme, without transitions, in the middle of which axe-core would measure."""
    browser.execute_cdp_cmd(
        "Emulation.setEmulatedMedia",
        {"features": [{"name": "prefers-color-scheme", "value": scheme}, {"name": "prefers-reduced-motion", "value": "reduce"}]})


def test_axe_finds_nothing_on_any_page(browser, server, app):
    base = server.base_url
    user = f"{base}/dashboard/apps/{app.app_id}"
    sections, faults = set(), []
    for page in reachable(browser, [base + "/dashboard", f"{user}/identities?identity=ann", f"{user}/credits?identity=ann"], app):
        sections.add(re.sub(r".*/apps/\d+/?", "", page).split("?")[0].split("/")[0])
        # The schemes differ in colours only.
        for scheme, rules in [("light", []), ("dark", ["color-contrast"])]:
            show(browser, scheme)
            faults += [f"{urlsplit(page).path} ({scheme}): {violation}" for violation in violations(browser, rules)]
    assert sections >= {
        "analytics", "links", "sessions", "identities", "credits", "rewards", "held-rewards", "exports", "domains", "settings",
        "tokens", "set-up", "keys", "audit"}, sections
    assert faults == [], "\n".join(faults)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_on_forms_with_a_message(browser, server, app, scheme):
    show(browser, scheme)
    user = f"{server.base_url}/dashboard/apps/{app.app_id}"
    for page, fields in [
        ("settings", {"web_url": "nowhere"}), ("rewards/new", {"event": "x" * 64, "amount": "5"}), ("domains", {"domain": "a b"}),
        ("exports", {"start_date": "soon"}), ("analytics", {"from": "soon"}), ("links/new", {"alias": "a b"}),
    ]:
        browser.get(f"{user}/{page}")
        for name, value in fields.items():
            field = browser.find_element(By.NAME, name)
            field.clear()
            field.send_keys(value)
        field.submit()
        eventually(lambda: browser.find_elements(By.CSS_SELECTOR, "[aria-invalid=true]"))
        assert violations(browser) == [], page


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_at_the_sign_in(server, scheme):
    with chromium() as driver:
        show(driver, scheme)
        driver.get(f"{server.base_url}/dashboard/sign-in")
        assert violations(driver) == []
        driver.get(server.ask("users", "create", f"bob-{scheme}", "--role", "support")["set_up_url"])
        assert violations(driver) == []
