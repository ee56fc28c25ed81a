"""The host that a request is for, and which forwarded headers are trusted."""

import pytest

from support import wire


@pytest.mark.parametrize("hosts", [[], ["Host: a", "Host: b"], ["Host: a", "host: a"]], ids=["none", "two", "the same twice"])
@pytest.mark.parametrize("target", ["/pear", "/v1/open", "/healthz", "http://a/pear"])
def test_a_request_without_one_host_is_refused(server, target, hosts):
    answer = raw(server, [f"GET {target} HTTP/1.1", *hosts])

    assert answer.refusal(400) == "A request must have one Host header."
    assert answer.headers["connection"] == "close"


def test_http_1_0_needs_no_host(server):
    assert raw(server, ["GET /healthz HTTP/1.0"]).status == 200


def test_the_host_of_an_absolute_target_counts(app):
    app.server.ask("domains", "add", "go.orchard.example", "--app", app.branch_key)
    link = app.create_link(data={"$fallback_url": "https://orchard.example.com/pears"}, domain="go.orchard.example")
    slug = link.rsplit("/", 1)[1]

    led = raw(app.server, [f"GET http://go.orchard.example/{slug} HTTP/1.1", "Host: elsewhere.example"])
    assert (led.status, led.location) == (302, "https://orchard.example.com/pears")
    assert raw(app.server, [f"GET HTTP://go.orchard.example/{slug}?a=b HTTP/1.1", "Host: elsewhere.example"]).status == 302
    assert raw(app.server, [f"GET http://pear@go.orchard.example/{slug} HTTP/1.1", "Host: elsewhere.example"]).status == 302
    astray = raw(app.server, [f"GET http://elsewhere.example/{slug} HTTP/1.1", "Host: go.orchard.example"])
    assert astray.status == 404


@pytest.mark.parametrize("path", ["ads.txt", "app-ads.txt", "security.txt", "index.html", "favicon.ico", "robots.txt"])
def test_what_others_look_for_at_a_host_is_no_alias(app, path):
    answer = app.server.post("/v1/url", {"branch_key": app.branch_key, "alias": path})

    assert "reserved" in answer.refusal(400)


def raw(server, lines):
    return wire.exchange(server.port, ("\r\n".join(lines) + "\r\nConnection: close\r\n\r\n").encode())


def test_crawlers_may_read_links_and_not_calls(server):
    answer = server.get("/robots.txt")

    assert answer.headers["content-type"].startswith("text/plain")
    assert answer.text.splitlines()[0] == "User-agent: *"
    assert "Disallow: /v1/" in answer.text and "Disallow: /\n" not in answer.text
