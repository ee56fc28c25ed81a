"""Questions about figures that are shared by an address: from the dashboard, the command line and over HTTP, on the screen and in print."""

import re
from urllib.parse import urlsplit

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.support.select import Select

from support.accessibility import violations
from support.browser import chromium, heading
from support.visitors import iphone
from support.waiting import eventually

PASSWORD = "a crate of twelve apples"


@pytest.fixture(scope="module")
def browser():
    with chromium() as driver:
        yield driver


@pytest.fixture
def clicked(app):
    """An app with three clicks of two channels."""
    for channel, count in [("mail", 2), ("sms", 1)]:
        link = app.create_link(channel=channel)
        for _ in range(count):
            app.click(link, iphone())
    return app


def cells(browser):
    return [[cell.text for cell in row.find_elements(By.CSS_SELECTOR, "th, td")] for row in browser.find_elements(By.CSS_SELECTOR, "main tr")]


def is_shown(browser, selector):
    return any(element.is_displayed() for element in browser.find_elements(By.CSS_SELECTOR, selector))


@pytest.mark.parametrize("has_scripts", [True, False])
def test_an_editor_shares_a_question_and_ends_that(browser, server, clicked, has_scripts):
    browser.delete_all_cookies()
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": not has_scripts})
    name = f"editor-{has_scripts}-{clicked.app_id}"
    browser.get(server.ask("users", "create", name, "--role", "editor")["set_up_url"])
    for field in ("password", "repeated"):
        browser.find_element(By.NAME, field).send_keys(PASSWORD)
    browser.find_element(By.CSS_SELECTOR, "main form button").click()
    eventually(lambda: heading(browser) == "Apps")

    browser.get(f"{server.base_url}/dashboard/apps/{clicked.app_id}/analytics?question=top&by=channel&from=30d")
    browser.find_element(By.LINK_TEXT, "Share").click()
    eventually(lambda: heading(browser) == "Share a question")
    browser.find_element(By.NAME, "title").send_keys("Best channels")
    Select(browser.find_element(By.NAME, "days")).select_by_visible_text("7 days")
    browser.find_element(By.CSS_SELECTOR, "main form button").click()
    eventually(lambda: heading(browser) == "Send this address")
    address = browser.find_element(By.CSS_SELECTOR, ".facts code").text
    browser.find_element(By.LINK_TEXT, "To the shared questions").click()
    eventually(lambda: heading(browser) == "Shared questions")
    assert ["Best channels", "question=top from=30d by=channel", name] == cells(browser)[1][:3]
    (listed,) = server.ask("shares", "list", "--app", clicked.branch_key)
    assert listed["created_by"] == name and "url" not in listed

    # Another person's browser.
    with chromium() as other:
        other.get(address)
        assert heading(other) == "Best channels" and "Orchard" in other.title
        assert [row[:2] for row in cells(other)][1:] == [["mail", "2"], ["sms", "1"]]
        assert other.get_cookies() == [] and violations(other) == []
        assert not is_shown(other, "form, nav.app, .who")

        browser.find_element(By.CSS_SELECTOR, "main td form button").click()
        eventually(lambda: "The address is not valid any more." in browser.find_element(By.TAG_NAME, "main").text)
        other.refresh()
        assert "was revoked" in other.find_element(By.TAG_NAME, "main").text and violations(other) == []
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})


def test_the_page_prints_as_black_on_white_without_what_is_to_be_clicked(browser, server, clicked):
    browser.delete_all_cookies()
    shared = server.ask("shares", "create", "Best channels", "question=top&by=channel&from=30d", "--app", clicked.branch_key)
    browser.get(shared["url"])
    assert is_shown(browser, ".top")
    try:
        dark = {"name": "prefers-color-scheme", "value": "dark"}
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print", "features": [dark]})
        assert not is_shown(browser, ".top, form, nav, .buttons, details")
        body = browser.find_element(By.TAG_NAME, "body")
        assert body.value_of_css_property("background-color") == "rgba(255, 255, 255, 1)"
        assert body.value_of_css_property("color") == "rgba(0, 0, 0, 1)"
        assert is_shown(browser, "main h1") and is_shown(browser, "main table") and is_shown(browser, "main svg")
    finally:
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": []})


def test_the_same_is_done_on_the_command_line_and_over_http(server, clicked):
    token = server.ask("tokens", "create", "shares", "--role", "admin", "--app", clicked.app_id)["token"]
    headers = {"Authorization": "Bearer " + token}
    path = f"/api/v1/shares?app={clicked.branch_key}"
    created = server.ask("shares", "create", "Clicks", "question=counts&from=30d", "--days", "1", "--app", clicked.branch_key)
    over_http = server.post(path, {"title": "Clicks", "query": "question=counts&from=30d", "days": 1}, headers).json

    assert created.keys() == over_http.keys()
    for shared in (created, over_http):
        assert re.fullmatch(re.escape(server.base_url) + r"/dashboard/shared/[A-Za-z0-9]{40}", shared["url"])
        assert server.get(urlsplit(shared["url"]).path).status == 200
        assert shared["created_by"] is None and shared["title"] == "Clicks"
    listed = server.ask("shares", "list", "--app", clicked.branch_key)
    assert server.get(path, headers).json["shares"] == listed
    assert [shared["share_id"] for shared in listed] == [over_http["share_id"], created["share_id"]]
    # The other side of the app has its own.
    assert server.ask("shares", "list", "--app", clicked.test_branch_key) == []

    assert server.command("shares", "revoke", created["share_id"], "--app", clicked.branch_key, "--yes").status == 0
    deleted = server.send("DELETE", f"/api/v1/shares/{over_http['share_id']}?app={clicked.branch_key}", headers=headers)
    assert deleted.json == {"share_id": over_http["share_id"], "revoked": True}
    for shared in (created, over_http):
        assert server.get(urlsplit(shared["url"]).path).status == 404
    assert server.send("DELETE", f"/api/v1/shares/{over_http['share_id']}?app={clicked.branch_key}", headers=headers).status == 404


@pytest.mark.parametrize("title, query, days, says", [
    ("Clicks", "question=everything", 1, "query must have question="), ("Clicks", "question=top", 1, "by is missing"),
    ("Clicks", "question=counts&by=user_data_developer_identity", 1, "may name users"), ("", "question=counts", 1, "title"),
    ("Clicks", "question=counts", 365, "days must be a whole number from 1 to 90")])
def test_what_cannot_be_shared_is_refused(server, orchard, nothing_is_written, title, query, days, says):
    done = server.command("shares", "create", title, query, "--days", str(days), "--app", orchard.branch_key)
    assert done.status == 1 and says in done.complaint


def test_a_shared_page_is_listed_by_no_search_engine(server, orchard):
    shared = server.ask("shares", "create", "Clicks", "question=counts", "--app", orchard.branch_key)
    for path, status in [(urlsplit(shared["url"]).path, 200), ("/dashboard/shared/none", 404)]:
        answer = server.get(path)
        assert answer.status == status
        assert "noindex" in answer.headers["x-robots-tag"] and answer.headers["referrer-policy"] == "no-referrer"
