"""The management API, `/api/v1/links`, `/clicks` and `/sessions`, beside the commands with the same views."""

import json
import subprocess
from urllib.parse import urlencode

import pytest
import yaml

from support.description import CONFORMANCE, call_as_described
from support.visitors import crawler, desktop, iphone


class Manager:
    """A client of the management API, and the commands on the same database."""

    def __init__(self, app, role="admin"):
        self.app = app
        self.server = app.server
        self.headers = {"Authorization": "Bearer " + self.server.ask("tokens", "create", role, "--role", role, "--app", app.app_id)["token"]}

    def get(self, path, **query):
        query = urlencode(query)
        return self.server.get("/api/v1/" + path + ("?" + query if query else ""), self.headers)

    def send(self, method, path, body=b""):
        return self.server.send(method, "/api/v1/" + path, body, self.headers)

    def id_of(self, url):
        return self.app.read(url)["data"]["~id"]


@pytest.fixture
def manager(app):
    return Manager(app)


@pytest.fixture(scope="module")
def shop(server):
    """A manager of an app with links that no test changes."""
    shop = Manager(server.create_app("Shop"))
    for alias, labels in {
            "shop/pears": {"channel": "mail", "campaign": "spring", "tags": ["red", "sweet"]},
            "shop/plums": {"channel": "sms", "feature": "sharing", "stage": "new", "data": {"variety": "Mirabelle"}},
            "shop/figs": {"channel": "mail", "expires_at": "2025-01-02T00:00:00Z"}, "shop/dates": {}}.items():
        shop.app.create_link(alias=alias, **labels)
    server.ask("links", "delete", f"{server.base_url}/shop/dates", "--yes")
    return shop


# MARK: Lists

@pytest.mark.parametrize("conditions, aliases", [
    ({}, ["figs", "plums", "pears"]), ({"channel": "mail"}, ["figs", "pears"]), ({"feature": "sharing"}, ["plums"]),
    ({"campaign": "spring"}, ["pears"]), ({"stage": "new"}, ["plums"]), ({"tag": "sweet"}, ["pears"]),
    ({"search": "mirab"}, ["plums"]), ({"search": "shop/p"}, ["plums", "pears"]), ({"state": "open"}, ["plums", "pears"]),
    ({"state": "ended"}, ["figs"]), ({"state": "deleted"}, ["dates"]), ({"from": "today"}, ["figs", "plums", "pears"]),
    ({"to": "yesterday"}, []), ({"sort": "oldest", "channel": "mail"}, ["pears", "figs"]), ({"limit": "1"}, ["figs"])],
    ids=lambda value: " ".join(value) if isinstance(value, dict) else "")
def test_links_are_listed_by_the_same_conditions_over_http_and_by_the_command(shop, conditions, aliases):
    arguments = [text for name, value in conditions.items() for text in (f"--{name}", value)]

    listed = shop.server.ask("links", "list", "--app", shop.app.branch_key, *arguments)
    answer = shop.get("links", app=shop.app.app_id, **conditions)

    assert answer.status == 200, answer.text
    assert [link["url"] for link in listed] == [f"{shop.server.base_url}/shop/{alias}" for alias in aliases]
    assert answer.json["links"] == listed


@pytest.mark.parametrize("sort, option", [("newest", "--before"), ("oldest", "--after")])
def test_pages_of_links_follow_one_another(shop, sort, option):
    def pages(read):
        listed, last = [], None
        while True:
            links, last = read(last)
            listed.append([link["id"] for link in links])
            if last is None:
                return listed

    def by_command(last):
        done = shop.server.command(
            "links", "list", "--app", shop.app.branch_key, "--sort", sort, "--limit", "2", "--format", "json",
            *([option, last] if last else []))
        assert done.status == 0, done.err
        return done.json, done.err.split(option + " ")[1].rstrip(".\n") if done.err else None

    def over_http(last):
        answer = shop.get("links", app=shop.app.app_id, sort=sort, limit=2, **({"cursor": last} if last else {})).json
        return answer["links"], answer["next_cursor"]

    assert pages(by_command) == pages(over_http)
    assert [len(page) for page in pages(over_http)] == [2, 1]


@pytest.mark.parametrize("arguments, says", [
    (["--sort", "size"], "--sort"), (["--state", "gone"], "--state"), (["--limit", "0"], "1 to 1000"),
    (["--before", "1", "--sort", "oldest"], "--sort newest"), (["--after", "1"], "--sort oldest"), (["--from", "soon"], "from"),
    (["--search", "x" * 513], "512 bytes")])
def test_a_wrong_condition_is_named(shop, arguments, says):
    done = shop.server.command("links", "list", "--app", shop.app.branch_key, *arguments)

    assert done.status in (1, 64) and done.out == ""
    assert says in done.err


# MARK: One link

def test_a_link_has_one_view_over_http_and_by_the_command(manager):
    created = manager.send("POST", f"links?app={manager.app.app_id}", {
        "alias": "managed/pears", "channel": "mail", "tags": ["red"], "data": {"$deeplink_path": "pears/1"}, "max_clicks": 9})
    path = f"links/{created.json['id']}"

    assert created.status == 200, created.text
    assert manager.get(path).json == created.json == manager.server.ask("links", "show", created.json["url"])
    assert "orchard://pears/1?" in manager.app.click(created.json["url"], iphone()).text

    changed = manager.send("PATCH", path, {"channel": "sms", "data": {"ripe": True}})
    assert changed.json["data"]["$deeplink_path"] == "pears/1" and changed.json["data"]["ripe"] is True
    assert changed.json == manager.server.ask("links", "show", created.json["url"])

    assert manager.get(path + "/statistics").json == manager.app.statistics(created.json["url"])

    assert manager.send("DELETE", path).json == {"url": created.json["url"], "deleted": True}
    assert manager.app.click(created.json["url"], iphone()).status == 404


def test_an_archived_link_leads_where_it_led_and_is_listed_where_it_is_asked_for(manager):
    url = manager.app.create_link(data={"$deeplink_path": "pears/1"}, channel="archive")
    path, app = f"links/{manager.id_of(url)}", manager.app

    def listed(**conditions):
        return [link["url"] for link in manager.get("links", app=app.app_id, channel="archive", **conditions).json["links"]]

    assert "archived must be true or false" in manager.send("PATCH", path, {"archived": "yes"}).refusal(400)
    assert manager.send("PATCH", path, {"archived": True}).json["archived"] is True
    assert (listed(), listed(state="archived")) == ([], [url])
    assert "orchard://pears/1?" in app.click(url, iphone()).text
    assert "archived" not in app.read(url)

    assert manager.server.ask("links", "update", url, "--restore")["archived"] is False
    assert (listed(), listed(state="archived")) == ([url], [])
    manager.server.ask("links", "bulk", manager.id_of(url), "--app", app.branch_key, "--archive")
    assert [link["url"] for link in manager.server.ask(
        "links", "list", "--app", app.branch_key, "--channel", "archive", "--state", "archived")] == [url]


def test_an_analyst_reads_and_changes_nothing(manager):
    url = manager.app.create_link(channel="mail")
    analyst, path = Manager(manager.app, "analyst"), f"links/{manager.id_of(url)}"

    assert analyst.get(path).status == 200
    for method, target, body in [("POST", f"links?app={manager.app.app_id}", {}), ("PATCH", path, {"channel": "sms"}), ("DELETE", path, b"")]:
        analyst.send(method, target, body).refusal(403)
    assert manager.app.read(url)["channel"] == "mail"


# MARK: Clicks and sessions

def test_clicks_and_sessions_are_those_that_the_commands_list(manager):
    phone, url = iphone(), manager.app.create_link()
    for visitor in [desktop(), crawler(), phone]:
        manager.app.click(url, visitor)
    session = manager.app.install(phone).answer["session_id"]
    link = manager.id_of(url)

    clicks = manager.get(f"links/{link}/clicks").json["clicks"]
    assert clicks[::-1] == manager.server.ask("links", "clicks", url)
    robots = manager.get(f"links/{link}/clicks", visitor="robot").json["clicks"]
    assert robots == manager.server.ask("links", "clicks", url, "--visitor", "robot") == [clicks[1]]
    assert manager.get("clicks", app=manager.app.app_id).json["clicks"] == [click | {"link_id": link} for click in clicks]

    sessions = manager.get("sessions", app=manager.app.app_id).json
    assert sessions == {"sessions": manager.server.ask("sessions", "list", "--app", manager.app.app_id), "next_cursor": None}
    assert manager.get(f"sessions/{session}").json == manager.server.ask("sessions", "show", session)
    assert manager.get(f"sessions/{session}/explanation").json == manager.server.ask("explain", session)


# MARK: Apps and the doctor

def test_apps_previews_and_findings_are_those_of_the_commands(manager):
    url = manager.app.create_link(data={"$deeplink_path": "pears/1", "$no_such_key": 1})
    everyone = Manager(manager.app)
    everyone.headers = {"Authorization": "Bearer " + manager.server.ask("tokens", "create", "all", "--role", "analyst")["token"]}

    listed = manager.server.ask("apps", "list")
    assert everyone.get("apps").json == {"apps": listed}
    assert manager.get("apps").json == {"apps": [app for app in listed if app["app_id"] == manager.app.app_id]}

    for query in [{}, {"as": "android"}]:
        arguments = [text for name, value in query.items() for text in (f"--{name}", value)]
        shown = manager.server.ask("doctor", "link", url, *arguments)
        if "visitors" not in shown:
            shown = {"url": url, "checks": shown.pop("checks"), "visitors": [shown]}
        assert manager.get("preview", link=url, **query).json == shown
    assert "$no_such_key" in manager.get("preview", link=url).text
    assert manager.app.statistics(url)["clicks"] == 0

    checks = manager.server.ask("doctor", "app", manager.app.app_id)["checks"]
    of_app = [check for check in checks if "app" in check]
    assert [check for check in everyone.get("doctor", app=manager.app.app_id).json["checks"] if "app" in check] == of_app
    own = manager.get("doctor", app=manager.app.app_id).json
    assert own["checks"] == of_app and own["mode"] == "live"


# MARK: QR codes

def scanned(picture):
    """Decodes a picture with a QR reader."""
    return subprocess.run(["zbarimg", "--quiet", "--raw", str(picture)], capture_output=True, text=True, check=True).stdout.strip()


@pytest.mark.parametrize("file, kind", [("code.png", "image/png"), ("code.jpg", "image/jpeg"), ("code", "image/png")])
def test_the_code_of_a_link_is_the_same_over_http_and_by_the_command(manager, tmp_path, file, kind):
    url = manager.app.create_link()
    shown = manager.server.ask("links", "qr", url, "--output", str(tmp_path / file), "--width", "500", "--code-color", "#2c6e49")
    picture = (tmp_path / file).read_bytes()
    answer = manager.get(f"links/{manager.id_of(url)}/qr", image_format=kind.split("/")[1], width=500, code_color="#2c6e49")

    assert shown == {"file": str(tmp_path / file), "url": url, "type": kind, "bytes": len(picture)}
    assert scanned(tmp_path / file) == url
    assert (answer.status, answer.headers["content-type"], answer.body) == (200, kind, picture)


def test_a_code_is_written_to_standard_output(manager):
    done = manager.server.command("links", "qr", manager.app.create_link(), "--image-format", "svg", "--margin", "5")

    assert done.status == 0, done.err
    assert done.out.startswith("<svg ") and 'width="300"' in done.out


def test_a_file_is_replaced_only_when_that_is_confirmed(manager, tmp_path):
    url, file = manager.app.create_link(), tmp_path / "code.png"
    file.write_text("mine")

    refused = manager.server.command("links", "qr", url, "--output", str(file))
    assert refused.status == 64 and "--yes" in refused.err
    assert file.read_text() == "mine"

    manager.server.ask("links", "qr", url, "--output", str(file), "--yes")
    assert scanned(file) == url


def test_a_logo_is_a_file(manager, tmp_path):
    url = manager.app.create_link()
    logo, code = tmp_path / "logo.jpg", tmp_path / "code.png"
    manager.server.ask("links", "qr", url, "--output", str(logo), "--background-color", "#ffeedd")

    manager.server.ask("links", "qr", url, "--output", str(code), "--width", "900", "--logo", str(logo))
    assert scanned(code).splitlines()[0] == url

    missing = manager.server.command("links", "qr", url, "--output", str(code), "--logo", str(tmp_path / "none.png"))
    assert missing.status == 1 and "none.png cannot be read" in missing.err


@pytest.mark.parametrize("arguments, says", [
    (["--width", "299"], "300 to 2000"), (["--margin", "x"], "--margin"), (["--image-format", "gif"], "PNG, JPEG or SVG"),
    (["--output", "code.gif"], "PNG, JPEG or SVG"), (["--code-color", "greenish"], "#RRGGBB"), (["--code-color", "#fff"], "contrast")])
def test_a_wrong_style_is_named(manager, tmp_path, arguments, says):
    done = manager.server.command("links", "qr", manager.app.create_link(), *arguments, folder=tmp_path)

    assert done.status in (1, 64) and done.out == ""
    assert says in done.err
    assert list(tmp_path.iterdir()) == []


# MARK: The description

def test_the_management_api_answers_as_its_description_says(manager, tmp_path):
    """Every call with a token that may make it, of an app, a link and a session that exist."""
    phone, url = iphone(), manager.app.create_link(channel="mail", data={"variety": "Cox"})
    manager.app.click(url, phone)
    session = manager.app.install(phone).answer["session_id"]
    description = yaml.safe_load(manager.server.get("/openapi.yaml").text)
    parameters = description["components"]["parameters"]
    parameters["AnalyticsApp"] |= {"schema": {"enum": [manager.app.branch_key]}, "example": manager.app.branch_key}
    parameters["AppInPath"] |= {"schema": {"enum": [manager.app.branch_key]}, "example": manager.app.branch_key}
    parameters["LinkID"] |= {"schema": {"enum": [manager.id_of(url)]}, "example": manager.id_of(url)}
    parameters["SessionInPath"] |= {"schema": {"enum": [session]}, "example": session}
    parameters["PreviewLink"] |= {"schema": {"enum": [url, manager.id_of(url)]}, "example": url}
    del description["components"]["securitySchemes"]
    managed = {path: item for path, item in description["paths"].items() if path.startswith(
        ("/api/v1/apps", "/api/v1/doctor", "/api/v1/preview", "/api/v1/links", "/api/v1/clicks", "/api/v1/content", "/api/v1/sessions", "/mcp",
         "/api/v1/domains", "/api/v1/tokens", "/api/v1/routes", "/api/v1/credits", "/api/v1/rewards", "/api/v1/identities", "/api/v1/rates",
         "/api/v1/settings"))}
    assert len(managed) == 46
    for operation in (operation for item in managed.values() for operation in item.values()):
        operation.pop("security", None)
    # Otherwise the link, the app or its key would be gone for all other calls.
    del managed["/api/v1/links/{link_id}"]["delete"]
    del managed["/api/v1/apps/{app}"]["delete"]
    body = managed["/api/v1/apps/{app}/keys"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    body["properties"]["overlap"] = {"enum": ["30d", "forever"]}
    (tmp_path / "openapi.json").write_text(json.dumps(description | {"paths": managed}))

    run = call_as_described(
        tmp_path / "openapi.json", manager.server.base_url, 10, CONFORMANCE, [f"Authorization: {manager.headers['Authorization']}"], timeout=300)

    assert run.returncode == 0, run.stdout[-20000:]
