"""Links are written by anyone with the app's key; they never harm the visitor who clicks."""

import json
import re

import pytest

from support.visitors import crawler, desktop, iphone

EVIL = '"><script>alert(1)</script><a href="'


@pytest.mark.parametrize("url", [
    "javascript:alert(1)", "JavaScript:alert(1)", " javascript:alert(1)", "java\tscript:alert(1)", "data:text/html,<script>",
    "file:///etc/passwd", "vbscript:x", "//evil.example.org", "https:", "https://", "orchard"])
def test_a_click_is_never_sent_to_what_is_no_web_page(app, url):
    link = app.create_link(data={"$desktop_url": url, "$ios_url": url, "$fallback_url": url, "$ios_deeplink_path": "apple"})

    assert app.click(link, desktop()).location.startswith("https://orchard.example.com/")
    leads_to = re.findall(r'href="([^?"]*)', app.click(link, iphone()).text)
    assert leads_to == ["orchard://apple", "https://apps.apple.com/app/id1234567890"]
    assert "location" not in app.click(link, crawler()).headers


@pytest.mark.parametrize("url", [
    "https://example.org/\r\nSet-Cookie: a=b", "https://example.org/\n\n<html>", "https://example.org/%00",
    "https://example.org/%0d%0aSet-Cookie:%20a=b"])
def test_a_redirect_carries_no_header_of_the_links_own(app, url):
    link = app.create_link(data={"$desktop_url": url})

    answer = app.click(link, desktop())

    assert answer.status == 302
    assert set(answer.headers) <= {
        "location", "cache-control", "content-length", "date", "connection", "vary", "access-control-allow-origin",
        "accept-ch"}
    assert answer.body == b""


def test_long_lists_in_a_links_data_do_not_multiply_in_a_query(app):
    many = [str(number) for number in range(320)]
    link = app.create_link(data={"~creative_name": many, "~creative_id": many, "~placement": many})
    app.click(link, iphone())
    names = [f"last_attributed_touch_data_tilde_{name}" for name in ("creative_name", "creative_id", "placement")]

    counted = app.server.command(
        "query", "top", "--app", app.branch_key, "--format", "json", *(word for name in names for word in ("--by", name)))

    assert counted.status == 0, counted.complaint
    (row,) = json.loads(counted.out)
    assert row["total_count"] == 1
    assert all(row[name].startswith('["0","1","2"') and len(row[name]) == 512 for name in names)


@pytest.mark.parametrize("visitor", [iphone, crawler])
def test_a_page_shows_data_as_text_and_runs_none_of_it(app, visitor):
    link = app.create_link(channel=EVIL, data={
        "$deeplink_path": EVIL, "$og_title": EVIL, "$og_description": EVIL, "$og_image_url": EVIL,
        "$ios_url": "https://orchard.example.com/" + EVIL})

    page = app.click(link, visitor())

    assert "<script>alert" not in page.text
    assert "unsafe-inline" not in page.headers["content-security-policy"]
    assert page.headers["x-content-type-options"] == "nosniff"


def test_what_is_appended_to_a_link_is_shown_as_text_too(app):
    query = "?%24deeplink_path=%22%3E%3Cscript%3Ealert(1)%3C/script%3E&%24og_title=%3Cscript%3Ealert(1)"

    page = app.click(app.create_link(), iphone(), query)

    assert "<script>alert" not in page.text


def test_secrets_and_tokens_are_kept_only_as_hashes(server, app):
    token = server.ask("tokens", "create", "secret", "--role", "admin")["token"]
    app.click(app.create_link(), visitor := iphone())

    stored = b"".join(path.read_bytes() for path in server.folder.glob("linden.db*"))

    assert app.branch_key.encode() in stored
    for secret in (token, app.branch_secret, app.test_branch_secret):
        assert secret.encode() not in stored
        assert secret not in server.log
    assert visitor.address not in server.log
