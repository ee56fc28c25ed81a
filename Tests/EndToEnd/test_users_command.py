"""`linden users`: the users of the dashboard, who are invited, reset and disabled on the command line."""

import re
import sqlite3
import time
from contextlib import closing

import pytest

WEEK = 7 * 86400


@pytest.fixture
def name(request):
    """A name of its own for each test."""
    return re.sub(r"\W", "-", request.node.name) + "@orchard.example"


def secret(user):
    return user["set_up_url"].rpartition("/")[2]


def seconds(server, text):
    return server.query(f"SELECT UNIXEPOCH('{text}')")[0][0]


def test_creating_a_user_prints_an_address_for_setting_a_password_once(server, name):
    created = server.ask("users", "create", name, "--role", "editor")

    assert list(created) == [
        "user_id", "name", "role", "app_id", "status", "second_factor", "provider", "set_up_expires_at", "created_at", "last_sign_in_at", "disabled_at",
        "set_up_url"]
    assert (created["name"], created["role"], created["app_id"], created["status"]) == (name, "editor", None, "invited")
    assert re.fullmatch(re.escape(server.base_url) + r"/dashboard/set-up/[A-Za-z0-9]{40}", created["set_up_url"])
    assert abs(seconds(server, created["set_up_expires_at"]) - time.time() - WEEK) < 60
    listed = server.command("users", "list", "--format", "json")
    assert [user for user in listed.json if user["name"] == name] == [
        {key: value for key, value in created.items() if key != "set_up_url"}]
    assert secret(created) not in listed.out
    stored = server.query(f"SELECT HEX(set_up_hash), password_hash FROM dashboard_users WHERE id = {created['user_id']}")
    assert stored[0][0] and secret(created).encode().hex().upper() not in stored[0][0] and stored[0][1] is None


def test_the_address_is_on_the_given_base_url(server, name):
    created = server.ask("users", "create", name, "--role", "admin", "--base-url", "https://go.orchard.example")
    reset = server.ask("users", "reset", name, "--base-url", "https://go.meadow.example/")

    assert created["set_up_url"].startswith("https://go.orchard.example/dashboard/set-up/")
    assert reset["set_up_url"].startswith("https://go.meadow.example/dashboard/set-up/")


def test_a_user_may_be_limited_to_an_app_by_its_key_or_id(server, orchard, name):
    by_key = server.ask("users", "create", name, "--role", "support", "--app", orchard.branch_key)
    by_id = server.ask("users", "create", f"second-{name}", "--role", "analyst", "--app", orchard.app_id)

    assert [by_key["app_id"], by_id["app_id"]] == [orchard.app_id, orchard.app_id]


def test_a_user_is_reset_disabled_and_enabled(server, name):
    created = server.ask("users", "create", name, "--role", "admin")

    reset = server.ask("users", "reset", name.upper())
    assert reset["user_id"] == created["user_id"] and secret(reset) != secret(created)
    disabled = server.ask("users", "disable", name)
    assert (disabled["status"], disabled["set_up_expires_at"]) == ("disabled", None) and disabled["disabled_at"]
    assert server.ask("users", "disable", name) == disabled
    refused = server.command("users", "reset", name)
    assert (refused.status, refused.out) == (1, "") and "is disabled: enable it first" in refused.complaint
    enabled = server.ask("users", "enable", name)
    assert (enabled["status"], enabled["disabled_at"]) == ("invited", None)
    assert server.ask("users", "enable", name) == enabled
    assert server.ask("users", "reset", name)["set_up_expires_at"]


def test_a_reset_or_disabled_user_has_no_sessions(server, name):
    def sessions(user):
        return server.query(f"SELECT COUNT(*) FROM dashboard_sessions WHERE user_id = {user}")[0][0]

    user = server.ask("users", "create", name, "--role", "admin")["user_id"]
    for command in ["reset", "disable"]:
        with_session(server, user)
        assert sessions(user) == 1
        server.ask("users", command, name)
        assert sessions(user) == 0


def with_session(server, user):
    """Adds a session, as signing in does."""
    with closing(sqlite3.connect(server.path, timeout=10)) as database, database:
        database.execute("INSERT INTO dashboard_sessions VALUES (1, ?, X'01', 1, 1, 2)", (user,))


def test_people_are_shown_a_line_for_each_user(server, name):
    server.ask("users", "create", name, "--role", "analyst")

    lines = server.command("users", "list").out.splitlines()

    assert lines[0].split() == [
        "USER_ID", "NAME", "ROLE", "APP_ID", "STATUS", "SECOND_FACTOR", "PROVIDER", "SET_UP_EXPIRES_AT", "CREATED_AT", "LAST_SIGN_IN_AT", "DISABLED_AT"]
    assert [line.split()[2:5] for line in lines if name in line] == [["analyst", "-", "invited"]]


def test_without_users_the_list_says_how_to_create_one(own_server):
    done = own_server.command("users", "list")

    assert (done.status, done.out) == (0, "")
    assert done.complaint == "There are no users: linden users create NAME --role admin"
    assert own_server.ask("users", "list") == []


@pytest.mark.parametrize("arguments, status, says", [
    (["create", "taken", "--role", "admin"], 1, "There is a user named taken already."),
    (["create", "TAKEN", "--role", "admin"], 1, "There is a user named TAKEN already."),
    (["create", "", "--role", "admin"], 1, "1 to 254 ASCII characters without spaces"),
    (["create", "two words", "--role", "admin"], 1, "1 to 254 ASCII characters without spaces"),
    (["create", "änne", "--role", "admin"], 1, "1 to 254 ASCII characters without spaces"),
    (["create", "x" * 255, "--role", "admin"], 1, "1 to 254 ASCII characters without spaces"),
    (["create", "new", "--role", "admin", "--app", "key_live_unknown"], 1, "key_live_unknown"),
    (["create", "new", "--role", "owner"], 64, "admin"),
    (["create", "new"], 64, "--role"),
    (["reset", "unknown"], 1, "There is no user named unknown."),
    (["disable", "unknown"], 1, "There is no user named unknown."),
    (["enable", "unknown"], 1, "There is no user named unknown."),
    (["reset"], 64, "name"),
])
def test_what_is_wrong_is_named_and_changes_nothing(server, arguments, status, says):
    if not any(user["name"] == "taken" for user in server.ask("users", "list")):
        server.ask("users", "create", "taken", "--role", "admin")
    before = server.query("SELECT * FROM dashboard_users")

    done = server.command("users", *arguments)

    assert (done.status, done.out) == (status, "")
    assert says in done.err
    assert server.query("SELECT * FROM dashboard_users") == before
