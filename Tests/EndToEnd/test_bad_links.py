"""Invalid fields of links are refused by name, and unknown links are not found."""

import json

import pytest

from support.visitors import iphone

pytestmark = pytest.mark.usefixtures("link", "nothing_is_written")


@pytest.fixture(scope="module")
def link(orchard):
    return orchard.create_link(alias="taken/already", channel="sms")


def create_link(app, **fields):
    return app.server.post("/v1/url", {"branch_key": app.branch_key} | fields)


def short(value):
    return ascii(value)[:40]


@pytest.mark.parametrize("field, value", [
    ("data", []), ("data", [{}]), ("data", 7), ("data", True), ("data", "no JSON"), ("data", "[1]"), ("data", "7"),
    ("data", '{"a":' * 10_000 + "1" + "}" * 10_000),
    ("alias", 7), ("alias", ["a"]), ("alias", {"a": 1}), ("alias", "x" * 129), ("alias", "ö" * 129),
    ("type", "two"), ("type", 3), ("type", -1), ("type", 0.5), ("type", [0]),
    ("duration", "long"), ("duration", -1), ("duration", 10**30),
    ("tags", {"a": 1}), ("tags", [["a"]]), ("tags", [{}]), ("tags", ["red", "x" * 65]), ("tags", ["a\0b"]),
    ("channel", {}), ("channel", "🍏" * 129), ("channel", "a\0b"), ("feature", ["a"]), ("feature", "x" * 129),
    ("campaign", {"a": 1}), ("campaign", "x" * 129), ("stage", []), ("stage", "x" * 129),
    ("identity", {}), ("identity", "x" * 128), ("identity", "a\0b"),
    ("analytics", "sms"), ("domain", 7), ("domain", "elsewhere.example.org"),
], ids=short)
def test_a_field_that_a_link_cannot_have_is_named(orchard, field, value):
    assert field in create_link(orchard, **{field: value}).refusal(400)


@pytest.mark.parametrize("segment", [
    "api", "v1", "v2", "v3", "V1", "sdk", "metrics", "healthz", "Healthz", "readyz", "_r", "e", "a", "b", "c", "d", "x",
    ".well-known", ".hidden", ".", ".."])
def test_an_alias_whose_first_segment_is_the_servers_own_is_refused(orchard, segment):
    for alias in (segment, segment + "/more"):
        assert "alias" in create_link(orchard, alias=alias).refusal(400)


@pytest.mark.parametrize("alias", [
    "/a", "/apple", "apple/", "//", "/", "apple//pie", "apple/../pie", "apple/./pie", "apple/..", "apple pie", " ",
    "apple?x", "apple#x", "apple%2Fpie", "100%", "back\\slash", '"apple"', "<apple>", "{apple}", "apple\n", "app\tle", "app\x7fle",
    "app\x85le", "app\x00le", "app\u202ele", "app\u200ble", "\ufeffapple", "apple🍏",
], ids=ascii)
def test_an_alias_that_an_address_cannot_hold_is_refused(orchard, alias):
    assert "alias" in create_link(orchard, alias=alias).refusal(400)


def test_a_conflict_leaves_neither_a_user_nor_content_behind(orchard):
    answer = create_link(orchard, alias="taken/already", identity="new user", data={"$canonical_identifier": "something/new"})

    answer.refusal(409)


@pytest.mark.parametrize("item", [7, "link", None, [], {"alias": "v1"}, {"type": 9}, {"tags": {}}, {"data": 7}], ids=json.dumps)
def test_a_bad_item_in_bulk_is_answered_with_its_error_in_words(orchard, item):
    answer = orchard.server.post(f"/v1/url/bulk/{orchard.branch_key}", [item, item])

    assert answer.status == 200
    assert [list(answered) for answered in answer.json] == [["error"], ["error"]]
    assert isinstance(answer.json[0]["error"], str)


@pytest.mark.parametrize("url", [
    "nonsense", "https://elsewhere.example.org/apple", "{base}", "{base}/unknown", "{base}/v1/url", "{base}/%00", "{base}/%ff",
    "{base}/" + "x" * 5000, "javascript:alert(1)", "http://["], ids=short)
def test_a_link_that_is_none_of_the_apps_is_not_found(orchard, url):
    call = orchard.link(url.format(base=orchard.server.base_url))

    orchard.server.get(call).refusal(404)
    orchard.server.put(call, orchard.secret).refusal(404)
    orchard.server.send("DELETE", call, orchard.secret).refusal(404)


def test_a_call_about_no_link_says_that_the_url_is_missing(orchard):
    assert "url" in orchard.server.get(f"/v1/url?branch_key={orchard.branch_key}").refusal(400)
    assert "url" in orchard.server.put("/v1/url", orchard.secret).refusal(400)
    assert "url" in orchard.server.send("DELETE", "/v1/url", orchard.secret).refusal(400)


@pytest.mark.parametrize("target", [
    "/unknown", "/Unknown/with/segments", "/%00", "/%ff%fe", "/..", "/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "//",
    "/%", "/%zz", "/taken", "/taken/already/x", "/TAKEN/already", "/" + "x" * 10_000, "/unknown?%ff=%00&&=&a"],
    ids=short)
def test_an_unknown_link_is_a_small_friendly_page_and_json_for_programs(server, target):
    page = server.get(target, iphone().headers)

    assert page.status == 404
    assert page.headers["content-type"].startswith("text/html")
    assert "link" in page.text.lower() and len(page.body) < 5000
    server.get(target, {"Accept": "application/json"}).refusal(404)
