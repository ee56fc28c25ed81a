"""Rotation of keys and secrets from the command line while the server runs."""

from datetime import datetime, timedelta, timezone

import pytest

from support.server import Server, running
from support.visitors import desktop, iphone
from support.waiting import eventually


def reads(app, secret, key=None):
    return app.server.get(f"/v1/app/{key or app.branch_key}", {"Branch-Secret": secret}).status == 200


def test_a_secret_is_replaced_with_an_overlap_that_is_ended_early(app):
    new = app.server.ask("apps", "rotate-secret", app.branch_key, "--overlap", "30d")

    assert new["branch_secret"].startswith("secret_live_") and new["branch_secret"] != app.branch_secret
    eventually(lambda: reads(app, new["branch_secret"]))
    assert reads(app, app.branch_secret)
    (former,) = app.server.ask("apps", "show", app.app_id)["former_secrets"]
    assert former["mode"] == "live" and former["ends_at"] == new["former_secret_ends_at"]
    left = datetime.fromisoformat(former["ends_at"]) - datetime.now(timezone.utc)
    assert timedelta(days=29, hours=23) < left <= timedelta(days=30)

    assert app.server.command("apps", "end-secret", app.branch_key).status != 0, "it asks first"
    assert app.server.ask("apps", "end-secret", app.branch_key, "--yes")["ended_secrets"] == 1
    eventually(lambda: not reads(app, app.branch_secret))
    assert reads(app, new["branch_secret"])


def test_links_outlive_the_key_they_were_made_with(app):
    short, long = app.create_link(), f"/a/{app.branch_key}?channel=sms"
    new = app.server.ask("apps", "rotate-key", app.branch_key)
    assert new["former_branch_key"] == app.branch_key and new["former_key_ends_at"] == "never"
    eventually(lambda: app.server.post("/v1/url", {"branch_key": new["branch_key"]}).status == 200)
    app.create_link()
    shown = app.server.ask("apps", "show", app.app_id)
    assert shown["branch_key"] == new["branch_key"]
    assert [(key["branch_key"], key["ends_at"]) for key in shown["former_keys"]] == [(app.branch_key, "never")]

    app.server.ask("apps", "end-key", app.branch_key, "--yes")
    eventually(lambda: app.server.post("/v1/url", {"branch_key": app.branch_key}).status == 400)
    assert app.click(short, desktop()).location.startswith("https://orchard.example.com/")
    assert app.server.get(long, desktop().headers).location.startswith("https://orchard.example.com/")
    phone = iphone()
    app.click(short, phone)
    answer = app.server.post(
        "/v1/install", {"branch_key": new["branch_key"]} | phone.device, {"X-Forwarded-For": phone.address})
    assert '"+clicked_branch_link":true' in answer.json["data"]

    present = app.server.command("apps", "end-key", new["branch_key"], "--yes")
    assert present.status == 1 and "current key" in present.err


@pytest.mark.parametrize("overlap", ["soon", "30", "1999-01-01"])
def test_what_is_no_overlap_is_named(app, overlap):
    done = app.server.command("apps", "rotate-secret", app.branch_key, "--overlap", overlap)

    assert done.status == 1 and "overlap" in done.err
    assert reads(app, app.branch_secret)


def test_addresses_of_exports_are_revoked(app):
    answer = app.server.post("/v3/export", app.secret | {"export_date": "2026-01-01"}).json
    url = answer["eo_click"][0].removeprefix(app.server.base_url)
    assert app.server.get(url).status == 200

    app.server.ask("apps", "revoke-urls", app.app_id, "--yes")
    eventually(lambda: app.server.get(url).status == 403)


def test_no_log_holds_a_secret(tmp_path):
    with running(Server(tmp_path, {"LINDEN_LOG_LEVEL": "trace"})) as server:
        app = server.create_app()
        secret = app.branch_secret
        server.get(f"/v1/app/{app.branch_key}?branch_secret={secret}")
        server.get(f"/v1/credithistory?branch_key={app.branch_key}&identity=ann&branch_secret={secret}")
        server.get(f"/v1/nothing?branch_secret={secret}")
        server.get(f"/v1/app/{app.branch_key}?branch_secret={secret}&x=" + "y" * 70_000)
        server.post("/v1/credits", app.secret | {"identity": "ann", "amount": "many"}, {"Branch-Secret": secret})
        server.put(f"/v1/app/{app.branch_key}?branch_secret={secret}", b"{")
        assert secret not in server.log
