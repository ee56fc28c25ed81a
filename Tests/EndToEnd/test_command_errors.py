"""Errors of commands, as text and as JSON."""

import json

import pytest

from support.command import linden
from support.terminal import linden_at_terminal


def error(done):
    """The single JSON object on standard error."""
    assert done.out == ""
    return json.loads(done.complaint)["error"]


@pytest.mark.parametrize("arguments, status, code", [
    (["links", "show", "unknown"], 1, 404),
    (["apps", "show", "key_live_unknown"], 1, 404),
    (["domains", "add", "not a host", "--app", "{key}"], 1, 400),
    (["links", "create", "--app", "{key}", "--alias", "v1/url"], 1, 400),
    (["credits", "redeem", "ann", "5", "--app", "{key}"], 1, 402),
    (["domains", "associate", "go.taken.example", "--app", "{key}"], 1, 409),
    (["links", "create", "--app", "{key}", "--type", "3"], 64, 400),
    (["links", "create"], 64, 400),
    (["links", "create", "--app"], 64, 400),
    (["links", "plant"], 64, 400),
    (["links", "delete", "{link}"], 64, 400),
    (["query", "counts", "--app", "{key}", "--from", "never", "--to", "2027-01-01"], 1, 400),
])
def test_errors_for_programs_are_those_of_http(server, app, arguments, status, code):
    if "go.taken.example" in arguments:
        server.command("domains", "add", "go.taken.example", "--app", app.branch_key)
    server.ask("credits", "grant", "ann", "1", "--app", app.branch_key)
    arguments = [word.format(key=app.branch_key, link=app.create_link() if "{link}" in arguments else "") for word in arguments]

    for flags in (["--format", "json"], ["--format=json"]):
        done = server.command(*arguments, *flags)
        body = error(done)
        assert (done.status, body["code"]) == (status, code), done.err
        assert body["message"] and "Usage" not in body["message"]
    if "go.taken.example" in arguments:
        server.command("domains", "remove", "go.taken.example", "--app", app.branch_key, "--yes")


def test_errors_of_the_database_and_of_settings_have_the_same_form(server, tmp_path):
    assert error(linden("apps", "list", "--format", "json", "--database", f"sqlite:{tmp_path}/none.db"))["code"] == 404
    refused = error(server.command("serve", "--port", "eighty", "--format", "json"))
    assert refused["code"] == 400 and "http.port" in refused["message"]


def test_errors_for_people_are_one_line_of_text(server, app):
    done = server.command("links", "show", "unknown")

    assert done.complaint == "Error: There is no such link."


@pytest.mark.parametrize("arguments, usage", [
    (["links", "create", "--app", "{key}", "--type", "3"], "linden links create"),
    (["links", "create", "--app", "{key}", "--data", "word"], "linden links create"),
    (["credits", "history", "ann", "--app", "{key}", "--limit", "0"], "linden credits history"),
    (["prune"], "linden prune"),
    (["replay"], "linden replay"),
    (["query", "counts", "--app", "{key}", "--from", "2026-13-99", "--to", "2026-12-01"], "linden query counts"),
    (["query", "top", "--app", "{key}", "--by", "nope"], "linden query top"),
    (["prune", "--clicks-days", "1", "--yes"], "linden prune"),
    (["domains", "add", "not a host", "--app", "{key}"], "linden domains add"),
    (["apps", "rotate-secret", "{key}", "--overlap", "soon"], "linden apps rotate-secret"),
])
def test_wrong_usage_that_is_found_late_names_its_commands_usage(server, app, arguments, usage):
    done = server.command(*[word.format(key=app.branch_key) for word in arguments])

    assert done.status in (1, 64)
    lines = done.err.splitlines()
    assert lines[0].startswith("Error: ")
    assert any(line.startswith(f"Usage: {usage} ") for line in lines)
    assert lines[-1] == f"  See '{usage} --help' for more information."


@pytest.mark.parametrize("arguments, usage, near", [
    (["lnks"], "linden", "Did you mean links?"),
    (["nothing", "--app", "pear"], "linden", "query"),
    (["links", "shwo", "pear"], "linden links", "Did you mean show?"),
])
def test_a_command_that_there_is_not_is_named_with_those_that_there_are(arguments, usage, near):
    done = linden(*arguments)

    assert done.status == 64
    assert done.err.startswith(f'Error: "{arguments[0] if usage == "linden" else arguments[1]}" is not a command.')
    assert near in done.err and f"Usage: {usage} <subcommand>" in done.err
    assert "is not a command" in error(linden(*arguments, "--format", "json"))["message"]


def test_a_conflict_shows_what_is_there_and_what_was_asked_for(server, app):
    app.create_link(alias="conflict/one", channel="mail", data={"$deeplink_path": "pears", "crates": 3})
    command = ["links", "create", "--app", app.branch_key, "--alias", "conflict/one", "--channel", "sms", "--data", "$deeplink_path=plums"]

    done = server.command(*command)

    assert done.status == 1
    assert done.err.splitlines() == [
        "Error: Link alias conflict: 127.0.0.1/conflict/one", '  channel: existing "mail", requested "sms"',
        '  data.$deeplink_path: existing "pears", requested "plums"', "  data.crates: existing 3, requested none"]
    assert error(server.command(*command, "--format", "json"))["differences"]["channel"] == {"stored": "mail", "sent": "sms"}


def test_a_conflict_with_a_deleted_link_and_with_another_apps_says_so(server, app):
    deleted = app.create_link(alias="conflict/deleted")
    server.ask("links", "delete", deleted, "--yes")
    server.create_app("Meadow").create_link(alias="conflict/other", channel="confidential")

    assert "deleted_at" in server.command("links", "create", "--app", app.branch_key, "--alias", "conflict/deleted").err
    other = server.command("links", "create", "--app", app.branch_key, "--alias", "conflict/other").err
    assert "another app" in other and "confidential" not in other


def test_a_reserved_path_is_refused_with_all_that_are_reserved(server, app):
    done = server.command("links", "create", "--app", app.branch_key, "--alias", "metrics/today")

    for segment in ("metrics", "api", "v1", "robots.txt", "_r", "single characters", "begin with a dot"):
        assert segment in done.complaint


def test_a_taken_domain_is_refused_with_whose_it_is(server, app):
    other = server.create_app("Meadow", "--domain", "go.meadow.example")

    for command in (["domains", "add", "go.meadow.example", "--app", app.branch_key],
                    ["apps", "create", "Plum", "--domain", "go.meadow.example"]):
        done = server.command(*command)
        assert done.status == 1
        assert "Meadow's live links" in done.complaint and other.branch_key in done.complaint
    again = server.command("domains", "add", "go.meadow.example", "--app", other.test_branch_key)
    assert "live links" in again.complaint and other.branch_key in again.complaint
    assert all(app["name"] != "Plum" for app in server.ask("apps", "list"))


def test_an_error_at_a_terminal_begins_on_a_line_of_its_own(server):
    seen = linden_at_terminal("links", "show", "unknown", "--database", server.database)

    assert seen.status == 1
    assert seen.screen.endswith("Error: There is no such link.\n")
