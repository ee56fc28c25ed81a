"""Acknowledged writes survive the end of the process."""

import time
from dataclasses import replace

from support import wire
from support.app import click_id
from support.server import Server, running
from support.visitors import iphone
from support.waiting import eventually


def test_an_acknowledged_click_opens_the_app_after_a_crash(own_server):
    app = own_server.create_app("Orchard", "--ios-uri-scheme", "orchard")
    link, visitor = app.create_link(data={"number": 1}), iphone()
    click = click_id(app.click(link, visitor))

    own_server.kill()
    own_server.start()

    session = app.install(visitor)
    assert session.data["number"] == 1
    assert session.answer["link_click_id"] == click


def test_tokens_outlive_a_restart(own_server):
    app = own_server.create_app()
    installed = app.install(iphone())

    own_server.stop()
    own_server.start()

    assert app.open(iphone(), **installed.tokens).tokens == installed.tokens


def test_a_request_in_flight_is_answered_before_the_server_stops(own_server):
    app = own_server.create_app()
    message = wire.request(own_server.port, "POST", "/v1/url", {"branch_key": app.branch_key, "channel": "sms"})
    half = len(message) - 20

    with wire.connect(own_server.port) as connection:
        # An answer before shows that the server has the connection.
        connection.sendall(wire.request(own_server.port, "GET", "/healthz", headers={"Connection": "keep-alive"}))
        assert wire.read_answer(connection).status == 200
        connection.sendall(message[:half])
        time.sleep(0.2)
        own_server.terminate()
        eventually(lambda: not own_server.answers())
        connection.sendall(message[half:])
        answer = wire.read_answer(connection)

    assert answer.status == 200
    assert own_server.wait() == 0
    own_server.start()
    assert app.read(answer.json["url"])["channel"] == "sms"


def test_idle_connections_do_not_keep_the_server_from_stopping(own_server):
    message = wire.request(own_server.port, "GET", "/healthz", headers={"Connection": "keep-alive"})

    with wire.connect(own_server.port) as used, wire.connect(own_server.port):
        used.sendall(message)
        assert wire.read_answer(used).status == 200
        begun = time.monotonic()
        own_server.stop()

    assert time.monotonic() - begun < 5


def test_a_server_starts_quickly_on_an_existing_database(own_server):
    app = own_server.create_app()
    for _ in range(5):
        app.server.post(f"/v1/url/bulk/{app.branch_key}", [{"channel": "sms"}] * 100)
    own_server.stop()

    begun = time.monotonic()
    own_server.start()

    # It takes well under a second; a busy machine is given more.
    assert own_server.answers("/healthz")
    assert time.monotonic() - begun < 5


def test_what_the_command_line_acknowledged_outlives_the_server(own_server):
    app = own_server.create_app()
    link = own_server.ask("links", "create", "--app", app.branch_key, "--channel", "sms")["url"]

    own_server.kill()
    own_server.start()

    assert app.read(link)["channel"] == "sms"


def test_a_retry_after_a_crash_gets_the_first_answer(own_server):
    app = own_server.create_app("Orchard", "--ios-uri-scheme", "orchard")
    first = app.install(iphone(), branch_sdk_request_unique_id="7A1D-2027011508").answer
    own_server.kill()
    own_server.start()

    assert app.install(iphone(), branch_sdk_request_unique_id="7A1D-2027011508").answer == first
    assert own_server.rows()["sessions"] == 1


def test_a_retry_that_reaches_another_process_gets_the_first_answer(own_server):
    app = own_server.create_app("Orchard", "--ios-uri-scheme", "orchard")
    first = app.install(iphone(), branch_sdk_request_unique_id="7A1D-2027011508").answer

    # One file has one server at a time.
    own_server.stop()
    other = Server(own_server.folder)
    other.base_url = own_server.base_url
    with running(other):
        again = replace(app, server=other).install(iphone(), branch_sdk_request_unique_id="7A1D-2027011508").answer

    assert again == first
    assert own_server.rows()["sessions"] == 1
