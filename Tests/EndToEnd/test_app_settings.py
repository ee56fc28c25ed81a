"""Settings of apps and `$` keys of links: invalid values are refused, likely mistakes are warned of, and the doctor finds stored ones."""

import json
import re
from pathlib import Path

import pytest

from support.terminal import linden_at_terminal
from support.command import linden
from support.visitors import iphone

ROOT = Path(__file__).parents[2]


def settings_of(server, app):
    return server.ask("apps", "show", app.app_id)["settings"]


# MARK: Settings

@pytest.mark.parametrize("written, meant", [
    ("redirect_alowlist=example.com", "redirect_allowlist"), ("ios_appstore_id=123456789", "ios_app_store_id"),
    ("Web_url=https://example.com", "web_url"), ("credit.read_by_key=false", "credits.read_by_key"),
    ("fraud.emulator=true", "fraud.emulators"), ("deepview_isos=true", "deepview_ios"),
])
def test_a_misspelled_setting_is_refused_with_the_nearest(server, app, written, meant):
    before = settings_of(server, app)

    done = server.command("apps", "update", app.branch_key, "--set", written)

    assert (done.status, done.out) == (64, "")
    assert f"Did you mean {meant}?" in done.err and "linden apps settings" in done.err
    assert "Usage: linden apps update" in done.err
    assert settings_of(server, app) == before


def test_a_setting_that_is_like_none_is_refused_too_and_no_app_is_made(server, tmp_path):
    done = linden("apps", "create", "Orchard", "--set", "colour=green", "--database", f"sqlite:{tmp_path}/new.db")

    assert done.status == 64
    assert "colour is not a setting" in done.err and "Did you mean" not in done.err
    assert list(tmp_path.iterdir()) == []


def test_all_settings_are_listed_with_type_default_and_meaning_and_without_a_database(tmp_path):
    done = linden("apps", "settings", "--format", "json", folder=tmp_path)

    assert done.status == 0, done.err
    listed = {row["setting"]: row for row in done.json}
    assert len(listed) == len(done.json) > 50
    for row in done.json:
        assert set(row) == {"setting", "type", "default", "sides", "meaning"}
        assert row["type"] and row["meaning"].endswith(".")
    assert (listed["currency"]["type"], listed["currency"]["default"]) == ("code of ISO 4217", "USD")
    assert (listed["fraud.action"]["type"], listed["fraud.action"]["default"]) == ("hold, remove", "hold")
    assert list(tmp_path.iterdir()) == []


def test_every_setting_that_the_documentation_names_is_known(server, app):
    known = {row["setting"] for row in linden("apps", "settings", "--format", "json").json}
    pages = (ROOT / "README.md").read_text() + "".join(path.read_text() for path in (ROOT / "Documentation").rglob("*.md"))
    named = set(re.findall(r"--set '?([a-z_.]+)=", pages))

    assert named and named <= known


@pytest.mark.parametrize("written", [
    "123456789", "id123456789", "ID123456789", "https://apps.apple.com/de/app/orchard/id123456789?mt=8",
    "itms-apps://itunes.apple.com/app/id123456789"])
def test_an_app_store_id_is_understood_as_people_copy_it(server, app, written):
    updated = server.ask("apps", "update", app.branch_key, "--ios-app-store-id", written)

    assert updated["settings"]["ios_app_store_id"] == "123456789"
    assert "apps.apple.com/app/id123456789" in server.ask("doctor", "link", app.create_link(), "--as", "iphone")["url"]


@pytest.mark.parametrize("setting, allowed", [
    ("ios_app_store_id=orchard", "123456789"), ("ios_app_store_id=idid5", "123456789"), ("ios_app_store_id=0", "123456789"),
    ("web_url=example.com", "https://"), ("web_url=https://", "https://"), ("web_url=https://exa mple.com/", "host"),
    ("web_url=https://https://example.com", "host"), ("og_image_url=/pear.png", "https://"),
    ("ios_url=https://apps.apple.com/app/orchard", "id123456789"),
    ("android_url=https://play.google.com/store/apps/details", "id=com.example.orchard"),
    ("android_package_name=orchard", "com.example.orchard"), ("alternate_short_url_domain=https://x.example/", "host name"),
    ("always_open_app=off", "true or false"), ("uri_redirect_mode=often", "0 (conservative)"),
    ("click_install_window_days=100", "from 0 to 90"), ("routes.validation=maybe", "off, warn, reject"),
])
def test_a_value_with_which_nothing_could_work_is_refused(server, app, setting, allowed):
    before = settings_of(server, app)

    done = server.command("apps", "update", app.branch_key, "--set", setting)

    assert done.status == 1
    assert setting.split("=")[0] in done.complaint and allowed in done.complaint
    assert settings_of(server, app) == before


@pytest.mark.parametrize("url", [
    "https://example.com", "http://localhost:3000/a b", "https://[::1]/", "https://bücher.example/", "https://apps.apple.com/developer/id5",
    "https://apps.apple.com/us/app/pear/id5", "https://play.google.com/store/apps/details?id=com.example.pear&hl=de"])
def test_a_url_that_browsers_understand_is_taken(server, app, url):
    assert server.ask("apps", "update", app.branch_key, "--set", f"web_url={url}")["settings"]["web_url"] == url


def test_over_the_wire_an_unknown_setting_is_kept_and_the_doctor_names_it(server, app):
    answer = server.put(f"/v1/app/{app.branch_key}", {
        "branch_secret": app.branch_secret, "redirect_alowlist": "example.com", "dev_name": "Ada", "colour": "green"})
    assert answer.status == 200

    def unknown():
        report = server.ask("doctor", "app", app.branch_key)
        assert report["ok"] is True
        return [check["detail"] for check in report["checks"] if check["check"].startswith("settings.") and check["status"] == "warning"]

    misspelled, other = sorted(unknown(), reverse=True)
    assert "redirect_alowlist" in misspelled and "redirect_allowlist" in misspelled
    assert other.startswith("colour has no effect. To remove it: linden apps update")
    for detail in (misspelled, other):
        server.ask(*detail.split("To remove it: linden ")[1].split())
    assert unknown() == []
    assert settings_of(server, app)["dev_name"] == "Ada"


def test_the_doctor_names_stored_values_that_cannot_be_read(own_server):
    app = own_server.create_app("Orchard", "--ios-uri-scheme", "orchard", "--default-url", "https://orchard.example.com/")
    own_server.stop()
    stored = {"ios_uri_scheme": "orchard", "ios_app_store_id": "orchard", "web_url": "orchard.example.com", "currency": "EUR"}
    write(own_server, "UPDATE apps SET configuration = ?", json.dumps(stored))

    checks = own_server.ask("doctor", "app", app.branch_key)["checks"]

    details = [check["detail"] for check in checks if check["check"] == "settings.values"]
    assert len(details) == 2
    assert any("ios_app_store_id must be the app's number" in detail for detail in details)
    assert any("web_url must be a URL" in detail for detail in details)
    # No visitor is sent to a page of the App Store that does not exist.
    assert "apps.apple.com" not in json.dumps(own_server.ask("doctor", "link", app_link(own_server, app)))


def app_link(server, app):
    return server.ask("links", "create", "--app", app.branch_key)["url"]


def write(server, sql, *values):
    import sqlite3
    with sqlite3.connect(server.path) as database:
        database.execute(sql, values)
    database.close()


# MARK: Links

def created(server, app, *data):
    flags = [word for text in data for word in ("--data", text)]
    return server.ask("links", "create", "--app", app.branch_key, *flags)


@pytest.mark.parametrize("data, warning", [
    ("$fallbak_url=https://example.com", "$fallbak_url has no effect but that the app gets it; the nearest that has one is $fallback_url."),
    ("$colour=green", "$colour has no effect but that the app gets it."),
    ("$fallback_url=example.com", "$fallback_url is passed over: it must be a URL that begins with https://"),
    ("$ios_url=javascript:alert(1)", "$ios_url is passed over"),
    ("$ios_url_deu=https://example.com", "$ios_url_deu has no effect"),
    ("$desktop_url=https://https://example.com", "$desktop_url must be a URL with a host"),
    ("$android_url=https://play.google.com/store/apps/details?id=pear", "$android_url is a page of Google Play without an app's package"),
    ("$og_image_url=pear.png", "$og_image_url must be a URL"),
    ("$web_only=on", '$web_only must be true or false, not "on".'),
    ("$deeplink_path=orchard://pears", "$deeplink_path must be a path alone"),
    ("$uri_redirect_mode=3", "$uri_redirect_mode must be 0, 1 or 2"),
    ("$match_duration=two hours", "$match_duration must be a whole number"),
    ("$ios_redirect_timeout=60000", "$ios_redirect_timeout must be milliseconds from 0 to 10000"),
    ("$click_install_window_days=91", "$click_install_window_days must be a number of days"),
    ("$price=cheap", "$price must be a number"),
    ("$custom_meta_tags=robots", "$custom_meta_tags must be a JSON object"),
    ("$custom_sms_text=Come and see", "$custom_sms_text lacks {{ link }}"),
])
def test_a_key_that_cannot_be_used_is_warned_of_and_the_link_is_made(server, app, data, warning):
    link = created(server, app, data)

    assert len(link["warnings"]) == 1 and warning in link["warnings"][0]
    name, _, value = data.partition("=")
    assert app.read(link["url"])["data"][name] == value
    # Over the wire all is taken as Branch takes it, and answered as Branch answers.
    answer = server.post("/v1/url", {"branch_key": app.branch_key, "data": {name: value}})
    assert (answer.status, set(answer.json)) == (200, {"url"})


def test_every_key_that_the_documentation_names_is_known(server, app):
    page = (ROOT / "Documentation/links-and-pages.md").read_text()
    named = set(re.findall(r"`(\$[a-z_0-9]+)`", page))
    assert len(named) > 40

    link = created(server, app, json.dumps({name: "" for name in named}))

    assert "warnings" not in link


@pytest.mark.parametrize("data", [
    '{"$web_only": false, "$match_duration": 60, "$price": 1.5, "$keywords": ["a"], "$og_title": "", "$publicly_indexable": 1}',
    '{"$ios_url_de": "https://example.com", "$ios_url": "itms-apps://itunes.apple.com/app/id5", "$android_url": "market://details?id=a.b"}',
    '{"$deeplink_path": "pears/5?x=1", "$custom_meta_tags": "{\\"robots\\":\\"none\\"}", "$custom_sms_text": "See {{link}}", "own": 1}',
    '{"$ios_deepview": "branch_default", "$fallback_url": "orchard://pears", "$uri_redirect_mode": 2, "$exp_date": 1893456000000}',
])
def test_what_can_be_used_is_not_warned_of(server, app, data):
    assert "warnings" not in created(server, app, data)


def test_a_person_reads_warnings_beside_the_link(server, app):
    seen = linden_at_terminal(
        "links", "create", "--app", app.branch_key, "--data", "$web_only=on", "--database", server.database)

    assert "Warning: $web_only must be true or false" in seen.screen
    assert "url" in seen.out and "must be true" not in seen.out


def test_an_update_warns_of_what_it_changes(server, app):
    link = created(server, app, "$web_only=on")["url"]

    assert "$desktop_url" in server.ask("links", "update", link, "--data", "$desktop_url=none")["warnings"][0]
    assert "warnings" not in server.ask("links", "update", link, "--channel", "mail")


def test_the_doctor_says_what_of_a_stored_link_cannot_be_used(server, app):
    answer = server.post("/v1/url", {"branch_key": app.branch_key, "data": {"$fallbak_url": "https://example.com", "$web_only": "on"}})
    url = answer.json["url"]

    everyone = server.ask("doctor", "link", url)
    one = server.ask("doctor", "link", url, "--as", "iphone")

    assert everyone["url"] == url and len(everyone["visitors"]) > 5
    for report in (everyone, one):
        assert [check["status"] for check in report["checks"]] == ["warning"] * 2
        assert "$fallback_url" in report["checks"][0]["detail"] and "$web_only" in report["checks"][1]["detail"]
    table = server.command("doctor", "link", url)
    assert "!  link.data  $web_only must be true or false" in table.out
    assert server.ask("doctor", "link", app.create_link())["checks"][0]["status"] == "ok"


def test_a_link_off_a_list_of_hosts_that_came_later_is_found(server, app):
    url = created(server, app, "$desktop_url=https://elsewhere.example/")["url"]
    server.ask("apps", "update", app.branch_key, "--set", "redirect_allowlist=orchard.example.com")

    (check,) = server.ask("doctor", "link", url)["checks"]

    assert "redirect_allowlist" in check["detail"]
    assert app.click(url, iphone()).status == 200
