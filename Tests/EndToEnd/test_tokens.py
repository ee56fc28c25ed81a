"""Access tokens, created and revoked on the command line, authorize the deletion of links."""

import pytest

from support.waiting import eventually


@pytest.mark.parametrize("header", ["Access-Token", "Authorization"])
def test_an_admins_token_deletes_a_link_until_it_is_revoked(server, app, header):
    created = server.ask("tokens", "create", f"for {header}", "--role", "admin", "--app", app.branch_key)
    token = created["token"]
    headers = {header: token if header == "Access-Token" else f"Bearer {token}"}
    call = f"{app.link(app.create_link())}&app_id={app.app_id}"
    assert server.send("DELETE", call, headers=headers).json["deleted"] is True

    assert token not in server.command("tokens", "list").out
    server.ask("tokens", "revoke", created["token_id"], "--yes")

    def refused():
        answer = server.send("DELETE", f"{app.link(app.create_link())}&app_id={app.app_id}", headers=headers)
        return answer.status == 401 and answer.json["error"]["code"] == 401

    eventually(refused)


def test_a_token_deletes_nothing_it_is_not_good_for(server, app):
    other = server.create_app("Other")
    analyst = server.ask("tokens", "create", "reader", "--role", "analyst")["token"]
    stranger = server.ask("tokens", "create", "stranger", "--role", "admin", "--app", other.app_id)["token"]
    link = app.create_link()
    call = f"{app.link(link)}&app_id={app.app_id}"

    for token, status in [(analyst, 403), (stranger, 403), ("linden_unknown", 401)]:
        answer = server.send("DELETE", call, headers={"Access-Token": token})
        answer.refusal(status)
    assert server.send("DELETE", call).status in (400, 401)
    assert app.read(link)["type"] == 0


def test_a_token_is_rotated_with_an_overlap_and_the_list_shows_its_use_and_its_end(server, app):
    created = server.ask("tokens", "create", "rotated", "--role", "analyst", "--expires", "90d")

    def reads(secret):
        return server.get("/api/v1/links?app=" + app.app_id, {"Access-Token": secret}).status == 200

    assert reads(created["token"])
    rotated = server.ask("tokens", "rotate", "rotated", "--overlap", "7d")
    assert rotated["token_id"] == created["token_id"] and rotated["token"] != created["token"]
    assert reads(created["token"]) and reads(rotated["token"])
    (listed,) = [token for token in server.ask("tokens", "list") if token["token_id"] == created["token_id"]]
    assert listed["last_used_at"] and listed["expires_at"] > created["expires_at"]
    assert listed["former_ends_at"] == rotated["former_ends_at"] > listed["rotated_at"]

    assert server.command("tokens", "rotate", "rotated", "--overlap", "0").status != 0, "it asks first"
    last = server.ask("tokens", "rotate", "rotated", "--overlap", "0", "--yes")
    assert reads(last["token"]) and not reads(rotated["token"]) and not reads(created["token"])


@pytest.mark.parametrize("arguments, named", [
    (["create", "x", "--role", "admin", "--expires", "soon"], "expires must be never"),
    (["create", "x", "--role", "admin", "--expires", "2020-01-01"], "in the future"),
    (["rotate", "missing"], "no valid token named missing"),
])
def test_a_wrong_expiry_or_name_is_named_and_creates_nothing(server, arguments, named):
    before = server.ask("tokens", "list")

    done = server.command("tokens", *arguments)

    assert done.status == 1 and named in done.complaint
    assert server.ask("tokens", "list") == before
