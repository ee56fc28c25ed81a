"""Replay: stored sessions are attributed again, under the current rules or others, and changed only on request."""

import sqlite3
from contextlib import closing
from datetime import datetime, timedelta, timezone

import pytest

from support.command import linden
from support.server import Server, running
from support.visitors import iphone

MATCHES_NONE = "threshold: 1000\n"


def today(offset=0):
    return (datetime.now(timezone.utc) + timedelta(days=offset)).strftime("%Y-%m-%d")


@pytest.fixture
def span():
    """Two days, since a test may run at midnight."""
    return ["--from", today(-1), "--to", today(1)]


@pytest.fixture
def strict(tmp_path):
    """Rules with which no click matches."""
    path = tmp_path / "rules.yaml"
    path.write_text(MATCHES_NONE)
    return ["--rules", str(path)]


@pytest.fixture
def replay(app, server, span):
    return lambda *flags: server.ask("replay", *span, "--app", app.branch_key, *flags)


def referred(app, **fields):
    """A phone's install that was attributed to the link it clicked."""
    phone = iphone()
    app.click(app.create_link(**fields), phone)
    session = app.install(phone)
    assert session.data["+clicked_branch_link"] is True
    return session


def reference(server, session):
    """The session's id as operators see it."""
    return server.ask("sessions", "show", session.answer["session_id"])["session_id"]


def test_the_same_rules_decide_the_same(app, replay):
    for _ in range(3):
        referred(app)
    app.install(iphone())

    assert replay() == {
        "changes": [], "sessions": 4, "without_evidence": 0, "changed": 0, "applied": False,
        "rule_version": replay()["rule_version"]}


def test_other_rules_tell_what_they_would_change_and_change_nothing(app, server, replay, strict):
    session = referred(app)
    organic = app.install(iphone())
    before = server.query("SELECT * FROM sessions ORDER BY id")
    report = replay(*strict)

    assert (report["sessions"], report["changed"], report["applied"], report["rule_version"]) == (2, 1, False, 0)
    (change,) = report["changes"]
    assert change["session_id"] == reference(server, session) != reference(server, organic)
    assert (change["before"]["outcome"], change["before"]["matcher"]) == ("matched", "fingerprint")
    assert change["after"] == {"outcome": "refused", "matcher": None, "link_id": None, "click_id": None}
    assert "1000 are needed" in change["reason"]
    assert server.query("SELECT * FROM sessions ORDER BY id") == before


def test_applying_changes_the_session_once_and_can_be_undone(app, server, replay, strict):
    session = referred(app, data={"pear": "conference"})
    show = lambda: server.ask("sessions", "show", session.answer["session_id"])
    before = show()

    assert replay(*strict, "--apply", "--yes")["changed"] == 1
    after = show()
    assert after["data"] == {"+clicked_branch_link": False, "+is_first_session": True}
    assert (after["outcome"], after["click_id"]) == ("refused", None)
    assert server.ask("explain", session.answer["session_id"])["rule_version"] == 0
    assert replay(*strict, "--apply", "--yes")["changed"] == 0

    assert replay("--apply", "--yes")["changed"] == 1
    assert show() == before
    assert replay()["changed"] == 0


def test_applying_moves_the_figures_of_links_and_the_users_first_parameters(app, server, replay, strict):
    phone, link = iphone(), app.create_link()
    app.click(link, phone)
    app.install(phone)
    figures = lambda: (app.statistics(link)["sessions"], app.statistics(link)["installs"])
    first = lambda: server.query(
        f"SELECT first_session_data, last_click_id FROM identities ORDER BY id DESC LIMIT 1")[0]
    assert figures() == (1, 1) and first()[1]

    replay(*strict, "--apply", "--yes")
    assert figures() == (0, 0)
    assert '"+clicked_branch_link":false' in first()[0] and first()[1] is None

    replay("--apply", "--yes")
    assert figures() == (1, 1)
    assert '"+clicked_branch_link":true' in first()[0] and first()[1]


def test_another_apps_sessions_and_other_days_are_left_alone(app, server, replay, strict, span):
    referred(app)
    other = server.create_app("Other", "--ios-uri-scheme", "other")
    referred(other)

    assert replay(*strict)["sessions"] == 1
    past = server.ask("replay", "--from", today(-9), "--to", today(-3), "--app", app.branch_key, *strict)
    assert (past["sessions"], past["changed"], past["changes"]) == (0, 0, [])
    assert server.ask("replay", *span)["sessions"] > 1


def test_times_may_be_given_to_the_second(app, server, replay):
    session = referred(app)
    started = server.ask("sessions", "show", session.answer["session_id"])["started_at"]

    exact = server.ask("replay", "--from", started, "--to", started, "--app", app.branch_key)
    assert exact["sessions"] == 1


def test_a_span_may_be_longer_than_there_are_sessions(app, server):
    referred(app)

    assert server.ask("replay", "--from", "1970-01-01", "--to", "2999-12-31", "--app", app.branch_key)["sessions"] == 1
    assert server.ask("replay", "--from", "2998-01-01", "--to", "2999-12-31", "--app", app.branch_key)["sessions"] == 0


def test_sessions_from_before_evidence_was_kept_are_counted_as_such(own_server, span):
    app = own_server.create_app("Orchard", "--ios-uri-scheme", "orchard")
    referred(app)
    with closing(sqlite3.connect(own_server.path, timeout=10)) as database, database:
        database.execute("UPDATE sessions SET evidence = NULL")

    report = own_server.ask("replay", *span)
    assert (report["sessions"], report["without_evidence"], report["changed"]) == (1, 1, 0)


def test_a_person_can_read_it(app, server, span, strict):
    session = referred(app)
    done = server.command("replay", *span, "--app", app.branch_key, *strict)

    assert done.status == 0 and done.err == ""
    assert reference(server, session) in done.out and "refused" in done.out
    assert "Sessions: 1, of which 1 would change." in done.out
    assert "Nothing was changed; --apply does it." in done.out


def test_the_standard_rules_are_printed_as_a_file_that_changes_nothing(app, server, replay, tmp_path):
    printed = server.command("replay", "--print-rules")
    assert printed.status == 0 and "threshold: " in printed.out
    (tmp_path / "rules.yaml").write_text(printed.out)
    referred(app)

    report = replay("--rules", str(tmp_path / "rules.yaml"))
    assert (report["changed"], report["rule_version"]) == (0, replay()["rule_version"])


@pytest.mark.parametrize("flags, said", [
    (["--from", "2027-02-01", "--to", "2027-01-31"], "after"), (["--from", "someday", "--to", "2027-01-31"], "--from must be"),
    (["--from", "2027-01-01", "--to", "2027-02-30"], "--to must be"), (["--from", "2027-1-1", "--to", "2027-02-01"], "--from must be"),
    (["--from", "2027-01-01T25:00:00Z", "--to", "2027-02-01"], "--from must be"), (["--from", "2027-01-01"], "--from and --to are required"),
    (["--to", "2027-01-01"], "--from and --to are required"), ([], "--from and --to are required")])
def test_a_wrong_span_is_wrong_usage(server, flags, said):
    done = server.command("replay", *flags)

    assert (done.status, done.out) == (64, "")
    assert said in done.err


@pytest.mark.parametrize("text, said", [
    ("treshold: 40", "threshold"), ("threshold: high", "from 1 to 1000"), ("threshold: 0", "from 1 to 1000"),
    ("threshold: [40]", "whole number"), ("model: 1.5", "whole number"), ("model: 99999", "from -1000 to 1000"),
    ("model: true", "whole number"), ("version: 4", "from 1000"), ("ages: 7", "list of steps"), ("ages: []", "list of steps"),
    ("ages: [{up_to: 60, points: 1}, {up_to: 60, points: 0}]", "larger than the one before"),
    ("ages: [{up_to: 60}]", "list of steps"), ("uncompared_densities: [{up_to: 60, points: many}]", "whole number"),
    ("uncompared_densities: [{up_to: -1, points: 0}]", "list of steps"), ("", "must contain rules"), ("- 1", "must contain rules"), ("{}", "No rule"),
    ("threshold: 1\nthreshold: 2", "rules.yaml"), ("threshold: {", "not YAML"), ("threshold: &a [*a]", "rules.yaml"),
    ("\0", "rules.yaml")])
def test_a_wrong_rules_file_is_one_line_that_tells_what_is_allowed(server, span, tmp_path, text, said):
    path = tmp_path / "rules.yaml"
    path.write_text(text)
    done = server.command("replay", *span, "--rules", str(path))

    assert (done.status, done.out) == (1, "")
    assert said in done.complaint and str(path) in done.complaint


def test_a_rules_file_that_is_not_there_is_named(server, span, tmp_path):
    for path in [tmp_path / "none.yaml", tmp_path]:
        done = server.command("replay", *span, "--rules", str(path))

        assert (done.status, done.out) == (1, "")
        assert str(path) in done.complaint


def test_an_unknown_app_is_one_line(server, span):
    done = server.command("replay", *span, "--app", "key_live_unknown")

    assert (done.status, done.out) == (1, "")
    assert done.complaint


def test_a_server_may_have_rules_of_its_own_and_replay_goes_by_them(tmp_path, strict, span):
    settings = {"LINDEN_ATTRIBUTION_RULES": strict[1]}
    with running(Server(tmp_path, settings)) as server:
        app, phone = server.create_app("Orchard", "--ios-uri-scheme", "orchard"), iphone()
        app.click(app.create_link(), phone)
        session = app.install(phone)

        assert session.data["+clicked_branch_link"] is False
        assert "1000 are needed" in server.ask("explain", session.answer["session_id"])["reason"]
        replay = ["replay", *span, "--database", server.database, "--format", "json"]
        assert linden(*replay, settings=settings).json["changed"] == 0
        assert linden(*replay).json["changed"] == 1


def test_a_server_does_not_start_with_rules_that_it_cannot_read(tmp_path):
    rules = tmp_path / "rules.yaml"
    rules.write_text("treshold: 5\n")
    answer = linden("serve", "--database", f"sqlite:{tmp_path / 'linden.db'}", settings={"LINDEN_ATTRIBUTION_RULES": str(rules)})

    assert answer.status == 1 and '"treshold" is not a rule' in answer.err
