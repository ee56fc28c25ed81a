#!/usr/bin/env bash
# Takes the screenshots of the documentation from the demo, with Debian's Chromium: the overview, and why an install was attributed.
#
#   Scripts/screenshots.sh [folder]   writes to Documentation/images, or to another folder
#
# LINDEN_BINARY names a binary to use instead of a fresh release build.

source "$(dirname "$0")/setup.sh"

require_test_tools
require_end_to_end_tools
require_linden
PYTHONPATH=Tests/EndToEnd "$end_to_end_tools/python" - "${1:-Documentation/images}" <<'PYTHON'
import re
import sys
from pathlib import Path

from selenium.webdriver.common.by import By

from support.browser import chromium
from support.demo import demo
from support.waiting import eventually

folder = Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)


def take(driver, name, height):
    driver.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride", {"width": 1200, "height": height, "deviceScaleFactor": 1, "mobile": False})
    driver.save_screenshot(str(folder / f"dashboard-{name}.png"))
    print(folder / f"dashboard-{name}.png")


def take_explanation(driver):
    """Of the newest install that was matched by address and device, if possible with a second click that lost."""
    found, page = [], driver.current_url
    for _ in range(40):
        driver.get(page)
        for row in driver.find_elements(By.CSS_SELECTOR, "tbody tr"):
            if "Install" in row.text and "fingerprint" in row.text:
                found.append(row.find_element(By.LINK_TEXT, "explain").get_attribute("href"))
        following = driver.find_elements(By.LINK_TEXT, "Next page")
        if not following:
            break
        page = following[0].get_attribute("href")
    for address in found:
        driver.get(address)
        if "Candidate 2" in driver.page_source:
            break
    else:
        driver.get(found[0])
    take(driver, "explanation", 1250)


with demo() as (output, _), chromium() as driver:
    driver.execute_cdp_cmd("Emulation.setScrollbarsHidden", {"hidden": True})
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": "light"}]})
    driver.get(re.search(r"http://\S+/dashboard", output)[0])
    name, password = re.search(r"name (\S+), password (\S+)", output).groups()
    driver.find_element(By.NAME, "name").send_keys(name)
    driver.find_element(By.NAME, "password").send_keys(password)
    driver.find_element(By.CSS_SELECTOR, "main form button").click()
    eventually(lambda: driver.find_elements(By.LINK_TEXT, "Orchard"))
    driver.find_element(By.LINK_TEXT, "Orchard").click()
    eventually(lambda: driver.find_elements(By.CSS_SELECTOR, ".chart svg"))
    take(driver, "overview", 1130)
    driver.find_element(By.LINK_TEXT, "Attribution").click()
    eventually(lambda: driver.find_elements(By.LINK_TEXT, "explain"))
    take_explanation(driver)
PYTHON
