"""The command line beside a running server: both have the same apps, links and tokens."""

import pytest

from support.visitors import desktop
from support.waiting import eventually


def test_creating_an_app_prints_its_keys_and_secrets(server):
    created = server.ask("apps", "create", "Orchard")

    assert set(created) == {
        "app_id", "branch_key", "branch_secret", "test_branch_key", "test_branch_secret", "short_url_domain"}
    for mode, prefix in [("live", ""), ("test", "test_")]:
        assert created[prefix + "branch_key"].removeprefix(f"key_{mode}_").isalnum()
        assert len(created[prefix + "branch_key"]) == len(f"key_{mode}_") + 32
        assert created[prefix + "branch_secret"].startswith(f"secret_{mode}_")
    assert created["app_id"].isdecimal() and len(created["app_id"]) == 18


def test_apps_are_listed_shown_and_updated_without_their_secrets(server, app):
    updated = server.ask("apps", "update", app.branch_key, "--name", "Meadow", "--ios-uri-scheme", "")

    shown = server.command("apps", "show", app.app_id, "--format", "json")
    listed = server.command("apps", "list", "--format", "json")

    assert shown.json == updated
    assert updated["name"] == "Meadow"
    assert "ios_uri_scheme" not in updated["settings"]
    assert updated["settings"]["android_uri_scheme"] == "orchard"
    assert [entry["name"] for entry in listed.json if entry["app_id"] == app.app_id] == ["Meadow"]
    assert "secret" not in shown.out + listed.out


def test_people_are_shown_tables_and_programs_json(server, app):
    table = server.command("apps", "list")

    assert table.out.splitlines()[0].split()[:2] == ["APP_ID", "NAME"]
    assert app.branch_key in table.out


def test_the_server_notices_an_updated_app(server, app):
    link = app.create_link()
    app.click(link, desktop())

    server.ask("apps", "update", app.branch_key, "--default-url", "https://meadow.example.com/")

    eventually(lambda: app.click(link, desktop()).location.startswith("https://meadow.example.com/"))


def test_the_server_notices_a_deleted_app(server, app):
    link = app.create_link()
    app.click(link, desktop())

    done = server.command("apps", "delete", app.branch_key, "--yes")

    assert done.status == 0
    eventually(lambda: server.post("/v1/url", {"branch_key": app.branch_key}).status == 400)
    eventually(lambda: app.click(link, desktop()).status == 404)


def test_the_links_of_an_app_with_a_domain_lie_there_and_nowhere_else(server, app):
    server.ask("domains", "add", "go.orchard.example", "--app", app.branch_key)
    assert [entry["domain"] for entry in server.ask("domains", "list", "--app", app.app_id)] == ["go.orchard.example"]

    def created():
        return app.create_link(data={"$desktop_url": "https://orchard.example.com/"})

    eventually(lambda: created().startswith("https://go.orchard.example/"))
    path = created().removeprefix("https://go.orchard.example")
    assert server.get(path, desktop().headers | {"Host": "go.orchard.example"}).status == 302
    assert server.get(path, desktop().headers | {"Host": "other.orchard.example:80"}).status == 404

    server.ask("domains", "remove", "go.orchard.example", "--app", app.branch_key, "--yes")
    eventually(lambda: server.get(path, desktop().headers | {"Host": "go.orchard.example"}).status == 404)


@pytest.mark.parametrize("arguments, status", [
    (["apps", "show", "key_live_unknown"], 1),
    (["links", "show", "unknown"], 1),
    (["tokens", "revoke", "unknown"], 1),
    (["domains", "add", "not a host", "--app", "{key}"], 1),
    (["links", "create", "--app", "{key}", "--alias", "v1/url"], 1),
    (["links", "create", "--app", "{key}", "--type", "3"], 64),
    (["links", "create"], 64),
    (["tokens", "create", "name", "--role", "owner"], 64),
    (["apps", "plant"], 64),
    (["apps", "list", "--format", "xml"], 64),
])
def test_a_failure_is_printed_to_stderr_only_with_its_exit_status(server, app, arguments, status):
    before = server.rows()

    done = server.command(*[argument.format(key=app.branch_key) for argument in arguments])

    assert (done.status, done.out) == (status, "")
    assert done.err != ""
    assert server.rows() == before


def test_help_and_version_are_answers(server):
    for arguments in (["--help"], ["links", "create", "--help"], ["--version"]):
        done = server.command(*arguments[:-1], arguments[-1])
        assert (done.status, done.err) == (0, "")
        assert done.out != ""
