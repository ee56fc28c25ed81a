"""`linden audit`: what operators changed, by commands and over HTTP."""

import json


def test_changes_by_commands_and_over_http_are_listed_newest_first(server, app):
    link = server.ask("links", "create", "--app", app.branch_key, "--alias", "audited/pears", "--channel", "sms")
    server.ask("links", "update", link["url"], "--channel", "")
    token = server.ask("tokens", "create", "editor", "--role", "admin", "--app", app.app_id)["token"]
    changed = server.send(
        "PATCH", f"/api/v1/links/{link['id']}", body=json.dumps({"campaign": "harvest"}).encode(),
        headers={"Authorization": f"Bearer {token}"})

    entries = server.ask("audit", "--noun", "link", "--subject", link["id"])

    assert changed.status == 200
    assert [(entry["interface"], entry["action"], entry["change"]) for entry in entries] == [
        ("api", "PATCH /api/v1/links/{link_id}", "changed"), ("command", "linden links update", "changed"),
        ("command", "linden links create", "created")]
    assert (entries[1]["before"], entries[1]["after"]) == ({"channel": "sms"}, {"channel": None})
    assert entries[0]["name"] == "editor" and entries[1]["name"] and entries[1]["address"]
    assert server.ask("audit", "--app", app.app_id, "--actor", "token")[0]["after"] == {"campaign": "harvest"}
    assert token not in json.dumps(server.ask("audit", "--limit", "1000"))


def test_the_log_is_read_page_by_page_and_its_chain_is_verified(server, app):
    for _ in range(3):
        server.ask("links", "create", "--app", app.branch_key)

    first = server.command("audit", "--app", app.app_id, "--limit", "2", "--format", "json")
    rest = server.ask("audit", "--app", app.app_id, "--before", str(first.json[-1]["position"]))

    assert f"--before {first.json[-1]['position']}" in first.err
    assert first.json[-1]["position"] > rest[0]["position"]
    check = next(check for check in server.ask("verify")["checks"] if check["check"] == "audit.chain")
    assert check["ok"] and check["examined"] >= 4
    assert server.command("audit", "--actor", "ann").status == 64
    assert server.command("audit", "--limit", "0").status == 64


def test_a_table_shows_what_changed(server, app):
    link = server.ask("links", "create", "--app", app.branch_key, "--channel", "sms")
    server.ask("links", "update", link["id"], "--channel", "mail")

    table = server.command("audit", "--noun", "link", "--subject", link["id"])

    assert table.status == 0, table.err
    assert "channel: sms → mail" in table.out and "linden links update" in table.out
