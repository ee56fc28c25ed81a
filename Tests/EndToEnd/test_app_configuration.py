"""Branch's calls to read and change an app's settings."""

import pytest

from support.visitors import desktop


def configuration(app, **credentials):
    secret = credentials.get("branch_secret", app.branch_secret)
    return app.server.get(f"/v1/app/{app.branch_key}?branch_secret={secret}")


def test_an_apps_settings_are_read_with_key_and_secret(app):
    answer = configuration(app)

    assert answer.status == 200
    assert answer.json["app_name"] == "Orchard"
    assert answer.json["branch_key"] == app.branch_key
    assert answer.json["ios_uri_scheme"] == "orchard"
    assert answer.json["android_package_name"] == "com.example.orchard"
    assert answer.json["id"] == app.app_id
    assert answer.json["creation_date"].endswith("Z")


def test_changed_settings_are_answered_and_kept(app):
    answer = app.server.put(f"/v1/app/{app.branch_key}", {
        "branch_secret": app.branch_secret, "app_name": "Meadow", "dev_name": "Ada", "dev_email": "ada@example.com",
        "ios_uri_scheme": "meadow", "always_open_app": 1})

    assert answer.status == 200
    assert answer.json == configuration(app).json
    assert (answer.json["app_name"], answer.json["ios_uri_scheme"]) == ("Meadow", "meadow")
    assert answer.json["always_open_app"] == "1"
    assert answer.json["android_package_name"] == "com.example.orchard"


def test_the_next_click_follows_the_new_settings(app):
    link = app.create_link()
    app.click(link, desktop())

    app.server.put(f"/v1/app/{app.branch_key}", {
        "branch_secret": app.branch_secret, "default_desktop_url": "https://meadow.example.com/"})

    assert app.click(link, desktop()).location.startswith("https://meadow.example.com/")


@pytest.mark.parametrize("secret", ["", "wrong", "secret_live_" + "0" * 32])
def test_settings_cannot_be_read_without_the_secret(app, secret):
    answer = configuration(app, branch_secret=secret)

    answer.refusal(400)
    assert "orchard" not in answer.text


def test_the_live_keys_secret_is_not_the_test_keys(app):
    answer = configuration(app, branch_secret=app.test_branch_secret)

    assert answer.status == 400


@pytest.mark.parametrize("secret", [None, "wrong", 7])
def test_settings_cannot_be_changed_without_the_secret(app, secret):
    before = configuration(app).json

    answer = app.server.put(f"/v1/app/{app.branch_key}", {"branch_secret": secret, "app_name": "Stolen"})

    answer.refusal(400)
    assert configuration(app).json == before
