"""A person at the dashboard: reading its pages, and filling, pressing and following what is there."""

from selenium.common.exceptions import StaleElementReferenceException, WebDriverException
from selenium.webdriver.common.by import By
from selenium.webdriver.support.select import Select
from selenium.webdriver.support.wait import WebDriverWait

from . import wire

PASSWORD = "a crate of twelve apples"


def text(browser):
    return browser.find_element(By.TAG_NAME, "main").text


def fill(browser, **fields):
    for name, value in fields.items():
        field = browser.find_element(By.NAME, name.replace("og_title", "$og_title").replace("deeplink", "$deeplink_path"))
        field.clear()
        field.send_keys(value)
    press(browser, browser.find_element(By.CSS_SELECTOR, "main form button"))


def follow(browser, label):
    press(browser, browser.find_element(By.LINK_TEXT, label))


def press(browser, element):
    """Clicks what leads to another page, and waits until that has come."""
    element.click()
    WebDriverWait(browser, wire.PATIENCE).until(lambda _: is_gone(element))


def is_gone(element):
    """Whether the page of an element has been left. In the middle of a change of pages the driver says so by another error."""
    try:
        element.is_enabled()
    except StaleElementReferenceException:
        return True
    except WebDriverException as error:
        return "does not belong to the document" in str(error.msg)
    return False


def submit(browser, label, **fields):
    """Fills the form that has a button, and presses it."""
    form = browser.find_element(By.XPATH, f"//main//form[.//button[normalize-space()='{label}']]")
    for name, value in fields.items():
        field = form.find_element(By.NAME, name)
        if field.tag_name == "select":
            Select(field).select_by_value(value)
        else:
            field.clear()
            field.send_keys(value)
    press(browser, form.find_element(By.XPATH, f".//button[normalize-space()='{label}']"))
