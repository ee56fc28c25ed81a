"""Answers that their clients do not read, or read slowly."""

import socket
import time

from attacks.registry import attack, holding
from attacks.sending import lasting
from traffic import PATIENCE, Outcome, ask, connect, pipeline, request


@holding
@attack
def requests_without_reading(target, until, number):
    """requests that are sent on and on while no answer is read"""
    outcome = Outcome()
    part = request("GET", target.large[0], headers={"User-Agent": "Twitterbot/1.0"}) * 100
    connections = []
    for _ in lasting(until):
        if len(connections) < 200:
            connections.append(connect(target.port))
            connections[-1].setblocking(False)
        for connection in connections:
            try:
                connection.send(part)
                outcome.requests += 1
            except BlockingIOError:
                pass
            except OSError:
                outcome.statuses["cut"] += 1
                connections.remove(connection)
                break
        time.sleep(0.01)
    for connection in connections:
        connection.close()
    return outcome


# Seconds within which the server closes a connection whose client receives nothing, with some to spare.
MOST_STALLED = 30


@holding
@attack
def previews_without_reading(target, until, number):
    """previews of the largest links, pipelined over 400 connections with small receive windows and never read"""
    outcome = Outcome()
    bots = {"User-Agent": "Twitterbot/1.0", "Accept": "text/html"}
    requests = [request("GET", path, headers=bots) for path in target.large] * 16
    connections = []
    try:
        for _ in range(target.at_once):
            connection = with_small_window(target)
            connections.append(connection)
            connection.sendall(b"".join(requests))
            outcome.requests += len(requests)
            time.sleep(0.01)
        end = max(until, time.time() + MOST_STALLED)
        while time.time() < end:
            time.sleep(0.1)
        for connection in connections:
            connection.settimeout(2)
            if received(connection, 512 << 10) >= 512 << 10:
                outcome.fault(f"answers that were not read were kept for {MOST_STALLED} s")
            else:
                outcome.statuses["cut"] += 1
    except OSError as error:
        outcome.fault(f"previews without reading: {error}")
    finally:
        for connection in connections:
            connection.close()
    return outcome


def with_small_window(target):
    connection = socket.socket()
    connection.settimeout(PATIENCE)
    # Before connecting, since the window is agreed on then.
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    connection.connect(("127.0.0.1", target.port))
    return connection


def received(connection, limit):
    """Reads until the end of the connection, or until as many bytes as the limit have come; returns their number."""
    count = 0
    try:
        while count < limit and (more := connection.recv(1 << 16)):
            count += len(more)
    except OSError:
        pass
    return count


def stored_events(target):
    """Four events of 100 KB of one stranger, who may store 256 MiB an hour."""
    event = {"branch_key": target.key, "name": "pear", "custom_data": {"skin": "g" * 100_000}}
    return [request("POST", "/v2/event/custom", event, {"X-Forwarded-For": "203.0.113.1"})] * 4


@attack
def slow_listeners(target, until, number):
    """listeners of the event stream that do not read, beside events of 100 KB"""
    outcome = Outcome()
    stream = request("GET", f"/api/v1/events/stream?app={target.app_id}", headers={"Authorization": f"Bearer {target.token}"})
    listeners = []
    for _ in range(50):
        connection = connect(target.port)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.sendall(stream)
        listeners.append(connection)
    events = stored_events(target)
    for _ in lasting(until):
        pipeline(target.port, events, outcome)
    for connection in listeners:
        connection.close()
    return outcome


@holding
@attack
def slow_exports(target, until, number):
    """exports of large events that are fetched slowly, five at a time"""
    outcome = Outcome()
    for _ in range(3):
        pipeline(target.port, stored_events(target), outcome)
    order = {"branch_key": target.key, "branch_secret": target.secret, "export_date": time.strftime("%Y-%m-%d", time.gmtime())}
    files = ask(target.port, "POST", "/v3/export", order)
    paths = [url.split("/", 3)[3] for urls in files.values() if isinstance(urls, list) for url in urls]
    paths = [path for path in paths if "custom_event" in path] or paths
    readers = []
    for _ in lasting(until):
        while len(readers) < 5:
            readers.append(connect(target.port))
            readers[-1].sendall(request("GET", "/" + paths[0], headers={"Connection": "close"}))
            outcome.requests += 1
        for reader in list(readers):
            if not reader.recv(1 << 14):
                reader.close()
                readers.remove(reader)
        time.sleep(0.05)
    for reader in readers:
        reader.close()
    return outcome


@holding
@attack
def large_lists_without_reading(target, until, number):
    """lists of content of an operator, of up to 8 MB each, that are never read"""
    outcome = Outcome()
    for part in range(min(28, target.at_once // 5)):
        content = [{"$canonical_identifier": f"{number}/{part}/{piece}", "$og_title": "g" * 8000} for piece in range(40)]
        event = {"branch_key": target.key, "branch_secret": target.secret, "name": "VIEW_ITEMS", "content_items": content}
        pipeline(target.port, [request("POST", "/v2/event/standard", event)], outcome)
    path = f"/api/v1/content?app={target.key}&limit=1000"
    return unread(target, until, outcome, path, min(60, target.at_once // 4), {"Authorization": f"Bearer {target.token}"})


@holding
@attack
def codes_without_reading(target, until, number):
    """QR codes of 4 MB each, asked for with the public key from 16 networks, of which a few bytes are read at times"""
    outcome = Outcome()
    connections = []
    settings = {
        "width": 2000, "margin": 0, "image_format": "jpeg", "code_pattern": 3, "code_color": "#ff0000", "background_color": "#00ffff"}
    for index in range(min(30, target.at_once // 10)):
        code = {"branch_key": target.key, "data": {}, "alias": "\u6f22" * 124 + f"{number}-{index}", "qr_code_settings": settings}
        connections.append(with_small_window(target))
        connections[-1].sendall(request("POST", "/v1/qr-code", code, {"X-Forwarded-For": f"203.0.{16 * number + index % 4}.9"}))
        outcome.requests += 1
        time.sleep(0.2)
    for connection in connections:
        connection.setblocking(False)
    for _ in lasting(until):
        for connection in connections:
            try:
                connection.recv(4096)
            except OSError:
                pass
        time.sleep(4)
    for connection in connections:
        connection.close()
    return outcome


@holding
@attack
def wide_exports_without_reading(target, until, number):
    """exports of all 239 columns of 3,000 events as JSON, that are never read"""
    outcome = Outcome()
    event = request("POST", "/v2/event/custom", {"branch_key": target.key, "name": "wide"})
    for _ in range(min(30, target.at_once // 5)):
        pipeline(target.port, [event] * 100, outcome)
    token = {"Authorization": f"Bearer {target.token}"}
    day = time.strftime("%Y-%m-%d", time.gmtime())
    order = {
        "report_type": "eo_custom_event", "fields": ["all"], "response_format": "json", "start_date": f"{day}T00:00:00Z",
        "end_date": f"{day}T23:59:59Z"}
    address = ask(target.port, "POST", f"/v2/logs?app_id={target.app_id}", order, token)["export_job_status_url"]
    status = {"status": "running"}
    while status["status"] == "running":
        time.sleep(0.1)
        status = ask(target.port, "GET", "/" + address.split("/", 3)[3], b"", token)
    return unread(target, until, outcome, "/" + status["response_url"].split("/", 3)[3], 4)


def unread(target, until, outcome, path, count, headers=None):
    """Asks for a path on as many connections with small receive windows, and reads none of the answers."""
    connections = []
    for _ in range(count):
        connections.append(with_small_window(target))
        connections[-1].sendall(request("GET", path, headers=headers))
        outcome.requests += 1
        time.sleep(0.02)
    for _ in lasting(until):
        time.sleep(0.1)
    for connection in connections:
        connection.close()
    return outcome
