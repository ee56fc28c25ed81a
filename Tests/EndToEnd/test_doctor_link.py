"""`linden doctor link`: the destination of each visitor, with the reason."""

import pytest


@pytest.fixture
def ask(server):
    """The doctor's output for a link."""
    return lambda *arguments: server.ask("doctor", "link", *arguments)


@pytest.mark.parametrize(
    ("visitor", "platform", "action", "url"),
    [
        ("iphone", "ios", "app", "https://i.example/"),
        ("ipad", "ios", "app", "https://p.example/"),
        ("android", "android", "app", "https://n.example/"),
        ("samsung", "android", "app", "https://s.example/"),
        ("huawei", "android", "app", "https://h.example/"),
        ("fire", "android", "app", "https://z.example/"),
        ("windows", "desktop", "redirect", "https://w.example/"),
        ("mac", "desktop", "redirect", "https://m.example/"),
        ("desktop", "desktop", "redirect", "https://w.example/"),
        ("linux", "desktop", "redirect", "https://d.example/"),
        ("facebook", "desktop", "redirect", "https://f.example/"),
        ("facebook-app", "ios", "app", "https://i.example/"),
    ])
def test_each_visitor_has_a_destination(app, ask, visitor, platform, action, url):
    link = app.create_link(data={
        "$ios_url": "https://i.example/", "$ipad_url": "https://p.example/", "$android_url": "https://n.example/",
        "$samsung_url": "https://s.example/", "$huawei_url": "https://h.example/", "$fire_url": "https://z.example/",
        "$windows_desktop_url": "https://w.example/", "$mac_desktop_url": "https://m.example/",
        "$desktop_url": "https://d.example/", "$fallback_url": "https://f.example/", "$deeplink_path": "pears"})

    answer = ask(link, "--as", visitor)

    assert (answer["platform"], answer["action"], answer["url"]) == (platform, action, url)
    assert answer["app"] == ("orchard://pears" if action == "app" else None)
    assert answer["explanation"].endswith(".")


def test_what_is_appended_to_the_link_counts(app, ask):
    link = app.create_link(data={"$desktop_url": "https://i.example/pears"})
    answer = ask(link + "?%24web_only=true&%24ios_url=https%3A%2F%2Fi.example", "--as", "iphone")

    assert (answer["action"], answer["url"], answer["reason"]) == ("redirect", "https://i.example", "web_only")


def test_an_appended_url_of_a_host_that_neither_app_nor_link_names_does_not_count(app, ask):
    answer = ask(app.create_link() + "?%24web_only=true&%24ios_url=https%3A%2F%2Fevil.example", "--as", "iphone")

    assert answer["action"] == "redirect" and "evil.example" not in answer["url"]


def test_country_and_app_can_be_supposed(app, ask):
    url = app.create_link(data={"$ios_url_de": "https://de.example/", "$ios_url": "https://i.example/", "$uri_redirect_mode": 1})

    assert ask(url, "--as", "iphone", "--country", "de", "--has-app", "yes")["url"] == "https://de.example/"
    assert ask(url, "--as", "iphone")["reason"] == "scheme_held_back"
    assert ask(url, "--as", "iphone", "--has-app", "yes")["action"] == "app"


def test_without_a_visitor_it_tells_of_all(app, ask):
    answers = ask(app.create_link(alias="doctor-all"))["visitors"]

    assert {answer["as"] for answer in answers} >= {"iphone", "ipad", "android", "desktop", "facebook"}


def test_a_link_that_has_ended_says_so(app, ask):
    assert ask(app.create_link(expires_at="2020-01-01T00:00:00Z"), "--as", "iphone")["reason"] == "ended"


def test_looking_is_no_click(app, ask):
    url = app.create_link()
    ask(url)

    assert app.statistics(url)["clicks"] == 0


def test_what_is_wrong_is_said(server, app):
    assert "--as must be one of iphone" in server.command("doctor", "link", app.create_link(), "--as", "toaster").err
    assert server.command("doctor", "link", app.create_link(), "--as", "toaster").status == 64
    assert server.command("doctor", "link", server.base_url + "/nothing-here").status == 1
    assert server.command("doctor", "link", app.create_link(), "--country", "germany").status == 64
