"""Requests of strangers are limited before any work is done, without effect on other visitors."""

import base64
import contextlib
import json
import threading
import time

import pytest

from support import wire
from support.server import Server, running
from support.visitors import iphone
from support.waiting import eventually

MANY_FIELDS = b"a=b&" * 100_000


@pytest.mark.parametrize("target", ["/v1/open", "/v1/url", "/v1/event", "/v1/pageview", "/v1/redeem", "/v2/event/custom"])
def test_a_form_of_too_many_fields_is_refused(server, target):
    # The bodies of calls that bring neither link data nor events have 64 KiB.
    count = 16_000 if target in ("/v1/open", "/v1/redeem") else 100_000
    message = server.post(target, b"a=b&" * count, {"Content-Type": "application/x-www-form-urlencoded"}).refusal(413)

    assert f"at most 1000 fields, not {count + 1}" in message


@pytest.mark.parametrize("target", ["/v1/credits?", "/v1/credithistory?", "/v1/deepview?", "/_strong_match?"])
def test_a_query_of_too_many_fields_is_refused(server, target):
    answer = server.get(target + "a=b&" * 15_000, {"Accept": "application/json"})

    assert "at most 1000 fields" in answer.refusal(413)


def test_visits_are_answered_while_forms_of_too_many_fields_come(orchard):
    link = orchard.create_link(data={"$fallback_url": "https://orchard.example.com/pears"})
    stop = threading.Event()

    def attack():
        while not stop.is_set():
            orchard.server.post("/v1/open", MANY_FIELDS)

    attackers = [threading.Thread(target=attack) for _ in range(4)]
    for attacker in attackers:
        attacker.start()
    try:
        times = []
        for _ in range(30):
            began = time.monotonic()
            assert orchard.server.get("/" + link.rsplit("/", 1)[1]).status == 302
            times.append(time.monotonic() - began)
    finally:
        stop.set()
        for attacker in attackers:
            attacker.join()
    # Milliseconds; a form that was read whole took a minute.
    assert sorted(times)[-2] < 2


@pytest.mark.parametrize("data, complaint", [
    ({"$custom_meta_tags": {f"tag{number}": "x" for number in range(65)}}, "$custom_meta_tags may have at most 64 tags, not 65"),
    ({"$custom_meta_tags": json.dumps({f"tag{number}": "x" for number in range(65)})}, "$custom_meta_tags may have at most 64"),
    ({f"member{number}": [1, 2, 3] for number in range(251)}, "data may have at most 1000 values, not 1004"),
    ({"$keywords": ["word"] * 101}, "$keywords may have at most 100 words, not 101"),
    ({"$deeplink_path": "a/" * 5000}, "$deeplink_path may have at most 8192 bytes, not 10000"),
    ({"$fallback_url": "https://orchard.example.com/" + "a" * 9000}, "$fallback_url may have at most 8192 bytes"),
    ({"pear": "a" * 70_000}, "data may have at most 65536 bytes"),
])
def test_a_link_of_too_much_data_is_refused(orchard, data, complaint):
    answer = orchard.server.post("/v1/url", {"branch_key": orchard.branch_key, "data": data})

    assert complaint in answer.refusal(413)


def test_a_link_may_not_grow_beyond_its_bounds(orchard):
    link = orchard.create_link(data={"pear": "a" * 40_000})
    answer = orchard.server.put(
        "/v1/url?url=" + link,
        {"branch_key": orchard.branch_key, "branch_secret": orchard.branch_secret, "data": {"apple": "a" * 40_000}})

    assert "data may have at most 65536 bytes" in answer.refusal(413)


def test_more_than_64_tags_are_refused(orchard):
    answer = orchard.server.post("/v1/url", {"branch_key": orchard.branch_key, "tags": ["pear"] * 65})

    assert "tags may have at most 64 values, not 65" in answer.refusal(413)


def test_more_than_a_thousand_links_at_once_are_refused(orchard):
    answer = orchard.server.post(f"/v1/url/bulk/{orchard.branch_key}", [{}] * 1001)

    assert "at most 1000 links, not 1001" in answer.refusal(413)


def test_the_page_of_a_long_link_is_bounded_whatever_its_data_says(orchard):
    data = {"$custom_meta_tags": {f"tag{number}": "x" for number in range(500)}, "$keywords": ["word"] * 300}
    packed = base64.urlsafe_b64encode(json.dumps(data, separators=(",", ":")).encode()).decode().rstrip("=")
    answer = orchard.server.get(f"/a/{orchard.branch_key}?data={packed}", {"User-Agent": "facebookexternalhit/1.1"})

    assert answer.status == 200
    assert answer.text.count('property="tag') == 64
    assert answer.text.count("word, ") == 99


@pytest.mark.parametrize("headers", [
    b"X-Long: " + b"x" * 70_000 + b"\r\n", b"".join(b"X-%d: %s\r\n" % (number, b"x" * 1000) for number in range(120)),
    b"".join(b"X-%d: x\r\n" % number for number in range(300))], ids=["one", "all", "number"])
def test_headers_that_are_too_large_are_refused(server, headers):
    answer = wire.exchange(server.port, b"GET /pear HTTP/1.1\r\nHost: a\r\n" + headers + b"\r\n")

    assert "may have at most 65536 bytes" in answer.refusal(431)


def test_a_long_list_of_what_to_do_with_the_connection_is_refused(server):
    words = b"close," * 200
    answer = wire.exchange(server.port, b"GET /pear HTTP/1.1\r\nHost: a\r\nConnection: " + words + b"\r\n\r\n")

    assert answer.refusal(431) == "The Connection header may have at most 1024 bytes."


def test_what_is_not_http_is_answered_with_what_it_lacks(server):
    answer = wire.exchange(server.port, b"GET / HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n")

    assert answer.refusal(400) == "The request is not valid HTTP/1.1."


def test_a_body_in_chunks_of_http_1_0_is_refused_and_nothing_behind_it_is_read(server):
    with wire.connect(server.port) as connection:
        connection.sendall(
            b"POST /v1/open HTTP/1.0\r\nTransfer-Encoding: chunked\r\nConnection: keep-alive\r\n\r\n0\r\n\r\n"
            b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")
        received = b""
        while piece := connection.recv(65536):
            received += piece

    assert received.startswith(b"HTTP/1.1 400 ") and b"has no Transfer-Encoding" in received
    assert received.count(b"HTTP/1.1 ") == 1


def test_nothing_behind_what_is_not_http_is_read(server):
    with wire.connect(server.port) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\nGET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")
        received = b""
        while piece := connection.recv(65536):
            received += piece

    assert received.count(b"HTTP/1.1 ") == 1


def test_a_body_that_is_not_http_ends_its_connection_at_once(server):
    with wire.connect(server.port) as connection:
        connection.sendall(b"POST /v1/url HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n")
        connection.settimeout(10)
        received = b""
        while piece := connection.recv(65536):
            received += piece
    assert received.count(b"HTTP/1.1 ") <= 1


def test_headers_that_do_not_end_are_waited_for_no_longer_than_allowed(tmp_path):
    with running(Server(tmp_path, {"LINDEN_HTTP_HEADER_TIMEOUT": "1"})) as server:
        with wire.connect(server.port) as idle, wire.connect(server.port) as unfinished:
            idle.sendall(wire.request(server.port, "GET", "/healthz", headers={"Connection": "keep-alive"}))
            assert wire.read_answer(idle).status == 200
            began = time.monotonic()
            unfinished.sendall(b"GET / HTTP/1.1\r\nX-Slow: a")
            # A byte now and then does not help.
            while time.monotonic() - began < wire.PATIENCE:
                try:
                    unfinished.settimeout(0.3)
                    if unfinished.recv(1) == b"":
                        break
                except TimeoutError:
                    try:
                        unfinished.sendall(b"a")
                    except OSError:
                        break
                except OSError:
                    break
            assert 0.9 < time.monotonic() - began < wire.PATIENCE / 2
            # A connection on which nothing was begun stays.
            idle.sendall(wire.request(server.port, "GET", "/healthz"))
            assert wire.read_answer(idle).status == 200


def test_beyond_the_most_connections_only_health_checks_are_answered(tmp_path):
    with running(Server(tmp_path, {"LINDEN_HTTP_MAX_CONNECTIONS": "16"})) as server:
        app = server.create_app("Orchard", "--default-url", "https://orchard.example.com/")
        link = app.create_link(data={"$fallback_url": "https://orchard.example.com/pears"}).rsplit("/", 1)[1]
        open_connections = [wire.connect(server.port) for _ in range(16)]
        try:
            until(lambda: server.get("/" + link).status == 503)
            assert "Too many connections" in server.get("/" + link).refusal(503)
            assert server.get("/" + link).headers["retry-after"] == "1"
            assert server.get("/healthz").status == 200
            assert server.get("/readyz").status == 200
        finally:
            for connection in open_connections:
                connection.close()
        until(lambda: server.get("/" + link).status == 302)
        assert server.log.count("Connections were refused") == 1


def test_connections_on_which_nothing_is_asked_do_not_keep_health_checks_out(tmp_path):
    with running(Server(tmp_path, {"LINDEN_HTTP_MAX_CONNECTIONS": "16"})) as server:
        connections = [wire.connect(server.port) for _ in range(16 + 64 + 100)]
        try:
            until(lambda: server.answers())
        finally:
            for connection in connections:
                connection.close()


def test_only_calls_of_sdks_are_answered_as_scripts(app):
    token = app.server.ask("tokens", "create", "listener", "--role", "analyst")["token"]
    headers = {"Authorization": f"Bearer {token}"}
    for call in ("events/stream", "analytics/counts", "exports/file"):
        answer = app.server.get(f"/api/v1/{call}?app={app.app_id}&callback=f", headers)
        assert answer.headers["content-type"].startswith("application/json") and not answer.text.startswith("/**/")
    assert app.server.get("/v1/has-app/" + app.branch_key + "?callback=f").text == "/**/f(false);"


def test_a_stream_asks_for_a_token_before_anything_else(server):
    assert "access token" in server.get("/api/v1/events/stream").refusal(401)


def test_a_stream_ends_when_its_token_is_revoked(app):
    token = app.server.ask("tokens", "create", "leaving", "--role", "analyst")["token"]
    with wire.connect(app.server.port) as stream:
        stream.sendall(wire.head(
            "GET", f"/api/v1/events/stream?app={app.app_id}", {"Host": "a", "Authorization": f"Bearer {token}"}))
        stream.settimeout(wire.PATIENCE)
        assert b"200 OK" in stream.recv(65536)
        app.server.ask("tokens", "revoke", "leaving", "--yes")
        while (piece := stream.recv(65536)) and not piece.endswith(b"0\r\n\r\n"):
            pass


def until(condition):
    deadline = time.monotonic() + wire.PATIENCE
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_unfinished_bodies_of_many_values_keep_no_large_body_out(orchard):
    """A value takes two bytes of a body and up to 128 of memory, but only while a complete body is parsed."""
    large = {"branch_key": orchard.branch_key, "data": {"pear": "g" * 50_000}}
    slow = []
    try:
        for _ in range(8):
            slow.append(wire.connect(orchard.server.port))
            slow[-1].sendall(
                b"POST /v1/url HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 524288\r\n\r\n["
                + b"1," * 123_700)
            assert orchard.server.post("/v1/url", large).status == 200
    finally:
        for connection in slow:
            connection.close()


def test_unfinished_bodies_that_have_stopped_make_room_for_others(orchard):
    large = {"branch_key": orchard.branch_key, "data": {"pear": "g" * 50_000}}
    stopped = []
    try:
        for _ in range(17):
            stopped.append(wire.connect(orchard.server.port))
            stopped[-1].sendall(
                b"POST /v1/url HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 524288\r\n\r\n" + b" " * 509_831)
        # A body counts as stopped two seconds after its last bytes were read.
        eventually(lambda: orchard.server.post("/v1/url", large).status == 200, within=15)
    finally:
        for connection in stopped:
            connection.close()


def test_bodies_that_come_slowly_take_bounded_memory_and_keep_no_app_out(orchard):
    """An address may have about 8 MiB of large bodies in flight; the small bodies of SDKs are always accepted."""
    large = {"branch_key": orchard.branch_key, "data": {"pear": "g" * 50_000}}
    create = lambda: orchard.server.post("/v1/url", large)
    slow = []
    answers = []

    def is_full():
        for _ in range(4):
            slow.append(wire.connect(orchard.server.port))
            slow[-1].sendall(
                b"POST /v1/url HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 524288\r\n\r\n" + b" " * 509_800)
        for connection in slow:
            # One that was refused is closed.
            with contextlib.suppress(OSError):
                connection.sendall(b" ")
        answers.append(create())
        return answers[-1].status == 503

    try:
        until(is_full)
        refused = answers[-1]
        assert "Too many large requests" in refused.refusal(503)
        assert int(refused.headers["retry-after"]) > 0
        orchard.install(iphone())
    finally:
        for connection in slow:
            connection.close()

    until(lambda: create().status == 200)


@pytest.mark.parametrize("text", [b"\xff", "\u20ac".encode()], ids=["no text", "euro signs"])
def test_headers_of_which_much_is_not_ascii_are_refused(server, text):
    def ask(count):
        return wire.exchange(server.port, b"GET /healthz HTTP/1.1\r\nHost: a\r\nX: " + text * (count // len(text)) + b"\r\nConnection: close\r\n\r\n")

    assert ask(4000).status == 200
    assert "of which 4096 are not ASCII" in ask(5000).refusal(431)


def test_trailers_of_a_body_are_bounded(server):
    def ask(count):
        body = b"2\r\n{}\r\n0\r\nX: " + b"x" * count + b"\r\n\r\n"
        begin = b"POST /v1/url HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
        with wire.connect(server.port) as connection:
            connection.sendall(begin + body)
            with contextlib.suppress(*wire.CUT_OFF):
                return wire.read_answer(connection).text

    assert "branch_key" in ask(4000)
    # The request is not read to its end.
    assert not ask(5000)


@pytest.mark.parametrize("pause", [0, 0.1], ids=["at once", "body later"])
def test_trailers_are_bounded_behind_another_body_in_chunks_too(orchard, pause):
    begin = b"POST /v1/open HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
    body = json.dumps({"branch_key": orchard.branch_key, "os": "iOS"}).encode()
    chunks = b"%x\r\n%s\r\n0\r\n" % (len(body), body)
    trailers = b"X: " + b"f" * 17_000 + b"\r\nY: " + b"\xff" * 60_000 + b"\r\n\r\n"
    with wire.connect(orchard.server.port) as connection:
        connection.sendall(begin + chunks + b"\r\n" + begin)
        time.sleep(pause)
        try:
            connection.sendall(chunks + trailers)
            received = b"".join(iter(lambda: connection.recv(65536), b""))
        except OSError:
            received = b""
    assert received.count(b"HTTP/1.1 200 OK") <= 1, received


def test_a_request_behind_a_body_in_chunks_is_answered(orchard):
    body = json.dumps({"branch_key": orchard.branch_key, "os": "iOS", "note": "\u20ac" * 2000}, ensure_ascii=False).encode()
    chunked = (
        b"POST /v1/open HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
        + b"%x\r\n%s\r\n0\r\nX: 1\r\n\r\n" % (len(body), body))
    next_one = b"GET /healthz HTTP/1.1\r\nHost: a\r\nX: " + b"x" * 3000 + b"\r\nConnection: close\r\n\r\n"
    with wire.connect(orchard.server.port) as connection:
        connection.sendall(chunked + next_one)
        received = b"".join(iter(lambda: connection.recv(65536), b""))
    assert received.count(b"HTTP/1.1 200 OK") == 2, received
