"""`linden links`: the functions of Branch's link calls on the command line."""

import pytest

from support.visitors import crawler, desktop, iphone, previewer
from support.waiting import eventually


def test_a_link_made_by_the_command_line_is_served_at_once(server, app):
    link = server.ask(
        "links", "create", "--app", app.branch_key, "--channel", "sms", "--feature", "sharing", "--campaign", "harvest",
        "--stage", "new", "--tag", "red", "--tag", "sweet", "--alias", "by/hand", "--type", "2", "--duration", "3600",
        "--data", '{"$deeplink_path":"apple/7"}')

    read = app.read(link["url"])

    assert link["url"] == server.base_url + "/by/hand"
    assert [read[name] for name in ("channel", "feature", "campaign", "stage")] == ["sms", "sharing", "harvest", "new"]
    assert (read["tags"], read["type"], read["duration"]) == (["red", "sweet"], 2, 3600)
    assert "orchard://apple/7?" in app.click(link["url"], iphone()).text


@pytest.mark.parametrize("data, kept", [
    (['{"a":1,"b":[null]}'], {"a": 1, "b": [None]}),
    (["a=1", "b=x=y"], {"a": "1", "b": "x=y"}),
    (["@data.json"], {"a": 1}),
    (["@data.json", "b=2", '{"a":3}'], {"a": 3, "b": "2"}),
])
def test_data_is_json_a_file_or_key_and_value(server, app, tmp_path, data, kept):
    (tmp_path / "data.json").write_text('{"a":1}')
    flags = [argument for text in data for argument in ("--data", text)]

    done = server.command("links", "create", "--app", app.branch_key, *flags, "--format", "json", folder=tmp_path)

    assert done.status == 0, done.err
    stored = app.read(done.json["url"])["data"]
    assert {key: stored[key] for key in kept} == kept


@pytest.mark.parametrize("data", ["[1]", '{"a":', "@missing.json", "word", "=value"])
def test_data_that_is_none_of_these_is_wrong_usage(server, app, data):
    done = server.command("links", "create", "--app", app.branch_key, "--data", data)

    assert (done.status, done.out) == (64, "")
    assert "--data" in done.err


@pytest.mark.parametrize("name", ["url", "path", "id"])
def test_a_link_is_named_by_its_url_its_path_or_its_id(server, app, name):
    url = app.create_link(data={"number": 1})
    names = {"url": url, "path": url.rsplit("/", 1)[1], "id": app.read(url)["data"]["~id"]}

    shown = server.ask("links", "show", names[name])

    assert shown["url"] == url
    assert shown["data"]["number"] == 1


def test_a_link_begins_with_a_template(server, app):
    server.ask("links", "templates", "save", "News", "--app", app.branch_key, "--channel", "mail", "--tag", "red",
               "--data", "$fallback_url=https://orchard.example.com/", "--data", "variety=Cox")

    link = server.ask("links", "create", "--app", app.branch_key, "--template", "News", "--data", "variety=Gala")

    read = app.read(link["url"])
    assert (read["channel"], read["tags"], read["data"]["variety"]) == ("mail", ["red"], "Gala")
    assert read["data"]["$fallback_url"] == "https://orchard.example.com/"
    assert [template["name"] for template in server.ask("links", "templates", "list", "--app", app.branch_key)] == ["News"]
    assert server.ask("links", "templates", "delete", "News", "--app", app.branch_key, "--yes")["deleted"] is True
    done = server.command("links", "create", "--app", app.branch_key, "--template", "News")
    assert done.status == 1 and "no template named News" in done.err


def test_links_are_listed_newest_first_and_page_by_page(server, app):
    urls = [app.create_link() for _ in range(3)]

    newest = server.ask("links", "list", "--app", app.app_id, "--limit", "2")
    older = server.ask("links", "list", "--app", app.branch_key, "--before", newest[-1]["id"])

    assert [link["url"] for link in newest + older] == urls[::-1]


def test_the_server_notices_an_updated_link(server, app):
    link = app.create_link(channel="sms", data={"kept": 1, "$deeplink_path": "old"})
    app.click(link, iphone())

    updated = server.ask("links", "update", link, "--channel", "email", "--data", "$deeplink_path=new")

    assert (updated["channel"], updated["data"]["kept"]) == ("email", 1)
    eventually(lambda: "orchard://new?" in app.click(link, iphone()).text)


def test_an_empty_option_removes_a_label(server, app):
    link = app.create_link(channel="sms", campaign="harvest", tags=["red"])

    one = server.ask("links", "update", link, "--campaign", "")
    none = server.ask("links", "update", link, "--channel", "", "--tag", "")

    assert (one["channel"], one["tags"], "campaign" in one) == ("sms", ["red"], False)
    assert not {"channel", "campaign", "tags"} & set(none)


def test_a_deleted_links_path_may_be_freed_for_others(server, app):
    link = app.create_link(alias="freed/later")
    server.ask("links", "delete", link, "--yes")
    assert server.post("/v1/url", {"branch_key": app.branch_key, "alias": "freed/later"}).status == 409

    server.ask("links", "delete", "freed/later", "--free-alias", "--yes")

    assert app.create_link(alias="freed/later", data={"new": True}) == link


def test_a_links_figures_are_there_within_two_seconds(server, app):
    link = app.create_link()
    visitors = [iphone() for _ in range(3)]
    for visitor in visitors + [crawler(), previewer()]:
        app.click(link, visitor)
    installed = app.install(visitors[0])
    app.open(visitors[0], universal_link_url=link, **installed.tokens)

    # The opening by the link itself is a fourth click.
    expected = {"url": link, "clicks": 4, "robots": 2, "sessions": 2, "installs": 1}
    eventually(lambda: app.statistics(link) == expected, within=2)


def test_figures_are_the_same_before_and_after_they_are_aggregated(server, app):
    link = app.create_link()
    aggregated = server.aggregated_days()
    for _ in range(5):
        app.click(link, desktop())

    before = app.statistics(link)
    eventually(lambda: server.aggregated_days() > aggregated, within=10)

    assert app.statistics(link) == before
    assert before["clicks"] == 5
    assert all(type(before[name]) is int for name in ("clicks", "robots", "sessions", "installs"))


@pytest.mark.parametrize("ahead", [{"Purpose": "prefetch"}, {"Sec-Purpose": "prefetch;prerender"}, {"X-Moz": "prefetch"}])
def test_a_browser_that_loads_ahead_is_no_click(app, ahead):
    link, visitor = app.create_link(), iphone()

    app.server.get(link.removeprefix(app.server.base_url), visitor.headers | ahead)

    assert app.statistics(link)["clicks"] == 0
    assert app.install(visitor).data["+clicked_branch_link"] is False


def test_a_head_request_is_answered_like_a_click_and_is_none(app):
    link = app.create_link()

    answer = app.server.send("HEAD", link.removeprefix(app.server.base_url), headers=desktop().headers)

    assert (answer.status, answer.body) == (302, b"")
    assert app.statistics(link) == {"url": link, "clicks": 0, "robots": 0, "sessions": 0, "installs": 0}
