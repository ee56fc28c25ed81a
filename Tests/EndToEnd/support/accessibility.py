"""Checks of pages by axe-core, whose script is a file of the package axe-playwright-python, in the browser of these tests."""

import functools
import importlib.resources


@functools.cache
def script():
    return (importlib.resources.files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")


def violations(driver, rules=()):
    """What axe-core finds on the page that the browser shows: the rule, and each element that breaks it. By some rules only, if named."""
    if not driver.execute_script("return window.axe !== undefined"):
        driver.execute_script(script())
    options = {"resultTypes": ["violations"]} | ({"runOnly": list(rules)} if rules else {})
    found = driver.execute_async_script(
        """
        const done = arguments[1];
        axe.run(document, arguments[0]).then(result => done(result.violations), error => done(String(error)));
        """, options)
    assert not isinstance(found, str), found
    return [
        f"{violation['id']}: {violation['help']}: {node['html'][:300]} {node.get('failureSummary', '')}"
        for violation in found for node in violation["nodes"]]
