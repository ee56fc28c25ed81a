"""Checks of pages by axe-core, whose script is a file of the package axe-playwright-python, in the browser of these tests."""

import functools
import importlib.resources


@functools.cache
def script():
    return (importlib.resources.files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")


def violations(driver):
    """What axe-core finds on the page that the browser shows: the rule, and each element that breaks it."""
    driver.execute_script(script())
    found = driver.execute_async_script(
        """
        const done = arguments[0];
        axe.run(document, {resultTypes: ["violations"]}).then(result => done(result.violations), error => done(String(error)));
        """)
    assert not isinstance(found, str), found
    return [
        f"{violation['id']}: {violation['help']}: {node['html'][:300]} {node.get('failureSummary', '')}"
        for violation in found for node in violation["nodes"]]
