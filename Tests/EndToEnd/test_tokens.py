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
