"""The live page of the dashboard in a real browser, and its stream."""

import json
from urllib.parse import urlsplit

import pytest
from selenium.webdriver.common.by import By

from support import wire
from support.browser import chromium, heading
from support.visitors import android, desktop, iphone
from support.waiting import eventually

PASSWORD = "a crate of twelve apples"


@pytest.fixture
def browser():
    with chromium() as driver:
        yield driver


def sign_in(browser, server, name, role="support"):
    browser.get(server.ask("users", "create", name, "--role", role)["set_up_url"])
    for field in ("password", "repeated"):
        browser.find_element(By.NAME, field).send_keys(PASSWORD)
    browser.find_element(By.CSS_SELECTOR, "main form button").click()
    eventually(lambda: heading(browser) == "Apps")


def rows(browser):
    return [row.text for row in browser.find_elements(By.CSS_SELECTOR, "#live tbody tr")]


def state(browser):
    return browser.find_element(By.ID, "live-state").text


def test_what_happens_appears_can_be_paused_and_ends_with_the_session(browser, server, app):
    sign_in(browser, server, "live")
    page = f"{server.base_url}/dashboard/apps/{app.app_id}/live"
    browser.get(page)
    eventually(lambda: state(browser) == "Listening")
    assert "Nothing in the last 24 hours." in browser.find_element(By.TAG_NAME, "main").text

    link, phone = app.create_link(channel="mail", data={"$og_title": "A crate of Cox"}), iphone()
    app.click(link, phone)
    app.install(phone)
    eventually(lambda: len(rows(browser)) == 2, within=10)
    assert "Install" in rows(browser)[0] and "Click" in rows(browser)[1] and "A crate of Cox" in rows(browser)[1]
    assert "Nothing in the last" not in browser.find_element(By.TAG_NAME, "main").text

    button = browser.find_element(By.ID, "live-pause")
    button.click()
    app.click(link, android())
    eventually(lambda: state(browser) == "Paused, 1 new", within=10)
    assert len(rows(browser)) == 2
    button.click()
    assert len(rows(browser)) == 3 and state(browser) == "Listening"
    assert [entry for entry in browser.get_log("browser") if entry["level"] == "SEVERE"] == []

    browser.find_element(By.LINK_TEXT, "Install").click()
    eventually(lambda: heading(browser) == "Why?")

    # Disabled meanwhile: the stream ends, and the script says so.
    browser.get(page)
    eventually(lambda: state(browser) == "Listening")
    server.ask("users", "disable", "live")
    eventually(lambda: state(browser) == "The stream has ended. Refresh the page to go on.", within=20)


def test_only_the_chosen_kind_appears(browser, server, app):
    sign_in(browser, server, "live-kind")
    browser.get(f"{server.base_url}/dashboard/apps/{app.app_id}/live?show=installs")
    eventually(lambda: state(browser) == "Listening")
    phone = iphone()
    app.click(app.create_link(channel="mail"), phone)
    app.install(phone)
    eventually(lambda: rows(browser), within=10)
    assert len(rows(browser)) == 1 and "Install" in rows(browser)[0]


def test_the_stream_has_only_rows_of_the_chosen_kind_and_platform(browser, server, app):
    sign_in(browser, server, "live-platform")
    browser.get(f"{server.base_url}/dashboard/apps/{app.app_id}/live?platform=ios")
    eventually(lambda: state(browser) == "Listening")
    cookie = "; ".join(f"{cookie['name']}={cookie['value']}" for cookie in browser.get_cookies())
    link, phone = app.create_link(channel="mail"), iphone()

    def received(query, act, rows):
        """The rows of a stream that ends after a number of them."""
        address = urlsplit(server.base_url)
        connection = wire.connect(address.port)
        try:
            connection.sendall(
                f"GET /dashboard/apps/{app.app_id}/live/stream?{query}&limit={rows} HTTP/1.1\r\nHost: {address.netloc}\r\n"
                f"Cookie: {cookie}\r\nConnection: close\r\n\r\n".encode())
            text = b""
            while b": listening" not in text:
                text += connection.recv(65536)
            act()
            while more := connection.recv(65536):
                text += more
        finally:
            connection.close()
        return [json.loads(line.removeprefix("data: ")) for line in text.decode().splitlines() if line.startswith("data: ")]

    def act():
        for visitor in (android(), phone, desktop(), phone):
            app.click(link, visitor)
        app.install(phone)

    assert [row["system"].split()[0] for row in received("platform=ios", act, 3)] == ["iOS"] * 3
    assert [row["what"] for row in received("show=installs&platform=ios", lambda: (act(), app.install(iphone())), 1)] == ["Install"]
    assert [row["system"].split()[0] for row in received("show=clicks&platform=android", act, 1)] == ["Android"]
    assert [row["system"].split()[0] for row in received("platform=other", act, 1)] == ["Windows"]
    eventually(lambda: rows(browser), within=10)
    assert all("iOS" in row for row in rows(browser))


def test_without_scripts_a_link_reads_the_rows_again(browser, server, app):
    sign_in(browser, server, "live-plain")
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    browser.get(f"{server.base_url}/dashboard/apps/{app.app_id}/live")
    assert not browser.find_element(By.ID, "live-pause").is_displayed()
    app.click(app.create_link(channel="mail"), iphone())

    def refreshed():
        browser.find_element(By.LINK_TEXT, "Refresh").click()
        return rows(browser)

    eventually(refreshed, within=10)
    assert "mail" in rows(browser)[0]


def test_a_user_can_have_ten_streams(browser, server, app):
    sign_in(browser, server, "live-many")
    cookie = "; ".join(f"{cookie['name']}={cookie['value']}" for cookie in browser.get_cookies())
    browser.quit()
    address = urlsplit(server.base_url)
    path = f"/dashboard/apps/{app.app_id}/live/stream"

    def status():
        connection = wire.connect(address.port)
        connection.sendall(f"GET {path} HTTP/1.1\r\nHost: {address.netloc}\r\nCookie: {cookie}\r\n\r\n".encode())
        return connection, connection.recv(65536).split(b" ", 2)[1]

    opened = []
    try:
        for _ in range(10):
            opened.append(status())
        assert [code for _, code in opened] == [b"200"] * 10
        eventually(lambda: refused(status), within=10)
    finally:
        for connection, _ in opened:
            connection.close()

    # Their places are free once they are gone, which the server notices when it next writes to them.
    def admitted():
        connection, code = status()
        connection.close()
        return code == b"200"

    app.click(app.create_link(channel="mail"), iphone())
    eventually(admitted, within=30)


def refused(status):
    connection, code = status()
    connection.close()
    return code == b"503"
