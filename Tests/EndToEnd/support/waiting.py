"""Waiting for what comes soon, but not at once."""

import time

from selenium.common.exceptions import NoSuchElementException, StaleElementReferenceException

# The product promises a second; a busy machine is given more.
SOON = 3


def eventually(holds, within=SOON):
    """Waits until a condition holds, and fails if it does not in time."""
    deadline = time.monotonic() + within
    while not is_so(holds):
        assert time.monotonic() < deadline, f"this did not come true within {within} seconds"
        time.sleep(0.05)


def is_so(holds):
    """A browser's page that changes under a look, or is not there yet, is looked at again."""
    try:
        return holds()
    except (NoSuchElementException, StaleElementReferenceException):
        return False
