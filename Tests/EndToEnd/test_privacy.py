"""Storage of addresses, and erasure of an identity."""

import re
import sqlite3
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from support.command import linden
from support.server import Server, running
from support.visitors import iphone
from support.waiting import eventually

HOME, HOUSEHOLD = "203.0.113.77", "2001:db8:aa:bb::5"


@pytest.fixture
def serving(tmp_path):
    """Servers on one database, with different settings."""
    def serve(**settings):
        return running(Server(tmp_path, {f"LINDEN_PRIVACY_{name.upper()}": str(value) for name, value in settings.items()}))
    return serve


def create(server):
    return server.create_app("Orchard", "--ios-uri-scheme", "orchard", "--default-url", "https://orchard.example.com/")


def held(server, *texts):
    """The given texts that occur in the files of the database or in the server's log."""
    files = [path.read_bytes() for path in server.folder.iterdir() if path.is_file()]
    return [text for text in texts if any(text.encode() in content for content in files)]


@pytest.mark.parametrize("form, found", [("keyed", []), ("none", []), ("raw", [HOME, "2001:db8:aa:bb"])])
def test_an_address_is_nowhere_but_where_it_is_kept_as_it_is(serving, form, found):
    with serving(addresses=form) as server:
        app = create(server)
        link = app.create_link()
        for address in (HOME, HOUSEHOLD):
            phone = iphone().at(address)
            app.click(link, phone)
            install = app.install(phone)
            assert install.data["+clicked_branch_link"] is (form != "none")
        app.server.post("/v2/event/standard", {
            "branch_key": app.branch_key, "name": "PURCHASE", "user_data": {"os": "iOS", "idfv": "H-1", "ip": HOME}})

        assert held(server, HOME, "2001:db8:aa:bb") == found
    assert held(server, HOME, "2001:db8:aa:bb") == found


def test_a_click_is_matched_by_address_after_a_restart(serving):
    phone = iphone()
    with serving() as server:
        app = create(server)
        app.click(app.create_link(data={"pear": "conference"}), phone)
    with serving() as server:
        assert replace(app, server=server).install(phone).data["pear"] == "conference"


@pytest.mark.parametrize("later", ["raw", "none", "keyed"])
@pytest.mark.parametrize("earlier", ["raw", "none", "keyed"])
def test_the_form_may_change_from_one_run_to_the_next(serving, earlier, later):
    phone = iphone()
    with serving(addresses=earlier) as server:
        app = create(server)
        app.click(app.create_link(), phone)
    with serving(addresses=later) as server:
        app = replace(app, server=server)
        install = app.install(phone)
        assert install.data["+clicked_branch_link"] is (earlier == later != "none")
        app.click(app.create_link(), phone)
        assert app.install(phone).data["+clicked_branch_link"] is (later != "none")


def test_without_addresses_the_explanation_says_so(serving):
    with serving(addresses="none") as server:
        app = create(server)
        phone = iphone()
        app.click(app.create_link(), phone)
        explanation = server.ask("explain", app.install(phone).answer["session_id"])

        assert explanation["outcome"] == "organic" and "ddresses are not stored" in explanation["reason"]


def test_a_window_beyond_the_life_of_keys_is_made_and_shown_as_capped(serving):
    with serving() as server:
        app = create(server)
        server.ask("apps", "update", app.branch_key, "--set", f"links.max_match_duration={90 * 86400}")
        link = app.create_link(duration=30 * 86400)
        shown = server.ask("links", "show", link)
        table = server.command("links", "show", link).out

        assert (shown["fingerprint_window"], shown["fingerprint_window_capped"]) == (7 * 86400, True)
        assert any("capped" in warning and "7 days" in warning for warning in shown["warnings"])
        assert "capped" in table and "7 days" in table
        usual = server.ask("links", "show", app.create_link())
        assert usual["fingerprint_window"] == 7200 and "fingerprint_window_capped" not in usual and "warnings" not in usual
        app.click(link, iphone())
        ((window,),) = server.query("SELECT MAX(match_seconds) FROM clicks")
        assert window == 7 * 86400


@pytest.mark.parametrize("name, value, allowed", [
    ("ADDRESSES", "hashed", "raw or keyed or none"), ("KEY_DAYS", "0", "from 1 to 90"), ("KEY_DAYS", "91", "from 1 to 90"),
    ("KEY_DAYS", "week", "from 1 to 90")])
def test_a_setting_that_cannot_be_is_named(tmp_path, name, value, allowed):
    done = linden("serve", "--port", "0", "--database", f"sqlite:{tmp_path}/linden.db", settings={f"LINDEN_PRIVACY_{name}": value})

    assert done.status == 1
    assert f"privacy.{name.lower()}" in done.complaint and value in done.complaint and allowed in done.complaint


def test_the_settings_may_stand_in_the_file(tmp_path):
    settings = tmp_path / "linden.yaml"
    settings.write_text("privacy:\n  addresses: none\n  key_days: 3\n")
    with running(Server(tmp_path, {"LINDEN_CONFIG": str(settings)})) as server:
        app = create(server)
        app.click(app.create_link(), iphone().at(HOME))
        assert server.query("SELECT address FROM clicks") == [("",)]


def test_addresses_of_the_past_are_blanked_as_the_manual_says(serving):
    manual = (Path(__file__).parents[2] / "Documentation/privacy.md").read_text()
    script = re.search(r"```sql\n(.*?)```", manual, re.DOTALL).group(1)
    with serving(addresses="raw") as server:
        app = create(server)
        link = app.create_link()
        for address in (HOME, HOUSEHOLD):
            app.click(link, iphone().at(address))
    with serving() as server:
        replace(app, server=server).click(link, iphone().at(HOME))
        ((hashed,),) = server.query("SELECT address FROM clicks ORDER BY id DESC LIMIT 1")
    with closing(sqlite3.connect(server.path)) as database:
        # Those that wait for an install go by themselves.
        database.execute("DELETE FROM pending_clicks")
        database.commit()
        database.executescript(script)
    assert held(server, HOME, "2001:db8:aa:bb") == []
    assert server.query("SELECT address FROM clicks ORDER BY id") == [("",), ("",), (hashed,)]


# MARK: Erasing a person

@pytest.fixture
def ann(serving):
    """A user with a referrer, on a server that stores raw addresses."""
    with serving(addresses="raw") as server:
        app = create(server)
        phone = iphone().at(HOME)
        link = app.create_link(alias="pears")
        app.click(link, phone, "?note=sent-to-ann")
        app.install(phone, identity="ann@orchard.example", hardware_id="HARDWARE-OF-ANN", is_hardware_id_real=True)
        app.server.post("/v2/event/custom", {
            "branch_key": app.branch_key, "name": "pruned", "custom_data": {"tree": "tree-of-ann"},
            "user_data": {"developer_identity": "ann@orchard.example", "idfv": "HARDWARE-OF-ANN"}})
        yield app, link


ABOUT_ANN = ("ann@orchard.example", "HARDWARE-OF-ANN", "tree-of-ann", "sent-to-ann", HOME)


def test_showing_an_identity_lists_its_stored_data(ann):
    app, _ = ann
    shown = app.server.ask("identities", "show", "ann@orchard.example", "--app", app.branch_key)

    assert shown["developer_identity"] == "ann@orchard.example"
    # Not the hardware id, which only the copy of a person's data has.
    assert [(device["os"], "HARDWARE-OF-ANN" in str(device)) for device in shown["devices"]] == [("iOS", False)]
    assert (shown["sessions"], shown["referred_installs"]) == (1, 0)
    assert shown["first_session"] == shown["last_session"] and shown["first_session"]["started_at"]
    by_token = app.server.ask("identities", "show", shown["identity_id"], "--app", app.branch_key)
    assert by_token == shown


def test_an_erased_person_is_gone_from_all_files_and_the_totals_stay(ann):
    app, link = ann
    assert held(app.server, *ABOUT_ANN) == list(ABOUT_ANN)
    before = app.statistics(link)
    done = app.server.command("identities", "erase", "ann@orchard.example", "--app", app.branch_key, "--yes", "--format", "json")

    assert done.status == 0, done.err
    assert (done.json["erased"], done.json["devices"], done.json["sessions"], done.json["events"]) == (True, 1, 1, 1)
    assert "ackups" in done.err
    assert held(app.server, *ABOUT_ANN) == []
    assert app.statistics(link) == before
    eventually(lambda: app.server.aggregated_days() > 0)
    assert app.statistics(link) == before
    again = app.server.command("identities", "erase", "ann@orchard.example", "--app", app.branch_key, "--yes")
    assert again.status == 1 and "ann@orchard.example" in again.complaint


class Request:
    """An erasure requested over HTTP."""

    def __init__(self, app, name):
        self.server = app.server
        self.token = {"Access-Token": app.server.ask("tokens", "create", "admin", "--role", "admin", "--app", app.branch_key)["token"]}
        subject = {"identity_type": "DEVELOPER_ID", "identity_value": name}
        self.answer = self.server.post("/v1/gdpr", {"subject_request_type": "erasure", "subject_identities": [subject]}, self.token)

    @property
    def status(self):
        body = {"request_id": self.answer.json["request_id"]}
        return self.server.post("/v1/gdpr/status", body, self.token).json["request_status"]


def test_an_erasure_over_http_succeeds_only_once_the_files_hold_nothing_of_the_person(ann):
    app, _ = ann
    request = Request(app, "ann@orchard.example")
    assert request.answer.json["request_status"] == "PENDING"
    eventually(lambda: request.status == "SUCCESS", within=20)
    assert held(app.server, *ABOUT_ANN) == []


def test_an_erasure_over_http_is_pending_while_the_log_cannot_be_emptied(ann):
    app, _ = ann
    with closing(sqlite3.connect(f"file:{app.server.path}?mode=ro", uri=True, isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT COUNT(*) FROM identities").fetchone()
        request = Request(app, "ann@orchard.example")
        eventually(lambda: app.server.query("SELECT COUNT(*) FROM identities WHERE developer_identity IS NOT NULL") == [(0,)], within=20)
        time.sleep(8)
        assert request.status == "PENDING"
        assert held(app.server, "ann@orchard.example") != []
    eventually(lambda: request.status == "SUCCESS", within=60)
    assert held(app.server, *ABOUT_ANN) == []


@pytest.mark.parametrize("action", ["show", "erase"])
def test_a_user_who_is_not_there_is_named_in_one_line(server, orchard, action):
    done = server.command("identities", action, "stranger", "--app", orchard.branch_key)

    assert done.status == 1 and "stranger" in done.complaint and done.out == ""


def test_a_user_is_of_one_side_of_one_app(ann):
    app, _ = ann
    assert app.server.command("identities", "show", "ann@orchard.example", "--app", app.test_branch_key).status == 1


def test_the_server_goes_on_with_the_device_of_a_person_who_was_erased(ann):
    app, _ = ann
    phone = iphone().at(HOME)
    tokens = app.install(phone, identity="ann@orchard.example").tokens
    app.server.ask("identities", "erase", "ann@orchard.example", "--app", app.branch_key, "--yes")
    session = app.open(phone, **tokens)

    assert session.tokens["randomized_bundle_token"] != tokens["randomized_bundle_token"]
