"""Live events of an app: `linden events tail` and the stream of server-sent events."""

import json
import socket
import subprocess
import threading

from support.command import BINARY, environment
from support.visitors import android, iphone
from support.wire import PATIENCE


def test_the_tail_shows_what_comes_after_it_began(app):
    app.click(app.create_link(channel="before"), iphone())
    tail = subprocess.Popen(
        [BINARY, "events", "tail", "--app", app.branch_key, "--limit", "2", "--format", "json", "--database", app.server.database],
        env=environment({}), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
    link = app.create_link(channel="mail")
    stop = threading.Event()

    def click():
        while not stop.wait(0.2):
            app.click(link, android())

    clicker = threading.Thread(target=click)
    clicker.start()
    try:
        lines = tail.communicate(timeout=PATIENCE)[0].splitlines()
    finally:
        stop.set()
        clicker.join()
        tail.kill()
    rows = [json.loads(line) for line in lines]

    assert [row["topic"] for row in rows] == ["eo_click"] * 2
    assert {row["last_attributed_touch_data_tilde_channel"] for row in rows} == {"mail"}


def test_the_stream_tells_clicks_and_installs_and_goes_on_after_a_cut(app):
    token = app.server.ask("tokens", "create", "listener", "--role", "analyst")["token"]
    visitor = iphone()
    link = app.create_link(channel="mail")
    with listen(app, token) as stream:
        assert b": listening" in read_until(stream, b": listening")
        app.click(link, visitor)
        app.install(visitor)
        reported = read_until(stream, b"event: eo_install").decode()
    assert reported.index("event: eo_click") < reported.index("event: eo_install")
    first = next(line for line in reported.splitlines() if line.startswith("id: ")).removeprefix("id: ")

    with listen(app, token, f"Last-Event-ID: {first}\r\n") as stream:
        again = read_until(stream, b"event: eo_install").decode()
    assert "event: eo_click" not in again


def test_the_stream_goes_on_from_long_ago_at_once(app):
    token = app.server.ask("tokens", "create", "listener", "--role", "analyst")["token"]
    app.click(app.create_link(channel="mail"), iphone())
    with listen(app, token, "Last-Event-ID: 0\r\n") as stream:
        assert b"mail" in read_until(stream, b"event: eo_click")


def test_the_tail_shows_what_came_since_long_ago_at_once(app):
    app.click(app.create_link(channel="mail"), iphone())
    done = app.server.command("events", "tail", "--app", app.branch_key, "--since", "0", "--limit", "1", "--format", "json")

    assert json.loads(done.out)["topic"] == "eo_click"


def test_nothing_is_followed_from_the_future_on(app):
    token = app.server.ask("tokens", "create", "listener", "--role", "analyst")["token"]
    answer = app.server.get(
        f"/api/v1/events/stream?app={app.branch_key}", {"Access-Token": token, "Last-Event-ID": "9223372036854775807"})
    done = app.server.command("events", "tail", "--app", app.branch_key, "--since", "9223372036854775807")

    assert "in the future" in answer.refusal(400)
    assert done.status == 1 and "in the future" in done.complaint


def test_the_stream_is_for_bearers_of_a_token(app):
    assert app.server.get(f"/api/v1/events/stream?app={app.branch_key}").status == 401
    token = app.server.ask("tokens", "create", "listener", "--role", "analyst")["token"]
    answer = app.server.get(f"/api/v1/events/stream?app={app.branch_key}&topic=clicks", {"Access-Token": token})
    assert "eo_click" in answer.refusal(400)


def test_the_stream_takes_the_parameters_of_the_command(app):
    for _ in range(2):
        app.click(app.create_link(channel="mail"), iphone())
    token = app.server.ask("tokens", "create", "listener", "--role", "analyst")["token"]
    done = app.server.command("events", "tail", "--app", app.branch_key, "--topic", "eo_click", "--since", "0", "--limit", "1", "--format", "json")
    answer = app.server.get(f"/api/v1/events/stream?app={app.branch_key}&topic=eo_click&since=0&limit=1", {"Access-Token": token})
    data = [line.removeprefix("data: ") for line in answer.text.splitlines() if line.startswith("data: ")]
    assert [json.loads(line) for line in data] == [done.json]
    for query, complaint in [("app_id=1", "app_id is not a parameter of the stream. The parameters are app, topic"), ("", "app is missing"),
                             (f"app={app.branch_key}&limit=0", "limit must be above 0")]:
        answer = app.server.get(f"/api/v1/events/stream?{query}", {"Access-Token": token})
        assert complaint in answer.refusal(400)
    assert app.server.command("events", "tail", "--app", app.branch_key, "--limit", "0").status == 64


def listen(app, token, headers=""):
    stream = socket.create_connection(("127.0.0.1", app.server.port), timeout=PATIENCE)
    stream.sendall(
        f"GET /api/v1/events/stream?app={app.branch_key} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n{headers}\r\n".encode())
    return stream


def read_until(stream, text):
    reported = b""
    while text not in reported:
        more = stream.recv(65536)
        assert more, reported
        reported += more
    return reported
