"""The memory of an export is bounded, whatever its rows contain."""

import subprocess
import time
from pathlib import Path

import pytest

from support.command import BINARY, environment
from support.visitors import android

EVENTS = 130
LARGE = "g" * 400_000
# The most that an export may take, in KiB.
MOST = 92 * 1024


def peak_memory(server, *arguments):
    """The maximum memory of a command in KiB, sampled while it ran."""
    child = subprocess.Popen(
        [BINARY, *arguments, "--database", server.database], env=environment(), stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL)
    status = Path(f"/proc/{child.pid}/status")
    peak = 0
    while child.poll() is None:
        for line in status.read_text().splitlines():
            if line.startswith("VmHWM:"):
                peak = max(peak, int(line.split()[1]))
        time.sleep(0.01)
    assert child.returncode == 0 and peak > 0
    return peak


@pytest.fixture(scope="module")
def app_with_large_events(server):
    """An app of which one user has reported many large events."""
    app = server.create_app("Orchard")
    for number in range(EVENTS):
        answer = server.post("/v2/event/custom", {
            "branch_key": app.branch_key, "name": f"pear {number}", "custom_data": {"skin": LARGE},
            "user_data": {"developer_identity": "ann"}})
        assert answer.status == 200
    return app


@pytest.mark.parametrize("form", ["csv", "ndjson"])
def test_an_export_of_large_events_takes_little_memory(app_with_large_events, form):
    app = app_with_large_events
    peak = peak_memory(app.server, "export", "--app", app.branch_key, "--topic", "eo_custom_event", "--as", form)

    assert peak < MOST


def test_an_export_of_clicks_of_many_large_links_takes_little_memory(app):
    for number in range(EVENTS):
        app.click(app.create_link(data={"$og_title": "Pears", "skin": "g" * 60_000 + str(number)}), android())

    assert peak_memory(app.server, "export", "--app", app.branch_key, "--topic", "eo_click", "--fields", "all") < MOST


def test_an_export_of_a_persons_large_events_takes_little_memory(app_with_large_events):
    app = app_with_large_events
    assert peak_memory(app.server, "identities", "export", "ann", "--app", app.branch_key) < MOST
