"""The second factor of a user of the dashboard, in a real browser, with and without JavaScript."""

import re
import subprocess
from urllib.parse import parse_qs, urlsplit

import pytest
from selenium.webdriver.common.by import By

from support.accessibility import violations
from support.browser import chromium, heading, main_text
from support.totp import code, step
from support.waiting import eventually

PASSWORD = "a crate of twelve apples"


@pytest.fixture(params=["with scripts", "without scripts"])
def browser(request):
    with chromium() as driver:
        driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": request.param == "without scripts"})
        driver.has_scripts = request.param == "with scripts"
        yield driver


@pytest.fixture
def name(request):
    return re.sub(r"\W", "-", request.node.name)


def fill(browser, **fields):
    for field_name, value in fields.items():
        field = browser.find_element(By.NAME, field_name)
        field.clear()
        field.send_keys(value)
    browser.find_element(By.CSS_SELECTOR, "main form button").click()


def check(browser):
    """Asserts that the page is accessible."""
    if browser.has_scripts:
        assert violations(browser) == []


def sign_out(browser):
    browser.find_element(By.CSS_SELECTOR, "header form button").click()
    eventually(lambda: heading(browser) == "Sign in")


def recovery_codes(server, name, columns):
    return server.query(f"SELECT {columns} FROM dashboard_recovery_codes JOIN dashboard_users ON id = user_id WHERE name = '{name}'")


def set_up(browser, server, name):
    """Creates a user and sets up its second factor. The key, the step of the code that was used, and the recovery codes."""
    browser.get(server.ask("users", "create", name, "--role", "support")["set_up_url"])
    fill(browser, password=PASSWORD, repeated=PASSWORD)
    eventually(lambda: heading(browser) == "Apps")
    browser.find_element(By.LINK_TEXT, name).click()
    eventually(lambda: heading(browser) == name)
    browser.find_element(By.LINK_TEXT, "Set up a second factor").click()
    eventually(lambda: heading(browser) == "Set up a second factor")
    key = browser.find_element(By.CSS_SELECTOR, ".facts code").text
    now = step()
    fill(browser, code=code(key, now), password=PASSWORD)
    eventually(lambda: heading(browser) == "Recovery codes")
    return key, now, [cell.text for cell in browser.find_elements(By.CSS_SELECTOR, "td code")]


def listed(server, name):
    return next(user for user in server.ask("users", "list") if user["name"] == name)


def test_a_second_factor_is_set_up_used_and_turned_off(browser, server, name):
    browser.get(server.ask("users", "create", name, "--role", "support")["set_up_url"])
    fill(browser, password=PASSWORD, repeated=PASSWORD)
    eventually(lambda: heading(browser) == "Apps")
    page = f"{server.base_url}/dashboard/account"
    browser.get(page + "/second-factor")
    check(browser)
    picture = browser.find_element(By.CSS_SELECTOR, ".picture img")
    assert picture.size["width"] > 0
    key = browser.find_element(By.CSS_SELECTOR, ".facts code").text

    # A wrong code or password changes nothing, and the key stays.
    for fields, says in [({"code": "000000", "password": PASSWORD}, "code is not the one"),
                         ({"code": code(key, step()), "password": "another"}, "password is not the one")]:
        fill(browser, **fields)
        eventually(lambda: says in main_text(browser))
        assert browser.find_element(By.CSS_SELECTOR, ".facts code").text == key
        assert listed(server, name)["second_factor"] is False
        check(browser)
    now = step()
    fill(browser, code=code(key, now), password=PASSWORD)
    eventually(lambda: heading(browser) == "Recovery codes")
    check(browser)
    recovery = [cell.text for cell in browser.find_elements(By.CSS_SELECTOR, "td code")]
    assert len(set(recovery)) == 10
    assert listed(server, name)["second_factor"] is True
    sign_out(browser)

    # The password alone is not enough; the code that set it up is used.
    browser.get(page)
    fill(browser, name=name, password=PASSWORD)
    eventually(lambda: heading(browser) == "Second factor")
    check(browser)
    assert browser.get_cookies() == []
    fill(browser, code=code(key, now))
    eventually(lambda: "The code is wrong, or was used." in main_text(browser))
    assert browser.get_cookies() == []
    fill(browser, code=f"{code(key, now + 1)[:3]} {code(key, now + 1)[3:]}")
    eventually(lambda: browser.current_url == page)

    # Without the phone.
    sign_out(browser)
    for used in [False, True]:
        browser.delete_all_cookies()
        browser.get(f"{server.base_url}/dashboard/sign-in")
        fill(browser, name=name, password=PASSWORD)
        eventually(lambda: heading(browser) == "Second factor")
        fill(browser, code=recovery[0])
        eventually(lambda: "The code is wrong, or was used." in main_text(browser) if used else heading(browser) == "Apps")
    fill(browser, code=recovery[1].upper())
    eventually(lambda: heading(browser) == "Apps")

    # Turned off with the password.
    browser.get(page)
    assert "8 recovery codes are left." in main_text(browser)
    check(browser)
    fill(browser, password="another")
    eventually(lambda: "password is not the one" in main_text(browser))
    fill(browser, password=PASSWORD)
    eventually(lambda: "The second factor was turned off." in main_text(browser))
    assert listed(server, name)["second_factor"] is False
    assert recovery_codes(server, name, "COUNT(*)") == [(0,)]


def test_a_reset_removes_it(browser, server, name):
    _, _, recovery = set_up(browser, server, name)
    secrets = recovery_codes(server, name, "HEX(hash)")
    assert len(secrets) == 10 and not any(item.replace("-", "").encode().hex().upper() in str(secrets) for item in recovery)

    reset = server.ask("users", "reset", name)

    assert reset["second_factor"] is False
    browser.get(reset["set_up_url"])
    fill(browser, password=PASSWORD, repeated=PASSWORD)
    eventually(lambda: heading(browser) == "Apps")
    assert server.query(f"SELECT totp_secret FROM dashboard_users WHERE name = '{name}'") == [(None,)]


def test_the_qr_code_holds_the_key(browser, server, name, tmp_path):
    browser.get(server.ask("users", "create", name, "--role", "support")["set_up_url"])
    fill(browser, password=PASSWORD, repeated=PASSWORD)
    eventually(lambda: heading(browser) == "Apps")
    browser.get(f"{server.base_url}/dashboard/account/second-factor")
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": 1200, "height": 900, "deviceScaleFactor": 4, "mobile": False})
    picture = tmp_path / "code.png"
    picture.write_bytes(browser.find_element(By.CSS_SELECTOR, ".picture").screenshot_as_png)

    read = subprocess.run(["zbarimg", "--quiet", "--raw", picture], capture_output=True, text=True, timeout=60)

    url = urlsplit(read.stdout.strip())
    assert (url.scheme, url.netloc, url.path) == ("otpauth", "totp", f"/Linden%20127.0.0.1:{name}")
    assert parse_qs(url.query) == {
        "secret": [browser.find_element(By.CSS_SELECTOR, ".facts code").text], "issuer": ["Linden 127.0.0.1"]}
