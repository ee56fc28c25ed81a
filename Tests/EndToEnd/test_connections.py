"""HTTP connections beyond single responses: pipelining, keep-alive and errors, for link visits and other calls."""

import json
import socket
import threading
import time
from dataclasses import dataclass

import pytest

from support import wire
from support.app import App
from support.server import Server, running


@pytest.fixture(scope="module")
def orchard(tmp_path_factory):
    with running(Server(tmp_path_factory.mktemp("connections"))) as server:
        app = server.create_app("Orchard", "--default-url", "https://orchard.example.com/")
        orchard = Orchard(app, [app.create_link(data={"$fallback_url": f"https://orchard.example.com/{number}"}) for number in range(5)])
        # Each has been visited once, so that all that is to be known of them is in memory.
        for link in orchard.links:
            get(server, "/" + slug(link))
        yield orchard


@dataclass(frozen=True)
class Orchard:
    """An app with five links, whose targets are `/0` to `/4`."""

    app: App
    links: list[str]

    @property
    def server(self):
        return self.app.server


def slug(link):
    return link.rsplit("/", 1)[1]


def visit(app, number, **headers):
    return ask(app.server, "/" + slug(app.links[number % len(app.links)]), **headers)


def ask(server, target, method="GET", version="1.1", **headers):
    lines = [f"{method} {target} HTTP/{version}", f"Host: 127.0.0.1:{server.port}"]
    return ("\r\n".join(lines + [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]) + "\r\n\r\n").encode()


def get(server, target):
    with wire.connect(server.port) as connection:
        connection.sendall(ask(server, target))
        return wire.read_answer(connection)


def clicks(app):
    return app.server.query("SELECT COUNT(*) FROM clicks")[0][0]


def leads_to(answer, number):
    assert answer.status == 302, answer.text
    return answer.location.startswith(f"https://orchard.example.com/{number % 5}")


class Reader:
    """Reads successive responses from a connection."""

    def __init__(self, connection):
        self.file = connection.makefile("rb")

    def read(self, method="GET"):
        status = int(self.file.readline().split()[1])
        headers = {}
        while line := self.file.readline().strip():
            name, value = line.decode().split(":", 1)
            headers[name.lower()] = value.strip()
        body = b"" if method == "HEAD" else self.file.read(int(headers.get("content-length", 0)))
        return wire.Answer(status, headers, body)

    def is_over(self):
        return self.file.read(1) == b""


def test_visits_that_are_sent_at_once_are_answered_in_order_and_recorded_once(orchard):
    before = clicks(orchard)
    with wire.connect(orchard.server.port) as connection:
        connection.sendall(b"".join(visit(orchard, number) for number in range(50)))
        reader = Reader(connection)
        assert all(leads_to(reader.read(), number) for number in range(50))
    assert clicks(orchard) == before + 50


def test_visits_and_other_calls_on_one_connection_keep_their_order(orchard):
    server = orchard.server
    body = json.dumps({"branch_key": orchard.app.branch_key, "channel": "sms"}).encode()
    create_link = wire.head("POST", "/v1/url", {
        "Host": "127.0.0.1", "Content-Type": "application/json", "Content-Length": str(len(body))}) + body
    with wire.connect(server.port) as connection:
        connection.sendall(
            visit(orchard, 0) + create_link + visit(orchard, 1) + ask(server, "/healthz") + ask(server, "/nothing-here")
            + visit(orchard, 2) + ask(server, "/" + slug(orchard.links[3]), method="HEAD") + visit(orchard, 4))
        reader = Reader(connection)
        assert leads_to(reader.read(), 0)
        assert reader.read().json["url"]
        assert leads_to(reader.read(), 1)
        assert reader.read().status == 200
        assert reader.read().status == 404
        assert leads_to(reader.read(), 2)
        assert leads_to(reader.read("HEAD"), 3)
        assert leads_to(reader.read(), 4)


def test_a_visit_that_arrives_byte_by_byte_is_answered(orchard):
    with wire.connect(orchard.server.port) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for byte in visit(orchard, 1):
            connection.sendall(bytes([byte]))
        assert leads_to(Reader(connection).read(), 1)


def test_a_get_with_a_body_is_a_visit_too_and_the_next_request_is_found(orchard):
    with wire.connect(orchard.server.port) as connection:
        connection.sendall(visit(orchard, 2, Content_Length=5) + b"hello" + visit(orchard, 3))
        reader = Reader(connection)
        assert leads_to(reader.read(), 2)
        assert leads_to(reader.read(), 3)


@pytest.mark.parametrize("split", range(1, 25))
def test_a_visit_that_begins_in_the_packet_of_a_body_in_chunks_is_answered(orchard, split):
    body = json.dumps({"branch_key": orchard.app.branch_key}).encode()
    chunked = wire.head("POST", "/v1/url", {
        "Host": "127.0.0.1", "Content-Type": "application/json", "Transfer-Encoding": "chunked"})
    chunks = b"%x\r\n%s\r\n0\r\n\r\n" % (len(body), body)
    counted = wire.head("POST", "/v1/url", {
        "Host": "127.0.0.1", "Content-Type": "application/json", "Content-Length": str(len(body))}) + body
    # One of the parts is split between the two bytes of a line's end.
    line_end = visit(orchard, 1).index(b"\r\n")
    for between, links in ((b"", 1), (counted, 2)):
        with wire.connect(orchard.server.port) as connection:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            connection.sendall(chunked)
            time.sleep(0.02)
            sent = chunks + between + visit(orchard, 1)
            cut = len(chunks + between) + line_end - 12 + split
            connection.sendall(sent[:cut])
            reader = Reader(connection)
            for _ in range(links):
                assert reader.read().json["url"]
            connection.sendall(sent[cut:])
            assert leads_to(reader.read(), 1)


@pytest.mark.parametrize("cut", range(-6, 6))
def test_a_counted_body_that_begins_in_the_packet_of_one_in_chunks_ends_where_it_ends(orchard, cut):
    body = json.dumps({"branch_key": orchard.app.branch_key}).encode()
    headers = {"Host": "127.0.0.1", "Content-Type": "application/json"}
    chunked = wire.head("POST", "/v1/url", headers | {"Transfer-Encoding": "chunked"})
    chunks = b"%x\r\n%s\r\n0\r\n\r\n" % (len(body), body)
    counted = wire.head("POST", "/v1/url", headers | {"Content-Length": str(len(body))}) + body
    line_end = visit(orchard, 1).index(b"\r\n")
    sent = chunks + counted + visit(orchard, 1)
    first, second = len(chunks + counted) - 20, len(chunks + counted) + line_end + cut
    with wire.connect(orchard.server.port) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        reader = Reader(connection)
        for part in (chunked, sent[:first], sent[first:second], sent[second:]):
            connection.sendall(part)
            time.sleep(0.02)
        assert [bool(reader.read().json["url"]) for _ in range(2)] == [True, True]
        assert leads_to(reader.read(), 1)


@pytest.mark.parametrize("word", ["close", "Close", "CLOSE", "close, te", "TE, close"])
def test_who_asks_for_it_finds_the_connection_closed_after_the_answer(orchard, word):
    for target in ("/" + slug(orchard.links[0]), "/healthz", "/nothing-here"):
        with wire.connect(orchard.server.port) as connection:
            connection.sendall(ask(orchard.server, target, Connection=word))
            reader = Reader(connection)
            assert reader.read().status in (200, 302, 404)
            assert reader.is_over()


def test_clients_of_http_1_0_find_the_connection_closed_unless_they_keep_it(orchard):
    target = "/" + slug(orchard.links[0])
    for path in (target, "/healthz"):
        with wire.connect(orchard.server.port) as connection:
            connection.sendall(ask(orchard.server, path, version="1.0"))
            reader = Reader(connection)
            assert reader.read().status in (200, 302)
            assert reader.is_over()
    with wire.connect(orchard.server.port) as connection:
        reader = Reader(connection)
        for path in (target, "/healthz", target):
            connection.sendall(ask(orchard.server, path, version="1.0", Connection="keep-alive"))
            answer = reader.read()
            assert answer.status in (200, 302)
            assert answer.headers["connection"] == "keep-alive"


def test_who_has_said_all_still_hears_the_answers(orchard):
    for sent in (visit(orchard, 1) + visit(orchard, 2), ask(orchard.server, "/healthz") + visit(orchard, 2)):
        with wire.connect(orchard.server.port) as connection:
            connection.sendall(sent)
            connection.shutdown(socket.SHUT_WR)
            reader = Reader(connection)
            assert reader.read().status in (200, 302)
            assert leads_to(reader.read(), 2)
            assert reader.is_over()


def test_what_follows_the_last_request_is_not_answered(orchard):
    before = clicks(orchard)
    for target in ("/" + slug(orchard.links[1]), "/healthz"):
        with wire.connect(orchard.server.port) as connection:
            connection.sendall(ask(orchard.server, target, Connection="close") + visit(orchard, 2))
            reader = Reader(connection)
            answer = reader.read()
            assert answer.status in (200, 302)
            assert answer.headers["connection"] == "close"
            assert reader.is_over()
    assert clicks(orchard) == before + 1


@pytest.mark.parametrize("protocol", ["websocket", "h2c", "foo"])
def test_a_request_for_another_protocol_is_answered_and_ends_the_connection(orchard, protocol):
    """A proxy that passes `Upgrade` on would otherwise reuse a connection on which nothing is read any more."""
    server = orchard.server
    for target, status in (("/" + slug(orchard.links[1]), 302), ("/healthz", 200), ("/nothing-here", 404)):
        message = ask(server, target, Connection="Upgrade", Upgrade=protocol)
        ends_the_connection(server, message, status)
        ends_the_connection(server, message + visit(orchard, 2), status)
    body = json.dumps({"branch_key": orchard.app.branch_key, "channel": "sms"}).encode()
    create_link = ask(server, "/v1/url", "POST", Connection="Upgrade", Upgrade=protocol, Content_Length=len(body)) + body
    ends_the_connection(server, create_link + visit(orchard, 2), 200)


def test_connect_is_refused_and_ends_the_connection(orchard):
    message = f"CONNECT 127.0.0.1:{orchard.server.port} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode()
    for sent in (message, message + visit(orchard, 2)):
        ends_the_connection(orchard.server, sent)


def ends_the_connection(server, message, status=None):
    """Sends a request and what may follow it, and expects one answer, which says that it is the last one."""
    with wire.connect(server.port) as connection:
        connection.sendall(message)
        reader = Reader(connection)
        answer = reader.read()
        assert answer.status == status if status else answer.status in (400, 404, 405), answer.status
        assert answer.headers["connection"] == "close"
        assert reader.is_over()


def test_a_client_that_reads_late_gets_every_response(orchard):
    visits = 3000
    with wire.connect(orchard.server.port) as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        sender = threading.Thread(target=send_all, args=(connection, b"".join(visit(orchard, number) for number in range(visits))))
        sender.start()
        time.sleep(1)
        reader = Reader(connection)
        assert all(leads_to(reader.read(), number) for number in range(visits))
        assert reader.is_over()
        sender.join()


def send_all(connection, message):
    connection.sendall(message)
    connection.shutdown(socket.SHUT_WR)


def test_nonsense_after_a_visit_is_refused_after_its_answer(orchard):
    with wire.connect(orchard.server.port) as connection:
        connection.sendall(visit(orchard, 1) + b"NONSENSE\r\n\r\n")
        reader = Reader(connection)
        assert leads_to(reader.read(), 1)
        assert reader.read().status == 400
        assert reader.is_over()


def test_who_leaves_before_the_answer_has_clicked_all_the_same(orchard):
    before = clicks(orchard)
    for number in range(20):
        with wire.connect(orchard.server.port) as connection:
            connection.sendall(visit(orchard, number))
    deadline = time.monotonic() + 10
    while clicks(orchard) < before + 20 and time.monotonic() < deadline:
        time.sleep(0.05)
    assert clicks(orchard) == before + 20


def test_who_never_reads_is_not_read_from_for_ever(orchard):
    with wire.connect(orchard.server.port) as connection:
        connection.setblocking(False)
        sent, stuck = 0, 0
        message = b"".join(visit(orchard, number) for number in range(100))
        while stuck < 100 and sent < 64 << 20:
            try:
                sent += connection.send(message)
                stuck = 0
            except BlockingIOError:
                stuck += 1
                time.sleep(0.02)
    assert sent < 64 << 20
    assert leads_to(get(orchard.server, "/" + slug(orchard.links[1])), 1)


def test_the_first_visit_and_the_next_are_answered_alike(orchard):
    """The first visit reads the link from the database, the next from the cache."""
    server = orchard.server
    for data in ({"$fallback_url": "https://orchard.example.com/new"}, {"$ios_deepview": "default"}, {}):
        for agent in (
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 "
            "Safari/604.1", "Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/142.0.0.0 Safari/537.36", "Twitterbot/1.0",
        ):
            target = "/" + slug(orchard.app.create_link(data=data))
            message = ask(server, target, User_Agent=agent, Origin="https://shop.example.com", Accept="text/html")
            with wire.connect(server.port) as connection:
                reader, answers = Reader(connection), []
                for _ in range(3):
                    connection.sendall(message)
                    answers.append(reader.read())
            first, *rest = answers
            for answer in rest:
                assert answer.status == first.status
                assert sorted(answer.headers) == sorted(first.headers)
                for name in set(first.headers) - {"date", "set-cookie", "location", "content-length", "content-security-policy"}:
                    assert answer.headers[name] == first.headers[name], name


def test_a_link_that_is_taken_away_or_changed_is_not_answered_from_memory(orchard):
    server = orchard.server
    link = orchard.app.create_link(data={"$fallback_url": "https://orchard.example.com/1"})
    assert leads_to(get(server, "/" + slug(link)), 1)
    change = orchard.app.secret | {"data": {"$fallback_url": "https://orchard.example.com/2"}}
    assert server.put(orchard.app.link(link), change).status == 200
    assert leads_to(get(server, "/" + slug(link)), 2)
