"""`linden routes`: adding and testing an app's routes, and running a file of test vectors."""

import json
from pathlib import Path

import pytest

from support.command import linden
from support.visitors import android, iphone
from support.waiting import eventually

VECTORS = Path(__file__).parent.parent / "RoutePatternsTests" / "Vectors" / "routing.json"
FAMILIES = ["roots", "waapprouting", "aasa", "roots_connect", "assetlinks_dynamic"]


def test_every_vector_is_counted_and_holds(tmp_path):
    done = linden("routes", "match", "--vectors", str(VECTORS), "--format", "json", folder=tmp_path)

    assert done.status == 0, done.err
    vectors = json.loads(VECTORS.read_text())
    assert done.json == {
        family: {"total": len(vectors[family]), "hold": len(vectors[family]), "failures": []} for family in FAMILIES
    }


def test_a_case_that_does_not_hold_is_named(tmp_path):
    case = a_link_that_matches()
    wrong = {**case, "id": "wrong", "match": False}
    (tmp_path / "wrong.json").write_text(json.dumps({"aasa": [case, wrong]}))

    done = linden("routes", "match", "--vectors", "wrong.json", "--format", "json", folder=tmp_path)

    assert done.status == 1
    assert done.json["aasa"] == {"total": 2, "hold": 1, "failures": ["wrong"]}
    assert done.complaint == "wrong match: expected false, got true"


def test_an_advisory_case_may_fail(tmp_path):
    case = a_link_that_matches()
    wrong = {**case, "match": False, "advisory": True}
    (tmp_path / "advisory.json").write_text(json.dumps({"aasa": [wrong]}))

    done = linden("routes", "match", "--vectors", "advisory.json", "--format", "json", folder=tmp_path)

    assert done.status == 0
    assert done.json["aasa"]["hold"] == 0


def test_a_file_that_cannot_be_read_is_an_error(tmp_path):
    (tmp_path / "list.json").write_text("[]")
    (tmp_path / "torn.json").write_text('{"aasa":')

    for name in ["missing.json", "list.json", "torn.json"]:
        done = linden("routes", "match", "--vectors", name, folder=tmp_path)
        assert done.status == 1
        assert name in done.err


CASE = {"id": "one", "kind": "paths", "patterns": ["/a"], "url": "https://a.example/b", "match": False}
BROKEN_VECTORS = [
    ({}, "no case"),
    ({"aasa": []}, "no case"),
    ({"others": [CASE]}, "no case"),
    ({"aasa": [CASE], "roots": 5}, "roots must be an array"),
    ({"aasa": [CASE], "roots": None}, "roots must be an array"),
    ({"aasa": [CASE, 1]}, "case 2 of aasa must be an object"),
    ({"aasa": [{}]}, "case 1 of aasa must have an id"),
    ({"aasa": [{**CASE, "id": ""}]}, "case 1 of aasa must have an id"),
    ({"aasa": [{**CASE, "id": 7}]}, "case 1 of aasa must have an id"),
    ({"aasa": [{"id": "one", "patterns": ["/a"], "url": "https://a.example/b"}]}, "one of aasa expects nothing"),
]


@pytest.mark.parametrize("vectors, complaint", BROKEN_VECTORS)
def test_a_file_that_says_nothing_is_not_good(tmp_path, vectors, complaint):
    (tmp_path / "broken.json").write_text(json.dumps(vectors))

    done = linden("routes", "match", "--vectors", "broken.json", "--format", "json", folder=tmp_path)

    assert (done.status, done.out) == (1, "")
    assert complaint in done.complaint and "broken.json" in done.complaint


def test_unknown_arrays_are_ignored_and_the_common_options_are_applied(tmp_path):
    (tmp_path / "more.json").write_text(json.dumps({"aasa": [CASE], "meta": {}, "others": 5}))
    (tmp_path / "x.yaml").write_text("http:\n  port: 8081\n")

    done = linden("routes", "match", "--vectors", "more.json", "--database", "sqlite:x.db", "--config", "x.yaml", "--format", "json",
                  folder=tmp_path)

    assert done.status == 0, done.err
    assert done.json["aasa"] == {"total": 1, "hold": 1, "failures": []}
    assert not (tmp_path / "x.db").exists()


def a_link_that_matches():
    return next(case for case in json.loads(VECTORS.read_text())["aasa"] if case["match"])


def test_a_route_is_added_listed_tried_and_removed(app):
    added = add(app, "--syntax", "waapp", "--target", "Detail", "--id", "detail", "--modal", "--default", "tab=posts",
                "--default", "sort=a=b", "list/:id")

    assert added == {
        "id": "detail", "syntax": "waapp", "key": None, "pattern": "list/:id", "target": "Detail", "modal": True, "enabled": True,
        "defaults": {"sort": "a=b", "tab": "posts"}}
    assert routes(app) == [added]
    assert take(app, "orchard://list/a%20b?tab=likes") == {
        "url": "orchard://list/a%20b?tab=likes", "platform": "ios", "matched": True, "id": "detail", "pattern": "list/:id",
        "target": "Detail", "modal": True, "parameters": {"id": "a b"},
        "merged": {"id": "a b", "sort": "a=b", "tab": "likes"}}
    assert ask(app, "remove", "detail", "--yes") == {"id": "detail", "removed": True}
    assert routes(app) == []
    assert take(app, "orchard://list/5") == {"url": "orchard://list/5", "platform": "ios", "matched": False}


def test_a_registration_string_becomes_a_route_for_each_class(app):
    added = add(app, "--syntax", "waapp", "list{List}/:id{Detail}!")
    named = add(app, "--syntax", "waapp", "--id", "shop", "shop{Shop}/:id{Product}")

    assert [(route["id"], route["pattern"], route["target"], route["modal"]) for route in added + named] == [
        ("1", "list", "List", False), ("2", "list/:id", "Detail", True),
        ("shop-1", "shop", "Shop", False), ("shop-2", "shop/:id", "Product", False)]
    assert routes(app) == added + named


def test_a_registration_string_may_repeat_what_an_earlier_one_registered(app):
    first = add(app, "--syntax", "waapp", "list{List}/:itemID{Detail}")

    second = add(app, "--syntax", "waapp", "list{List}/new{New}!")
    again = add(app, "--syntax", "waapp", "list{List}/new{New}!")

    assert [(route["id"], route["pattern"], route["target"]) for route in second] == [("3", "list/new", "New")]
    assert again == []
    assert routes(app) == first + second


@pytest.mark.parametrize("registration", ["list{Other}/new{New}", "list{List}!/new{New}"])
def test_a_registration_string_that_contradicts_an_earlier_one_is_refused_whole(app, registration):
    first = add(app, "--syntax", "waapp", "list{List}/:itemID{Detail}")

    done = command(app, "add", "--syntax", "waapp", registration)

    assert (done.status, done.out) == (1, "")
    assert "'list' is registered already" in done.complaint
    assert routes(app) == first


def test_a_route_is_put_before_another(app):
    for pattern in ["a", "list/*", "z"]:
        add(app, "--syntax", "waapp", "--target", pattern, pattern)

    add(app, "--syntax", "waapp", "--before", "2", "list{List}/:id{Detail}")
    add(app, "--syntax", "waapp", "--target", "First", "--id", "first", "--before", "1", "first")
    add(app, "--syntax", "waapp", "--target", "Last", "--id", "last", "last")

    assert [route["id"] for route in routes(app)] == ["first", "1", "4", "5", "2", "3", "last"]
    assert take(app, "orchard://list/5")["target"] == "Detail"
    done = command(app, "add", "--syntax", "waapp", "--target", "T", "--before", "none", "t")
    assert (done.status, done.out) == (1, "")
    assert "'none'" in done.complaint
    assert len(routes(app)) == 7


def test_of_two_routes_for_one_url_the_first_registered_decides(app):
    for pattern in ["list/*", "list/:id"]:
        add(app, "--syntax", "waapp", "--target", pattern, pattern)

    assert take(app, "orchard://list/5")["target"] == "list/*"
    assert ask(app, "disable", "1") == {"id": "1", "enabled": False}
    assert take(app, "orchard://list/5")["target"] == "list/:id"
    assert [route["enabled"] for route in routes(app)] == [False, True]
    ask(app, "enable", "1")
    assert take(app, "orchard://list/5")["target"] == "list/*"


def test_a_filter_of_roots_is_for_its_platform(app):
    add(app, "--syntax", "roots", "--key", "al:android:url", "--target", "Android", "orchard://user/{id}")
    add(app, "--syntax", "roots", "--key", "al:web:url", "--target", "Web", "*/user/{id}", "--disabled")

    assert take(app, "orchard://user/5", "--platform", "android")["parameters"] == {"id": "5"}
    for platform in ["ios", "desktop"]:
        assert take(app, "https://x.example/user/5", "--platform", platform)["matched"] is False
    ask(app, "enable", "2")
    assert take(app, "https://x.example/user/5", "--platform", "desktop")["target"] == "Web"


BAD_ROUTES = [
    (["--syntax", "waapp", "--target", "T", "a//b"], "single slashes"),
    (["--syntax", "waapp", "--target", "T", "/a"], "none at the ends"),
    (["--syntax", "waapp", "--target", "T", "a/:"], ":name"),
    (["--syntax", "waapp", "--target", "T", "a{b"], "{ClassName}"),
    (["--syntax", "waapp", "--target", "T", "--key", "al:ios:url", "a"], "no key"),
    (["--syntax", "waapp", "--target", "", "a"], "target is empty"),
    (["--syntax", "waapp", "list{List}/:id{Detail"], "{ClassName}"),
    (["--syntax", "waapp", "list/:id"], "names no class"),
    (["--syntax", "waapp", "list{List}//:id{Detail}"], "single slashes"),
    (["--syntax", "roots", "--target", "T", "a/{b}"], "al:ios:url, al:android:url and al:web:url"),
    (["--syntax", "roots", "--target", "T", "--key", "al:windows:url", "a/{b}"], "al:ios:url, al:android:url and al:web:url"),
    (["--syntax", "roots", "--target", "T", "--key", "al:ios:url", "a/{b"], "{name}"),
    (["--syntax", "roots", "--target", "T", "--key", "al:ios:url", "(a|b)"], "write *"),
    (["--syntax", "waapp", "--target", "T", "x" * 513], "512 bytes"),
    (["--syntax", "waapp", "--target", "T", "a\x07b"], "control"),
    (["--syntax", "waapp", "--target", "T", ":x/:x"], "'x'"),
    (["--syntax", "roots", "--target", "T", "--key", "al:ios:url", "{x}/{x}"], "'x'"),
    (["--syntax", "roots", "--target", "T", "--key", "al:android:url", "Orchard://User/{id}"], "lower case"),
    (["--syntax", "waapp", "--target", "T", "--id", "kept", "other"], "'kept'"),
    (["--syntax", "waapp", "--target", "T", "kept/:id"], "registered already"),
    (["--syntax", "waapp", "other{Other}/:x{X}", "--id", "kept", "--key", "al:ios:url"], "no key"),
]


@pytest.mark.parametrize("flags, allowed", BAD_ROUTES)
def test_a_bad_route_is_refused_with_what_is_allowed_and_nothing_is_stored(app, flags, allowed):
    kept = add(app, "--syntax", "waapp", "--target", "Kept", "--id", "kept", "--disabled", "kept/:id")

    done = command(app, "add", *flags)

    assert (done.status, done.out) == (1, "")
    assert allowed in done.complaint
    assert routes(app) == [kept]


@pytest.mark.parametrize("flags", [
    ["--target", "T", "a"], ["--syntax", "regex", "--target", "T", "a"], ["--syntax", "roots", "--key", "al:ios:url", "a"],
    ["--syntax", "waapp", "--modal", "a{A}"], ["--syntax", "waapp", "--target", "T", "--default", "tab", "a"],
    ["--syntax", "waapp", "--target", "T", "--id", "", "a"], ["--syntax", "waapp", "--target", "T"],
])
def test_each_usage_error_has_its_message(app, flags):
    done = command(app, "add", *flags)

    assert (done.status, done.out) == (64, "")
    assert routes(app) == []


@pytest.mark.parametrize("action", ["remove", "enable", "disable"])
def test_a_route_that_is_not_there_is_an_error(app, action):
    done = command(app, action, "7")

    assert done.status == 1
    assert "'7'" in done.complaint


def test_a_command_for_an_unknown_app_fails(server):
    for arguments in [["list"], ["test", "a://b"], ["add", "--syntax", "waapp", "--target", "T", "a"]]:
        done = server.command("routes", *arguments, "--app", "key_live_x")
        assert done.status == 1
        assert "key_live_x" in done.complaint


def test_the_server_minds_a_route_within_a_second(server, app):
    server.ask("apps", "update", app.app_id, "--routes-validation", "reject")
    call = {"branch_key": app.branch_key, "data": {"$deeplink_path": "usr/5"}}
    assert server.post("/v1/url", call).status == 200

    add(app, "--syntax", "waapp", "--target", "Profile", "user/:id")

    eventually(lambda: server.post("/v1/url", call).status == 400)
    assert "user/:id" in server.post("/v1/url", call).refusal(400)
    link = app.create_link(data={"$deeplink_path": "user/5"})
    for visitor in [iphone(), android()]:
        session = app.install(visitor, universal_link_url=link)
        assert session.data["+route"] == "Profile"
        assert session.data["+route_parameters"] == {"id": "5"}


def test_links_made_by_the_command_line_are_validated_alike(server, app):
    add(app, "--syntax", "waapp", "--target", "Profile", "user/:id")
    create = ["links", "create", "--app", app.branch_key, "--data"]

    server.ask("apps", "update", app.app_id, "--routes-validation", "warn")
    warned = server.ask(*create, "$deeplink_path=usr/5")
    assert "orchard://usr/5" in warned["warnings"][0]
    good = server.ask(*create, "$deeplink_path=user/5")
    assert "warnings" not in good
    assert server.ask("links", "show", good["url"])["route"]["android"]["parameters"] == {"id": "5"}
    assert server.ask("links", "show", warned["url"])["route"] == {"ios": None, "android": None}
    assert server.ask("links", "update", good["url"], "--data", "$ios_deeplink_path=usr/6")["warnings"]

    server.ask("apps", "update", app.app_id, "--routes-validation", "reject")
    for refused in [[*create, "$deeplink_path=usr/5"], ["links", "update", good["url"], "--data", "$deeplink_path=usr/5"]]:
        done = server.command(*refused)
        assert (done.status, done.out) == (1, "")
        assert "orchard://usr/5" in done.complaint and "user/:id" in done.complaint
    assert server.ask("links", "show", good["url"])["data"]["$deeplink_path"] == "user/5"


def test_the_setting_is_one_of_three(server, app):
    done = server.command("apps", "update", app.app_id, "--routes-validation", "on")

    assert done.status == 1
    assert "off, warn, reject" in done.complaint


def command(app, action, *arguments):
    return app.server.command("routes", action, "--app", app.branch_key, *arguments)


def ask(app, action, *arguments):
    return app.server.ask("routes", action, "--app", app.branch_key, *arguments)


def add(app, *arguments):
    return ask(app, "add", *arguments)


def routes(app):
    return ask(app, "list")


def take(app, url, *arguments):
    """The result of matching a URL."""
    return ask(app, "test", url, *arguments)
