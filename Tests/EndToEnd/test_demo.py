"""`linden demo`: create, click and install in one command, and a dashboard with data."""

import re
import shlex
import shutil
import subprocess

import pytest
from selenium.webdriver.common.by import By

from support.browser import chromium, heading
from support.command import BINARY, environment, linden
from support.demo import demo
from support.waiting import eventually


def test_the_story_ends_with_the_parameters_that_the_app_gets(tmp_path):
    done = linden("demo", "--once", settings={"TMPDIR": str(tmp_path)})

    assert (done.status, done.err) == (0, "")
    assert "+clicked_branch_link: true" in done.out
    assert "~channel: " in done.out
    assert list(tmp_path.iterdir()) == []


@pytest.fixture(scope="module")
def output():
    """The output of a demo that keeps serving."""
    with demo() as (text, _):
        yield text


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not here")
def test_what_it_says_to_try_next_works_as_it_stands(output):
    commands = [line.strip() for line in output.splitlines() if re.match(r" +(curl|\S*linden) ", line)]

    assert len(commands) >= 6
    for command in commands:
        done = subprocess.run(shlex.split(command), env=environment(), capture_output=True, text=True, timeout=30)
        assert done.returncode == 0 and done.stdout, command
        assert '"error"' not in done.stdout and " 404 " not in done.stdout, command


def test_a_newcomer_signs_in_creates_a_link_sees_its_click_and_an_explanation(output):
    name, password = re.search(r"name (\S+), password (\S+)", output).groups()
    with chromium() as browser:
        def main():
            return browser.find_element(By.TAG_NAME, "main").text

        def follow(label):
            browser.find_element(By.LINK_TEXT, label).click()

        browser.get(re.search(r"http://\S+/dashboard", output)[0])
        browser.find_element(By.NAME, "name").send_keys(name)
        browser.find_element(By.NAME, "password").send_keys(password)
        browser.find_element(By.CSS_SELECTOR, "main form button").click()
        eventually(lambda: browser.find_elements(By.LINK_TEXT, "Orchard"))
        follow("Orchard")

        # Two months of data, of which the second is compared with the first.
        eventually(lambda: "The last 30 days" in main())
        figures = {card.text.splitlines()[0]: card.text for card in browser.find_elements(By.CSS_SELECTOR, ".cards li")}
        for figure in ("Clicks", "Installs", "Opens", "Events"):
            count = int(re.search(r"\n([\d,]+)", figures[figure])[1].replace(",", ""))
            assert count > 50 and re.search(r"[+−]\d+ %", figures[figure]), figures
        for text in ("A crate of Cox", "instagram", "spring-offers"):
            assert text in main()

        follow("Links")
        eventually(lambda: browser.find_elements(By.LINK_TEXT, "Create a link"))
        follow("Create a link")
        browser.find_element(By.NAME, "$og_title").send_keys("My first link")
        browser.find_element(By.NAME, "alias").send_keys("first")
        browser.find_element(By.CSS_SELECTOR, "main form button").click()
        eventually(lambda: "The link was created." in main())
        page = browser.current_url
        done = subprocess.run(
            ["curl", "-s", re.search(r"http://\S+/first", main())[0], "-A", "Mozilla/5.0 (X11; Linux x86_64) Chrome/126.0"],
            capture_output=True, timeout=30)
        assert done.returncode == 0
        browser.get(page)
        assert "Latest clicks" in main() and "desktop chrome person" in main()
        follow("Links")
        eventually(lambda: "Clicks, 30 days" in main())
        row = browser.find_element(By.XPATH, "//tbody/tr[contains(., '/first')]")
        assert row.find_element(By.CSS_SELECTOR, "td.number").text == "1"
        browser.get(page)

        follow("Attribution")
        eventually(lambda: browser.find_elements(By.LINK_TEXT, "explain"))
        rows = [row.text for row in browser.find_elements(By.CSS_SELECTOR, "tbody tr")]
        assert any("Install" in row and "A crate of Cox" in row for row in rows), rows
        follow("explain")
        eventually(lambda: heading(browser) == "Why?")
        assert re.search("Install on .* UTC, attributed to http", main())

        browser.get(page.rsplit("/links", 1)[0] + "/credits?identity=ann")
        assert int(browser.find_element(By.CSS_SELECTOR, ".cards .value").text.replace(",", "")) > 0
        browser.get(page.rsplit("/links", 1)[0] + "/analytics?question=attribution")
        assert "link_click" in main() and "fingerprint" in main()
