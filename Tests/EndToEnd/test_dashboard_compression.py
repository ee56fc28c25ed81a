"""Pages of the dashboard are compressed for browsers that accept gzip, and answers to forms, which may show secrets, are not."""

import gzip
import re

import pytest

SIGN_IN = "/dashboard/sign-in"
SAME_SITE = {"Sec-Fetch-Site": "same-origin", "Content-Type": "application/x-www-form-urlencoded"}


@pytest.mark.parametrize("accepted", ["gzip", "gzip, deflate, br, zstd", "br;q=1.0, GZIP;q=0.5"])
def test_a_page_and_its_style_sheet_are_sent_in_gzip_to_a_browser_that_accepts_it(server, accepted):
    page = server.get(SIGN_IN)
    style = re.search(r'href="(/dashboard/assets/dashboard-[^"]+)"', page.body.decode())[1]

    for path, plain in ((SIGN_IN, page.body), (style, server.get(style).body)):
        answer = server.get(path, {"Accept-Encoding": accepted})
        assert (answer.status, answer.headers["content-encoding"], answer.headers["vary"]) == (200, "gzip", "Accept-Encoding")
        assert gzip.decompress(answer.body) == plain
        assert len(answer.body) < 0.6 * len(plain)


@pytest.mark.parametrize("accepted", [None, "identity", "br", "gzip;q=0", "gzip ; q=0.0, br", "*"])
def test_other_clients_get_the_page_as_it_is(server, accepted):
    answer = server.get(SIGN_IN, {"Accept-Encoding": accepted} if accepted else {})

    assert "content-encoding" not in answer.headers
    assert answer.headers["vary"] == "Accept-Encoding"
    assert b"<h1" in answer.body


def test_a_head_request_has_the_headers_of_the_compressed_page(server):
    page = server.get(SIGN_IN, {"Accept-Encoding": "gzip"})
    head = server.send("HEAD", SIGN_IN, headers={"Accept-Encoding": "gzip"})

    assert head.body == b""
    assert (head.headers["content-encoding"], head.headers["content-length"]) == ("gzip", str(len(page.body)))


def test_an_answer_to_a_form_is_not_compressed(server):
    answer = server.post(SIGN_IN, b"name=ann&password=wrong", SAME_SITE | {"Accept-Encoding": "gzip"})

    assert answer.status == 401
    assert "content-encoding" not in answer.headers
    assert b"<form" in answer.body


def test_a_link_of_an_app_is_not_compressed(app):
    """Visits and the SDKs' calls are short, and are not the dashboard's."""
    path = "/" + app.create_link().rsplit("/", 1)[1]

    assert "content-encoding" not in app.server.get(path, {"Accept-Encoding": "gzip"}).headers
