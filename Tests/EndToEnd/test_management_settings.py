"""The nouns of an app's set-up in the management API, beside the commands with the same views."""

import pytest

from support.visitors import desktop, iphone


class Manager:
    """A client of the management API with a token of an app, or of all."""

    def __init__(self, server, role="admin", app=None):
        self.server = server
        scope = ["--app", app.app_id] if app else []
        self.headers = {"Authorization": "Bearer " + server.ask("tokens", "create", role, "--role", role, *scope)["token"]}

    def send(self, method, path, body=b""):
        return self.server.send(method, "/api/v1/" + path, body, self.headers)

    def get(self, path):
        answer = self.send("GET", path)
        assert answer.status == 200, answer.text
        return answer.json


@pytest.fixture
def manager(app):
    return Manager(app.server, app=app)


@pytest.fixture
def operator(app):
    """A token of all apps."""
    return Manager(app.server)


def test_settings_are_those_of_the_command(app, manager):
    ask, path = app.server.ask, f"apps/{app.app_id}"
    assert manager.get("settings")["settings"] == ask("apps", "settings")
    assert manager.get(path) == ask("apps", "show", app.app_id)

    changed = manager.send("PATCH", path, {"name": "Grove", "settings": {"ios_team_id": "ABCDE12345"}}).json

    assert changed == ask("apps", "show", app.app_id)
    assert (changed["name"], changed["settings"]["ios_team_id"]) == ("Grove", "ABCDE12345")
    assert manager.send("PATCH", path, {"settings": {"ios_team_id": None}}).json == ask("apps", "show", app.app_id)
    unknown = manager.send("PATCH", path, {"settings": {"ios_teamid": "ABCDE12345"}})
    assert unknown.refusal(400) == "ios_teamid is not a setting of an app. Did you mean ios_team_id?"


def test_domains_are_those_of_the_command(app, manager, operator):
    host, ask = f"d{app.app_id}.example.com", app.server.ask

    added = manager.send("POST", f"domains?app={app.app_id}", {"domain": host})
    assert added.json == {"domain": host, "app_id": app.app_id, "mode": "live"}
    assert app.create_link(alias="figs") == f"https://{host}/figs"

    changed = manager.send("PATCH", f"domains/{host}", {"root_url": "https://orchard.example.com/root"}).json
    assert changed == ask("domains", "update", host, "--app", app.app_id, "--not-found-url", "") and changed["root_url"]
    visit = app.server.get("/", desktop().headers | {"Host": host})
    assert visit.headers["location"] == "https://orchard.example.com/root"

    other = app.server.create_app("Meadow")
    assert manager.send("PUT", f"domains/{host}/apps/{other.app_id}").status == 403
    assert operator.send("PUT", f"domains/{host}/apps/{other.app_id}").json["associated"] is True
    listed = ask("domains", "list", "--app", app.app_id)
    assert listed[0]["associated_app_ids"] == [other.app_id]
    assert manager.get("domains")["domains"] == manager.get(f"domains?app={app.app_id}")["domains"] == listed
    assert operator.get("domains")["domains"] == ask("domains", "list")

    assert manager.send("DELETE", f"domains/{host}").status == 403, "the app would share the base URL's host"
    assert operator.send("DELETE", f"domains/{host}").json == {"domain": host, "removed": True}
    assert ask("domains", "list", "--app", app.app_id) == []


def test_tokens_are_those_of_the_command(app, manager, operator):
    created = manager.send("POST", "tokens", {"name": "reports", "role": "analyst"}).json
    reports = {"Authorization": "Bearer " + created.pop("token")}

    assert created in app.server.ask("tokens", "list")
    assert operator.get("tokens")["tokens"] == app.server.ask("tokens", "list")
    assert {token["app_id"] for token in manager.get("tokens")["tokens"]} == {app.app_id}
    assert app.server.get(f"/api/v1/links?app={app.app_id}", reports).status == 200

    assert manager.send("DELETE", f"tokens/{created['token_id']}").json == {"token_id": created["token_id"], "revoked": True}
    assert app.server.get(f"/api/v1/links?app={app.app_id}", reports).status == 401


def test_routes_are_those_of_the_command(app, manager):
    ask, path = app.server.ask, f"routes?app={app.app_id}"

    [added] = manager.send("POST", path, {
        "syntax": "waapp", "pattern": "figs/:id", "target": "Fig", "id": "fig page", "defaults": {"tab": "photos"}}).json["routes"]
    ask("routes", "add", "--app", app.app_id, "--syntax", "roots", "--key", "al:ios:url", "--target", "User", "--before", "fig page",
        "orchard://*/user/{id}")
    listed = ask("routes", "list", "--app", app.app_id)
    assert listed[1] == added
    assert manager.get(path)["routes"] == listed

    test = ["routes", "test", "orchard://figs/5", "--app", app.app_id]
    assert ask(*test)["matched"] is True
    assert manager.send("PATCH", f"routes/fig%20page?app={app.app_id}", {"enabled": False}).json == added | {"enabled": False}
    assert ask(*test)["matched"] is False

    assert manager.send("DELETE", f"routes/fig%20page?app={app.app_id}").json == {"id": "fig page", "removed": True}
    assert ask("routes", "list", "--app", app.app_id) == listed[:1]


def test_credits_are_those_of_the_command(app, manager):
    ask, user = app.server.ask, ["ann", "--app", app.app_id]

    granted = manager.send("POST", f"credits/grants?app={app.app_id}", {"identity": "ann", "amount": 20}).json
    assert [granted] == ask("credits", "history", *user)
    ask("credits", "redeem", *user, "5", "--bucket", "default")
    redeemed = manager.send("POST", f"credits/redemptions?app={app.app_id}", {"identity": "ann", "amount": 3}).json
    assert redeemed["balance"] == 12
    manager.send("POST", f"credits/redemptions?app={app.app_id}", {"identity": "ann", "amount": 13}).refusal(402)

    reversed_ = manager.send("POST", f"credits/reversals?app={app.app_id}", {"transaction": redeemed["transaction"]}).json
    assert (reversed_["reverses"], reversed_["amount"], reversed_["balance"]) == (redeemed["transaction"], 3, 15)
    assert manager.get(f"credits?app={app.app_id}&identity=ann")["balances"] == ask("credits", "balance", *user) == {"default": 15}
    listed = manager.get(f"credits/history?app={app.app_id}&identity=ann")
    assert listed == {"transactions": ask("credits", "history", *user), "next_cursor": None}


def test_a_user_and_the_rates_are_those_of_the_commands(app, manager, tmp_path):
    phone = iphone()
    app.install(phone, identity="ann")
    shown = app.server.ask("identities", "show", "ann", "--app", app.app_id)
    assert shown["sessions"] == 1
    assert manager.get(f"identities/ann?app={app.app_id}") == manager.get(f"identities/{shown['identity_id']}?app={app.app_id}") == shown
    manager.send("GET", f"identities/bob?app={app.app_id}").refusal(404)

    (tmp_path / "rates.csv").write_text("EUR,0.92\nGBP,0.79\n")
    app.server.ask("rates", "import", str(tmp_path / "rates.csv"))
    assert manager.get("rates")["rates"] == app.server.ask("rates", "list")
    assert [rate["currency"] for rate in manager.get("rates")["rates"]] == ["EUR", "GBP"]


def test_reward_rules_are_those_of_the_command(app, manager):
    ask, path = app.server.ask, f"rewards?app={app.app_id}"

    added = manager.send("POST", path, {"event": "install", "reward": "both", "amount": 5, "cap_per_user": 3}).json
    ask("rewards", "add", "--app", app.app_id, "--event", "open", "--reward", "actor", "--amount", "1")
    listed = ask("rewards", "list", "--app", app.app_id)
    assert listed[0] == added and manager.get(path)["rewards"] == listed

    rule = f"rewards/{added['id']}?app={app.app_id}"
    assert manager.send("PATCH", rule, {"paused": True}).json == added | {"paused": True}
    assert ask("rewards", "list", "--app", app.app_id)[0]["paused"] is True
    assert manager.send("DELETE", rule).json == {"id": added["id"], "removed": True}
    assert ask("rewards", "list", "--app", app.app_id) == listed[1:]


@pytest.mark.parametrize("method, path, body", [
    ("POST", "domains?app=APP", {"domain": "x.example.com"}), ("PATCH", "domains/x.example.com", {"root_url": None}),
    ("DELETE", "domains/x.example.com", b""), ("POST", "tokens", {"name": "x", "role": "admin"}), ("DELETE", "tokens/1", b""),
    ("POST", "routes?app=APP", {"syntax": "waapp", "pattern": "x", "target": "X"}), ("PATCH", "routes/1?app=APP", {"enabled": True}),
    ("DELETE", "routes/1?app=APP", b""), ("POST", "credits/grants?app=APP", {"identity": "x", "amount": 1}),
    ("POST", "credits/redemptions?app=APP", {"identity": "x", "amount": 1}), ("POST", "credits/reversals?app=APP", {"transaction": 1}),
    ("POST", "rewards?app=APP", {"event": "open", "reward": "actor", "amount": 1}), ("PATCH", "rewards/1?app=APP", {"paused": True}),
    ("DELETE", "rewards/1?app=APP", b"")])
def test_an_analyst_changes_nothing(app, method, path, body):
    analyst = Manager(app.server, "analyst", app)
    before = app.server.rows()

    analyst.send(method, path.replace("APP", app.app_id), body).refusal(403)

    assert app.server.rows() == before
