"""`http.hsts`: Strict-Transport-Security with every answer over https, and with no other."""

import pytest

from support.server import Server, running
from support.visitors import desktop, iphone

HEADER = "strict-transport-security"
ENCRYPTED = {"X-Forwarded-Proto": "https"}


@pytest.fixture
def app(tmp_path):
    with running(Server(tmp_path, {"LINDEN_HTTP_HSTS": "31536000"})) as server:
        yield server.create_app("Orchard", "--default-url", "https://orchard.example.com/", "--ios-uri-scheme", "orchard")


def test_every_kind_of_answer_over_https_has_the_header(app):
    server, path = app.server, "/" + app.create_link().rsplit("/", 1)[1]
    answers = {
        # Ahead of the router, with and without cookies, and as a page.
        302: [server.get(path, desktop().headers | ENCRYPTED)],
        200: [server.get(path, iphone().headers | ENCRYPTED), server.get("/healthz", ENCRYPTED), server.get("/dashboard/sign-in", ENCRYPTED),
              server.get("/.well-known/assetlinks.json", ENCRYPTED)],
        # Behind the router: another origin, an unknown link, a call without a key, a preflight request.
        404: [server.get("/nothing", desktop().headers | ENCRYPTED)],
        400: [server.post("/v1/open", b"{}", ENCRYPTED)],
        204: [server.send("OPTIONS", "/v1/open", headers=ENCRYPTED | {"Origin": "https://orchard.example.com"})],
    }
    crossing = server.get(path, desktop().headers | ENCRYPTED | {"Origin": "https://orchard.example.com"})

    for status, all_answers in answers.items():
        assert [answer.status for answer in all_answers] == [status] * len(all_answers)
        assert [answer.headers.get(HEADER) for answer in all_answers] == ["max-age=31536000"] * len(all_answers)
    assert crossing.headers[HEADER] == "max-age=31536000"


def test_an_answer_over_plain_http_has_none(app):
    path = "/" + app.create_link().rsplit("/", 1)[1]

    for headers in (desktop().headers, desktop().headers | {"X-Forwarded-Proto": "http"}, iphone().headers):
        assert HEADER not in app.server.get(path, headers).headers
    assert HEADER not in app.server.get("/healthz").headers


def test_it_is_off_by_default(own_server):
    path = "/" + own_server.create_app("Orchard", "--default-url", "https://orchard.example.com/").create_link().rsplit("/", 1)[1]

    for target in (path, "/healthz"):
        assert HEADER not in own_server.get(target, desktop().headers | ENCRYPTED).headers
