"""An app's allowlist of the hosts that its links may redirect to."""

from urllib.parse import quote

import pytest

from support.visitors import crawler, desktop, iphone
from support.waiting import eventually

EVIL = "https://evil.example/"


@pytest.fixture
def app(server):
    return server.create_app(
        "Orchard", "--default-url", "https://orchard.example.com/", "--set", "redirect_allowlist=good.example, *.good.example")


@pytest.mark.parametrize("key", ["$fallback_url", "$fallback_url_de", "$ios_url", "$desktop_url", "$og_redirect", "$after_click_url"])
def test_a_link_that_leads_elsewhere_is_not_made(app, key):
    refusal = app.server.post("/v1/url", {"branch_key": app.branch_key, "data": {key: EVIL}}).refusal(400)

    assert "URL doesn't pass security test(s)" in refusal and key in refusal and "redirect_allowlist" in refusal


def test_nor_one_that_ends_elsewhere(app):
    answer = app.server.post("/v1/url", {"branch_key": app.branch_key, "expired_url": EVIL})

    assert "expired_url" in answer.refusal(400)


def test_nor_is_a_link_changed_to_lead_elsewhere(app):
    url = app.create_link(data={"$fallback_url": "https://good.example/"})

    app.server.put(app.link(url), app.secret | {"data": {"$fallback_url": EVIL}}).refusal(400)
    assert app.click(url, desktop()).location.startswith("https://good.example/")


def test_one_bad_link_leaves_the_others_of_its_bulk_alone(app):
    items = [{"data": {"$fallback_url": url}} for url in ["https://good.example/", EVIL, "https://a.b.good.example/"]]
    answer = app.server.post(f"/v1/url/bulk/{app.branch_key}", items).json

    assert ["url" in item for item in answer] == [True, False, True]


@pytest.mark.parametrize("visitor", [iphone(), desktop(), crawler()])
@pytest.mark.parametrize("key", ["$fallback_url", "$ios_url", "$desktop_url", "$og_redirect"])
def test_what_is_appended_leads_nowhere_else(app, key, visitor):
    answer = app.click(app.create_link(), visitor, f"?{quote(key)}={quote(EVIL, safe='')}")

    assert "evil.example" not in answer.headers.get("location", "") + answer.text


def test_a_long_link_leads_nowhere_else(app):
    answer = app.server.get(f"/a/{app.branch_key}?%24fallback_url={quote(EVIL, safe='')}", desktop().headers)

    assert answer.location.startswith("https://orchard.example.com/")


def test_without_a_list_links_lead_where_they_say(server):
    free = server.create_app("Free")

    assert free.click(free.create_link(data={"$fallback_url": EVIL}), desktop()).location.startswith(EVIL)


def test_a_later_list_and_other_settings_count_for_links_that_memory_knows(server):
    free = server.create_app("Free", "--default-url", "https://orchard.example.com/")
    url = free.create_link(channel="mail", data={"$fallback_url": "https://good.example/"})
    assert "utm_source=mail" in free.click(url, desktop()).location

    server.ask("apps", "update", free.branch_key, "--set", "utm_mapping=false")
    eventually(lambda: "utm_source" not in free.click(url, desktop()).location)

    server.ask("apps", "update", free.branch_key, "--set", "redirect_allowlist=better.example")
    eventually(lambda: free.click(url, desktop()).location.startswith("https://orchard.example.com/"))


@pytest.mark.parametrize("hosts", ["https://good.example", "good.example/x", "*", "a b.example/"])
def test_what_is_no_host_is_not_listed(server, hosts):
    done = server.command("apps", "create", "Wrong", "--set", f"redirect_allowlist={hosts}")

    assert done.status == 1 and "redirect_allowlist must be host names" in done.err
