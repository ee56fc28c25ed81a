"""Invalid input gets a clear error, leaves nothing half written, and does not disturb the server."""

import json
from dataclasses import replace

import pytest

from support import wire
from support.waiting import eventually

pytestmark = pytest.mark.usefixtures("link", "nothing_is_written")

CALLS = ["POST /v1/url", "PUT /v1/url", "DELETE /v1/url", "POST /v1/url/bulk/{key}", "PUT /v1/app/{key}", "POST /v1/install",
         "POST /v1/open", "POST /v1/close"]
every_call = pytest.mark.parametrize("call", CALLS)


@pytest.fixture(scope="module")
def link(orchard):
    """A link for the calls that need one."""
    return orchard.create_link(alias="an/apple", channel="sms")


@pytest.fixture(scope="module")
def deleted(server):
    """A deleted app."""
    deleted = server.create_app("Deleted")
    server.ask("apps", "delete", deleted.app_id, "--yes")
    eventually(lambda: server.get(deleted.link(server.base_url)).status == 400)
    return deleted


def send(app, call, body):
    method, target = call.format(key=app.branch_key).split()
    if method in ("PUT", "DELETE") and target == "/v1/url":
        target = app.link(app.server.base_url + "/an/apple")
    return app.server.send(method, target, body)


@every_call
@pytest.mark.parametrize("body", [
    b"apple", b"{", b'{"branch_key":', b'{"branch_key":"KEY"', b"{'branch_key':'KEY'}", b'{"branch_key":"KEY",}',
    b'{"branch_key":"KEY"} {}', b'"KEY"', b"null", b"7", b'{"branch_key":"KEY","a":01}', b'{"branch_key":"KEY","a":NaN}',
    b"branch_key KEY", b"\xff\xfe{\x00}\x00", b'{"branch_key":"KEY","a":"\xff"}', b'{"branch_key":"KEY","a":"\xc0\x80"}',
    b'{"branch_key":"KEY","a":"\xed\xa0\x80"}', b'{"branch_key":"KEY","a":"\\ud800"}', b'{"branch_key":"KEY","a":"\x00"}',
    b'{"branch_key":"KEY"}\x00', b'{"branch_key":"KEY","a":"\\x"}',
], ids=repr)
def test_what_is_no_json_object_is_refused(orchard, call, body):
    send(orchard, call, body.replace(b"KEY", orchard.branch_key.encode())).refusal(400)


@every_call
@pytest.mark.parametrize("opening, closing", [(b"[", b"]"), (b'{"a":', b"}")], ids=["arrays", "objects"])
def test_json_ten_thousand_levels_deep_is_refused(orchard, call, opening, closing):
    deep = opening * 10_000 + b"1" + closing * 10_000

    send(orchard, call, deep).refusal(400)
    send(orchard, call, b'{"branch_key":"%b","data":%b}' % (orchard.branch_key.encode(), deep)).refusal(400)


@every_call
def test_no_body_at_all_is_refused(orchard, call):
    send(orchard, call, b"").refusal(400)


@every_call
def test_a_body_that_is_too_large_is_refused_with_the_limit(orchard, call):
    is_small = any(name in call for name in ("install", "open", "close"))
    limit = (100 if "bulk" in call else 64 if is_small else 512) * 1024
    body = json.dumps({"branch_key": orchard.branch_key, "data": {"a": "x" * limit}}).encode()

    assert str(limit) in send(orchard, call, body).refusal(413)


def test_a_body_that_grows_too_large_in_chunks_is_refused(orchard):
    chunk = b"10000\r\n" + b" " * 0x10000 + b"\r\n"
    headers = {"Host": "localhost", "Transfer-Encoding": "chunked", "Connection": "close"}

    wire.exchange(orchard.server.port, wire.head("POST", "/v1/url", headers) + chunk * 17 + b"0\r\n\r\n").refusal(413)


@pytest.mark.parametrize("call", [call for call in CALLS if "{key}" not in call])
@pytest.mark.parametrize("key", [None, "", 7, True, ["KEY"], "KEY ", "key_live_", "key_live_" + "a" * 32, "'; DROP TABLE apps; --"])
def test_an_unknown_key_is_refused(orchard, call, key):
    text = json.dumps({"branch_key": key, "branch_secret": orchard.branch_secret}).replace("KEY", orchard.branch_key)

    assert "branch_key" in send(orchard, call, text.encode()).refusal(400)


@pytest.mark.parametrize("key", ["key_live_" + "a" * 32, "%00", "%ff", "..", "a%2Fb"])
def test_an_unknown_key_in_the_path_is_refused(orchard, key):
    orchard.server.post(f"/v1/url/bulk/{key}", [{}]).refusal(400)
    orchard.server.get(f"/v1/app/{key}?branch_secret={orchard.branch_secret}").refusal(400)


@every_call
def test_the_keys_of_a_deleted_app_are_refused(deleted, call):
    for key in (deleted.branch_key, deleted.test_branch_key):
        body = [{}] if "bulk" in call else {"branch_key": key, "branch_secret": deleted.branch_secret}

        assert "branch_key" in send(replace(deleted, branch_key=key), call, body).refusal(400)


@pytest.mark.parametrize("method, target", [
    ("GET", "/v1"), ("GET", "/v1/unknown"), ("POST", "/v1/unknown"), ("POST", "/"), ("POST", "/unknown"), ("PATCH", "/v1/url"),
    ("DELETE", "/v1/open"), ("POST", "/healthz"), ("GET", "/api/v1/unknown"), ("GET", "/v1/url/bulk/key")])
def test_an_unknown_call_is_refused_in_json(server, method, target):
    answer = server.send(method, target)

    assert answer.status in (404, 405)
    answer.refusal(answer.status)


@pytest.mark.parametrize("target", ["/v1/url?url=", "/an/apple?a=", "/unknown?a=", "/healthz?a=", "/"])
def test_a_megabyte_of_address_is_refused(server, target):
    answer = server.get(target + "x" * (1 << 20), {"Accept": "application/json"})

    assert answer.status in (400, 414, 431)
    answer.refusal(answer.status)


@pytest.mark.parametrize("message", [
    b"\r\n\r\n", b"\x00" * 1000, b"GET\r\n\r\n", b"GET /\x00 HTTP/1.1\r\nHost: a\r\n\r\n", b"GET /\xff HTTP/1.1\r\nHost: a\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n", b"GET / HTTP/9.9\r\nHost: a\r\n\r\n",
    b"POST /v1/url HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    b"GET / HTTP/1.1\r\nX-Long: " + b"x" * (1 << 20) + b"\r\n\r\n", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"],
    ids=lambda message: repr(message[:50]))
def test_a_message_that_is_not_http_disturbs_no_other_client(server, message):
    with wire.connect(server.port) as connection:
        connection.settimeout(0.2)
        try:
            connection.sendall(message)
            while connection.recv(65536):
                pass
        except OSError:
            pass


def test_a_client_that_disconnects_in_the_middle_of_a_request_disturbs_no_other(orchard):
    port = orchard.server.port
    message = wire.request(port, "POST", "/v1/url", {"branch_key": orchard.branch_key})
    for length in range(1, len(message), 7):
        with wire.connect(port) as connection:
            connection.sendall(message[:length])
