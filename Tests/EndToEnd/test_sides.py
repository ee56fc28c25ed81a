"""Live and test mode of an app: what is separate and what is shared."""

import pytest

from support.visitors import desktop
from support.waiting import eventually


def test_the_command_line_changes_the_side_whose_key_it_names(app):
    app.server.ask("apps", "update", app.test_branch_key, "--set", "web_url=https://test.orchard.example.com/")

    shown = app.server.ask("apps", "show", app.app_id)
    assert shown["settings"]["web_url"] == "https://orchard.example.com/"
    assert shown["test_settings"] == {"web_url": "https://test.orchard.example.com/"}

    link = app.create_link()
    test_link = app.server.post("/v1/url", {"branch_key": app.test_branch_key}).json["url"]
    eventually(lambda: app.click(test_link, desktop()).location.startswith("https://test.orchard.example.com/"))
    assert app.click(link, desktop()).location.startswith("https://orchard.example.com/")

    app.server.ask("apps", "update", app.test_branch_key, "--set", "web_url=")
    assert "test_settings" not in app.server.ask("apps", "show", app.app_id)
    eventually(lambda: app.click(test_link, desktop()).location.startswith("https://orchard.example.com/"))


@pytest.mark.parametrize("change", [["--set", "credits.client_codes=true"], ["--name", "Meadow"]])
def test_what_both_sides_share_is_changed_with_the_live_key(app, change):
    done = app.server.command("apps", "update", app.test_branch_key, *change)

    assert done.status == 1 and "shared by the app's live and test sides" in done.err
    app.server.ask("apps", "update", app.branch_key, *change)


def test_the_list_of_settings_says_which_are_shared(server):
    sides = {row["setting"]: row["sides"] for row in server.ask("apps", "settings")}

    assert sides["credits.client_redeem"] == sides["links.max_match_duration"] == sides["currency"] == "shared"
    assert sides["web_url"] == sides["ios_bundle_id"] == "each its own"


def test_urls_of_other_sites_in_addresses_of_links_are_ignored_and_reported(app):
    link = app.create_link()
    for _ in range(3):
        answer = app.click(link, desktop(), "?%24fallback_url=https%3A%2F%2Fevil.example%2Flogin")
        assert answer.location.startswith("https://orchard.example.com/")

    def finding():
        report = app.server.ask("doctor", "app", app.app_id)
        return next((row["detail"] for row in report["checks"] if row["check"] == "links.appended_urls"), "")

    eventually(lambda: "evil.example was set in the address of links in" in finding())
    assert f"linden apps update {app.app_id} --set links.own_hosts=evil.example" in finding()

    app.server.ask("apps", "update", app.app_id, "--set", "links.own_hosts=evil.example")
    eventually(lambda: app.click(link, desktop(), "?%24fallback_url=https%3A%2F%2Fevil.example%2Flogin").location.startswith(
        "https://evil.example/login"))
