"""The attacks. Each is a function of a target, the end of its time and the number of its process; it returns an outcome."""

import base64
import itertools
import json
import random
import socket
import time
from multiprocessing.pool import ThreadPool

from traffic import PATIENCE, PROCESSES, Outcome, ask, connect, has_networks, pipeline, read_answers, request

ALL = {}
# The names of those which hold connections.
HOLDING = set()
IPHONE = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 Mobile/15E148 "
    "Safari/604.1")


def attack(function):
    """Registers an attack under its name; its doc comment is what the report calls it."""
    ALL[function.__name__] = function
    return function


def holding(function):
    """Notes that an attack holds connections, which are not there at once."""
    HOLDING.add(function.__name__)
    return function


def lasting(until):
    """Once at least, and again until the time is over."""
    yield
    while time.time() < until:
        yield


def flood(target, until, requests):
    """Sends requests in batches until the time is over."""
    outcome = Outcome()
    for _ in lasting(until):
        pipeline(target.port, requests, outcome)
    return outcome


def hold(target, until, count, beginning, headroom=0, pause=0, sources=(None,)):
    """Opens connections from the sources in turn, sends the beginning of something on each and holds them to the end.

    A pause in seconds after each makes the memory that they hold the attack, and not their opening.
    """
    outcome = Outcome()
    connections = []
    try:
        for source, _ in zip(itertools.cycle(sources), range(count)):
            try:
                connections.append(connect(target.port, source=source))
                connections[-1].sendall(beginning)
                outcome.requests += 1
            except OSError:
                outcome.statuses["refused"] += 1
            time.sleep(pause)
            if time.time() > until + headroom:
                break
        while time.time() < until:
            time.sleep(0.1)
    finally:
        for connection in connections:
            connection.close()
    return outcome


def from_addresses(number, count):
    return [f"203.0.{number}.{part}" for part in range(count)]


# MARK: Parsing


@attack
def forms_of_many_fields(target, until, number):
    """100,000 fields in a form"""
    body = b"a=b&" * 100_000
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    return flood(target, until, [request("POST", path, body, form) for path in ("/v1/open", "/v1/url", "/v1/event", "/v1/redeem")])


@attack
def queries_of_many_fields(target, until, number):
    """15,000 fields in a query"""
    query = "a=b&" * 15_000
    return flood(target, until, [request("GET", path + query) for path in ("/v1/credits?", "/v1/deepview?", "/_strong_match?")])


@attack
def long_paths(target, until, number):
    """paths of 16 and 60 KB below routes of the API, as calls of other addresses"""
    paths = ["/api/v1/analytics/reports/x/", "/api/v1/analytics/ltv/", "/v1/branch_aggregate/async/status/x/", "/v1/gdpr/", "/"]
    requests = [
        request("GET", path + "a" * length, headers={"X-Forwarded-For": address})
        for address, path, length in zip(from_addresses(number, 50), paths * 10, (16_000, 60_000, 16_000) * 17)]
    return flood(target, until, requests)


@attack
def visits_of_many_items(target, until, number):
    """visits with 8,000 empty items in the query"""
    queries = ["a&" * 8000, "&" * 16_000, "%61=&" * 3000]
    return flood(target, until, [request("GET", f"{target.visit}?{query}", headers={"User-Agent": IPHONE}) for query in queries])


@attack
def visits_of_long_queries(target, until, number):
    """visits from 200 addresses of one network at once, with 256 items in 14 KB of query"""
    query = "&".join(f"item{item:03}={'g' * 45}" for item in range(256))
    senders = [{"X-Forwarded-For": f"198.19.{number}.{host}", "User-Agent": IPHONE} for host in range(1, 1 + min(200, target.at_once))]
    return rounds(target, until, [[request("GET", f"{target.visit}?{query}", headers=sender)] for sender in senders])


@attack
def items_appended_to_large_links(target, until, number):
    """visits of eight networks at once that append an item to links with 250 URLs, or with 4,000 items in one, or whose redirect is long"""
    urls = {f"$ios_url_{index}": f"https://shop{index}.example.com" for index in range(250)}
    items = {"$fallback_url": "https://shop.example.com/?" + "%75&" * 2000, "~campaign": "pears"}
    ways = [(urls, "?$ios_url=", IPHONE), (items, "?x=1", IPHONE), (items | {"$og_redirect": items["$fallback_url"]}, "", "Googlebot/2.1")]
    senders = [f"198.20.{10 * number + network}.{host}" for network in range(4) for host in range(1, 1 + target.at_once // 8)]
    requests = []
    for index, (data, query, agent) in enumerate(ways):
        alias = f"appended{number}-{index}"
        pipeline(target.port, [request("POST", "/v1/url", {"branch_key": target.key, "alias": alias, "data": data})], Outcome())
        requests += [request("GET", f"/{alias}{query}", headers={"X-Forwarded-For": sender, "User-Agent": agent}) for sender in senders]
    return rounds(target, until, [[request] for request in requests])


@attack
def deep_and_wide_json(target, until, number):
    """JSON of 500 KB, deep or wide"""
    bodies = [b"[" * 250_000, b"[[0]," * 100_000, b'{"a":' * 80_000, b'{"":0,' * 80_000, b'"' + b"\\u0000" * 80_000]
    return flood(target, until, [request("POST", "/v2/event/custom", body) for body in bodies])


@attack
def many_identifiers(target, until, number):
    """old events that list one identifier 3,000 times, described by 170 KB of JSON text"""
    metadata = {"$canonical_identifier_list": ["a"] * 3000, "a": json.dumps({f"key{index}": index for index in range(10_000)})}
    event = {"branch_key": target.key, "event": "View", "metadata": metadata}
    return flood(target, until, [request("POST", "/v1/event", event)])


@attack
def long_links(target, until, number):
    """long links of 60 KB, as base64 and as parameters"""
    data = base64.urlsafe_b64encode(json.dumps({f"key{index}": "g" * 40 for index in range(700)}).encode()).decode()
    targets = [f"/a/{target.key}?data={data}", f"/a/{target.key}?" + "%24keywords=pear&" * 900, f"/a/{target.key}?" + "%F0" * 20_000]
    bots = {"User-Agent": "Twitterbot/1.0", "Accept": "text/html"}
    return flood(target, until, [request("GET", path, headers=bots) for path in targets])


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


@attack
def large_events(target, until, number):
    """events of 450 KB with 7,000 keys, over eight connections of one address"""
    keys = {f"{index:05}" + "g" * 50: 1 for index in range(7000)}
    event = {"branch_key": target.key, "name": "pear", **keys}
    # Not from loopback, which is exempt.
    large = [request("POST", "/v2/event/custom", body, {"X-Forwarded-For": "203.0.113.2"}) for body in (event, event | {"retryNumber": 1})]

    def connection(_):
        outcome = Outcome()
        # All connections together stay below the 256 MiB that an address may store.
        for _ in itertools.islice(lasting(until), 25):
            pipeline(target.port, large, outcome)
        return outcome

    outcome = Outcome()
    with ThreadPool(8 // PROCESSES) as pool:
        for part in pool.map(connection, range(8 // PROCESSES)):
            outcome.add(part)
    return outcome


# MARK: Content of links


@attack
def pages_of_large_links(target, until, number):
    """the pages of links that are as large as links may be"""
    bots = {"User-Agent": "facebookexternalhit/1.1", "Accept": "text/html"}
    return flood(target, until, [request("GET", path, headers=bots) for path in target.large] * 4)


@attack
def too_large_links(target, until, number):
    """links and bulk calls beyond their bounds"""
    tags = {f"tag{index}": "g" for index in range(5000)}
    bodies = [
        request("POST", "/v1/url", {"branch_key": target.key, "data": data})
        for data in ({"$custom_meta_tags": tags}, {"$keywords": ["pear"] * 10_000}, {"$deeplink_path": "a" * 300_000})
    ]
    bulk = request("POST", f"/v1/url/bulk/{target.key}", [{}] * 30_000)
    return flood(target, until, bodies + [bulk])


@attack
def bulk_of_one_alias(target, until, number):
    """bulk calls that name one large link a thousand times, by its alias or as retries of one call"""
    data = {f"key{index}": f"{index:060}" for index in range(900)}
    large = {"branch_key": target.key, "alias": f"large{number}", "data": data, "branch_sdk_request_unique_id": f"large{number}"}
    outcome = Outcome()
    pipeline(target.port, [request("POST", "/v1/url", large)], outcome)
    items = ({"alias": f"large{number}", "channel": "x"}, {"branch_sdk_request_unique_id": f"large{number}"})
    calls = [request("POST", f"/v1/url/bulk/{target.key}", [item] * 1000) for item in items]
    for _ in lasting(until):
        pipeline(target.port, calls, outcome)
    return outcome


# MARK: Connections and resources held


@holding
@attack
def short_requests_behind_one_that_waits(target, until, number):
    """on 1,000 connections of two networks, an event that waits for its turn, and 330 requests of 25 bytes behind it"""
    # Without these addresses, only the events are those of a network: loopback is exempt.
    sources = [f"10.100.{number}.{host}" for host in range(1, 251)] if has_networks() else [None]
    sender = {} if has_networks() else {"X-Forwarded-For": f"2001:db8:{number}::7"}
    event = {"branch_key": target.key, "name": "pear", "user_data": {"os": "Android", "android_id": "p"}, "note": "n" * 7600}
    sent = request("POST", "/v2/event/custom", event, sender) + b"GET / HTTP/1.1\r\nHost:\r\n\r\n" * 330
    return hold(target, until, 5 * target.at_once // 2, sent, sources=sources)


@attack
def health_checks_on_many_connections(target, until, number):
    """health checks of one address, which have no rate, pipelined over 400 connections"""
    requests = [request("GET", "/healthz", headers={"X-Forwarded-For": f"203.0.{100 + number}.7"})] * 20
    return rounds(target, until, [requests] * target.at_once)


def rounds(target, until, requests, pause=0):
    """Sends each list of requests on a connection of its own, and again once all answers have come and the pause in seconds is over. A function
    makes new ones each time."""
    outcome = Outcome()
    make = requests if callable(requests) else lambda: requests
    requests = make()
    connections = [connect(target.port) for _ in requests]
    try:
        for _ in lasting(until):
            began = time.time()
            for connection, sent in zip(connections, requests):
                connection.sendall(b"".join(sent))
            for connection, sent in zip(connections, requests):
                outcome.requests += read_answers(connection, len(sent), sent, outcome)
            requests = make()
            time.sleep(max(0, pause - (time.time() - began)))
    finally:
        for connection in connections:
            connection.close()
    return outcome


@holding
@attack
def unfinished_headers(target, until, number):
    """2,000 connections with 60 KB of headers that never end"""
    return hold(target, until, 5 * target.at_once, b"GET / HTTP/1.1\r\n" + b"X-Pear: " + b"g" * 60_000)


@holding
@attack
def unfinished_bodies(target, until, number):
    """1,000 connections with bodies of 500 KB that never end"""
    head = b"POST /v1/url HTTP/1.1\r\nHost: localhost\r\nContent-Length: 500000\r\n\r\n"
    return hold(target, until, 5 * target.at_once // 2, head + b"{" + b" " * 400_000)


@holding
@attack
def unfinished_small_bodies(target, until, number):
    """10,000 connections with bodies of 100 bytes of which half comes"""
    head = b"POST /v1/open HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n"
    return hold(target, until, target.idle // PROCESSES, head + b" " * 50, headroom=20, pause=0.003)


@holding
@attack
def idle_connections_after_a_call(target, until, number):
    """10,000 connections that are kept open after a call with a body of 7 KB"""
    body = json.dumps({"branch_key": "key_live_none", "text": "g" * 7000}).encode()
    call = request("POST", "/v1/credits", body, {"Content-Type": "application/json"})
    return hold(target, until, target.idle // PROCESSES, call, headroom=20, pause=0.01)


@holding
@attack
def idle_connections(target, until, number):
    """10,000 connections on which nothing is requested"""
    return hold(target, until, target.idle // PROCESSES, b"", headroom=20)


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
            connection = socket.socket()
            connections.append(connection)
            connection.settimeout(PATIENCE)
            # Before connecting, since the window is agreed on then.
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            connection.connect(("127.0.0.1", target.port))
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


# MARK: Filling the database


@attack
def links_by_a_stranger(target, until, number):
    """links of 60 KB, as fast as they are taken"""
    link = {"branch_key": target.key, "data": {"pear": "g" * 60_000}}
    addresses = from_addresses(number, 20)
    return flood(target, until, [request("POST", "/v1/url", link, {"X-Forwarded-For": address}) for address in addresses])


@attack
def installs_by_a_stranger(target, until, number):
    """installs through a link by made-up devices at made-up addresses"""
    dice = random.Random(number)
    outcome = Outcome()
    for _ in lasting(until):
        part = [
            request("POST", "/v1/install", {
                "branch_key": target.key, "os": "Android", "hardware_id": f"{dice.random()}", "is_hardware_id_real": True,
                "brand": f"{dice.random()}", "model": f"{dice.random()}", "os_version": "14",
                "android_app_link_url": target.names["URL"]},
                {"X-Forwarded-For": f"203.0.{dice.randrange(256)}.{dice.randrange(256)}"})
            for _ in range(32)
        ]
        pipeline(target.port, part, outcome)
    return outcome


@attack
def installs_by_a_large_link(target, until, number):
    """installs by a link of 60 KB, whose data each of them stores, of one network"""
    start = {"branch_key": target.key, "os": "iOS", "sdk": "ios3.0.0", "is_hardware_id_real": True}
    link = target.names["URL"].rsplit("/", 1)[0] + target.large[2]
    numbers = itertools.count()
    senders = [{"X-Forwarded-For": f"203.0.115.{100 * number + host}"} for host in range(50)]
    outcome = Outcome()
    for _ in lasting(until):
        part = [
            request("POST", "/v1/install", start | {"universal_link_url": link, "hardware_id": f"{number}-{next(numbers)}"}, sender)
            for sender in senders]
        pipeline(target.port, part, outcome)
    return outcome


@attack
def installs_after_long_queries(target, until, number):
    """installs at an address with a hundred clicks whose queries have 16 KB in small items"""
    sender = {"X-Forwarded-For": f"203.0.114.{number}"}
    outcome = Outcome()
    items = ["&".join(f"{click:x}{item:x}=" for item in range(3400))[:16_000] for click in range(100)]
    pipeline(target.port, [
        request("GET", f"{target.visit}?{query}", headers=sender | {"User-Agent": IPHONE}) for query in items], outcome)
    install = {
        "branch_key": target.key, "os": "iOS", "os_version": "17.0", "brand": "Apple", "model": "iPhone14,2", "screen_width": 1170,
        "screen_height": 2532, "sdk": "ios3.0.0", "is_hardware_id_real": True}
    for _ in lasting(until):
        part = [request("POST", "/v1/install", install | {"hardware_id": f"{time.time()}-{index}"}, sender) for index in range(8)]
        pipeline(target.port, part, outcome)
    return outcome


@attack
def made_up_content(target, until, number):
    """events with a hundred made-up pieces of content each"""
    dice = random.Random(number)
    outcome = Outcome()
    for _ in lasting(until):
        part = []
        for address in from_addresses(number, 20):
            items = [{"$canonical_identifier": f"{dice.random()}"} for _ in range(100)]
            event = {"branch_key": target.key, "name": "VIEW_ITEMS", "content_items": items}
            part.append(request("POST", "/v2/event/standard", event, {"X-Forwarded-For": address}))
        pipeline(target.port, part, outcome)
    return outcome


@attack
def made_up_labels(target, until, number):
    """visits with made-up channels and user agents"""
    dice = random.Random(number)
    outcome = Outcome()
    for _ in lasting(until):
        part = [
            request("GET", f"{target.visit}?~channel={dice.random()}", headers={"User-Agent": f"Pear/{dice.random()}"})
            for _ in range(64)
        ]
        pipeline(target.port, part, outcome)
    return outcome


# MARK: Costly calls of one network


@attack
def bodies_of_tiny_chunks(target, until, number):
    """bodies of 100 KB in chunks of one byte, on twenty connections"""
    head = request("POST", "/v1/event", headers=of_network(number, 1)[0] | {"Transfer-Encoding": "chunked"})
    body = head.replace(b"Content-Length: 0\r\n", b"") + b"1\r\ng\r\n" * 100_000 + b"0\r\n\r\n"
    return waves(target, until, [body] * 20, pause=0)


def waves(target, until, requests, pause=1):
    """Sends each request on a connection of its own, all at once, again after the pause in seconds."""
    outcome = Outcome()
    with ThreadPool(len(requests)) as threads:
        for _ in lasting(until):
            began = time.time()
            parts = [Outcome() for _ in requests]
            threads.starmap(pipeline, [(target.port, [request], part) for request, part in zip(requests, parts)])
            for part in parts:
                outcome.add(part)
            time.sleep(max(0, pause - (time.time() - began)))
    return outcome


def of_network(number, count):
    """Senders with addresses of one /48."""
    return [{"X-Forwarded-For": f"2001:db8:{number}:{part:x}::7"} for part in range(count)]


@attack
def opens_beside_many_clicks(target, until, number):
    """200 opens at once from four addresses with 200 clicks each"""
    outcome = Outcome()
    senders = of_network(number, 4)
    for sender in senders:
        agents = [IPHONE.replace("17_0", version) for version in ("17_1_1", "17_1")]
        pipeline(target.port, [
            request("GET", f"{target.visit}?n={click}", headers=sender | {"User-Agent": agents[click % 2]}) for click in range(200)], outcome)
    start = {"branch_key": target.key, "os": "iOS", "os_version": "17.1.1", "sdk": "ios3.0.0"}
    outcome.add(waves(target, until, [
        request("POST", "/v1/open", start | {"hardware_id": f"{number}-{index}"}, sender)
        for sender in senders for index in range(target.at_once // 4)]))
    return outcome


@attack
def events_of_much_content(target, until, number):
    """200 events at once with a hundred pieces of content each, in 4 KB"""
    event = {"branch_key": target.key, "name": "VIEW_ITEMS", "content_items": [{"$canonical_identifier": f"{item}"} for item in range(100)]}
    return waves(target, until, [
        request("POST", "/v2/event/standard", event, sender) for sender in of_network(number, 4) for _ in range(target.at_once // 4)])


@attack
def new_content_of_many_networks(target, until, number):
    """events at once, of 500 networks, with a hundred new pieces of content each"""
    pieces = itertools.count()
    networks = [{"X-Forwarded-For": f"10.{number}.{network % 256}.7"} for network in range(min(256, 3 * target.at_once // 2))]

    def event(sender):
        items = [{"$canonical_identifier": f"{number} {next(pieces)}"} for _ in range(100)]
        body = {"branch_key": target.key, "name": "VIEW_ITEMS", "content_items": items}
        return [request("POST", "/v2/event/standard", body, sender)]

    # Without the pause they store as much as the budget of the key allows: gigabytes in an hour.
    return rounds(target, until, lambda: [event(sender) for sender in networks], pause=1)


def many_members(target, number):
    """The URL of a link with as many members as a link may have."""
    data = {f"member{index}": "g" for index in range(1000)}
    pipeline(target.port, [
        request("POST", "/v1/url", {"branch_key": target.key, "alias": f"members{number}", "data": data}, of_network(number, 1)[0])],
        Outcome())
    return target.names["URL"].rsplit("/", 1)[0] + f"/members{number}"


@attack
def opens_of_many_members(target, until, number):
    """200 opens at once by a link with a thousand members"""
    start = {"branch_key": target.key, "os": "iOS", "sdk": "ios3.0.0", "universal_link_url": many_members(target, number)}
    return waves(target, until, [
        request("POST", "/v1/open", start | {"hardware_id": f"{number}-{index}"}, sender)
        for sender in of_network(number, 4) for index in range(target.at_once // 4)])


@attack
def logins_of_many_members(target, until, number):
    """200 logins at once of a user whose session has a thousand members"""
    start = {
        "branch_key": target.key, "os": "iOS", "sdk": "ios3.0.0", "hardware_id": f"{number}", "is_hardware_id_real": True,
        "universal_link_url": many_members(target, number)}
    tokens = ask(target.port, "POST", "/v1/install", start)
    login = {"branch_key": target.key, "identity": f"ann{number}"} | {
        name: tokens[name] for name in ("randomized_device_token", "randomized_bundle_token", "session_id")}
    return waves(target, until, [
        request("POST", "/v1/profile", login, sender) for sender in of_network(number, 4) for _ in range(target.at_once // 4)])


@attack
def reads_without_a_key(target, until, number):
    """20,000 referrals of a user, balances and numbers of browsers, asked for at once on 380 connections of six networks, without a key"""
    senders = [{"X-Forwarded-For": f"198.18.{10 * number + network}.7"} for network in range(3)]
    paths = [f"/v1/referrals/{target.referrer}", f"/v1/credits/{target.referrer}", f"/_r?branch_key={target.key}"]
    requests = [[request("GET", path, headers=sender)] for sender in senders for path in paths]
    return rounds(target, until, requests * (target.at_once * 8 // 75))


@attack
def content_of_many_members(target, until, number):
    """events of 400 KB at once, of six networks, with a hundred pieces of content of 400 members each"""
    items = [{"$canonical_identifier": f"{item}"} | {f"m{member}": 1 for member in range(400)} for item in range(100)]
    event = {"branch_key": target.key, "name": "VIEW_ITEMS", "content_items": items}
    senders = [{"X-Forwarded-For": f"198.18.{10 * number + network}.7"} for network in range(3)]
    return waves(target, until, [
        request("POST", "/v2/event/standard", event, sender) for sender in senders for _ in range(target.at_once // 25)])


# MARK: Customers


@attack
def questions_by_long_lists(target, until, number):
    """analytics by three columns of a link whose data has three lists of 320 values"""
    lists = {name: [str(value) for value in range(320)] for name in ("~creative_name", "~creative_id", "~placement")}
    outcome = Outcome()
    pipeline(target.port, [
        request("POST", "/v1/url", {"branch_key": target.key, "alias": f"lists{number}", "data": lists}),
        request("GET", f"/lists{number}")], outcome)
    by = "".join(f"&by=last_attributed_touch_data_tilde_{name[1:]}" for name in lists)
    question = request(
        "GET", f"/api/v1/analytics/top?app={target.app_id}{by}", headers={"Authorization": f"Bearer {target.token}"})
    outcome.add(flood(target, until, [question] * 4))
    return outcome


@attack
def questions_about_many_queries(target, until, number):
    """analytics by the data of a link of 59 KB that was visited with a thousand queries"""
    data = {f"key{member}": "g" * 50 for member in range(900)}
    outcome = Outcome()
    pipeline(target.port, [
        request("POST", "/v1/url", {"branch_key": target.key, "alias": f"queries{number}", "data": data}),
        *[request("GET", f"/queries{number}?a={visit}") for visit in range(min(1000, 5 * target.at_once))]], outcome)
    question = request(
        "GET", f"/api/v1/analytics/counts?app={target.app_id}&by=stage", headers={"Authorization": f"Bearer {target.token}"})
    outcome.add(flood(target, until, [question] * 4))
    return outcome


@attack
def questions_about_many_links(target, until, number):
    """questions of six networks about the figures of each of 30,000 links, which have titles of 800 bytes"""
    questions = [
        request("GET", f"/api/v1/analytics/{question}app={target.app_id}&by=link", headers={
            "Authorization": f"Bearer {target.token}", "X-Forwarded-For": f"198.18.{10 * number + network}.9"})
        for question in ("top?limit=50000&", "funnel?", "ltv?") for network in range(3)]
    # As many as the limits admit.
    return rounds(target, until, [[question] for question in questions * max(1, target.at_once // 40)], pause=3)


@attack
def many_reward_rules(target, until, number):
    """events that 300 reward rules with filters of 60 KB are about"""
    rule = {
        "branch_key": target.key, "branch_secret": target.secret, "type": "credit", "event": "boom", "calculation_type": 0,
        "location": 0, "metadata": {"amount": 1}}
    filters = [{f"key{member}": "g" * 20 for member in range(members)} for members in (1800, 18)]
    outcome = Outcome()
    pipeline(target.port, [
        request("POST", "/v1/eventresponse", rule | {"filter": filters[index % 2] | {"index": f"{number}-{index}"}})
        for index in range(min(300, 3 * target.at_once // 2))], outcome)
    event = {"branch_key": target.key, "event": "boom", "developer_identity": "ann"}
    outcome.add(flood(target, until, [request("POST", "/v1/event", event)] * 8))
    return outcome


@attack
def histories_of_much_metadata(target, until, number):
    """histories of a hundred credits that have as many members of metadata as a server may give"""
    grant = {
        "branch_key": target.key, "branch_secret": target.secret, "identity": f"rich{number}", "amount": 1, "event": "gift",
        "metadata": {f"m{member}": 0 for member in range(180)}}
    outcome = Outcome()
    pipeline(target.port, [request("POST", "/v1/credits", grant) for _ in range(100)], outcome)
    history = {"branch_key": target.key, "identity": grant["identity"], "length": 100}
    sender = {"X-Forwarded-For": f"203.0.113.{number}"}
    outcome.add(flood(target, until, [request("POST", "/v1/credithistory", history, sender)] * 8))
    return outcome


@attack
def lists_of_large_orders(target, until, number):
    """lists of exports whose filters have a thousand texts"""
    order = {
        "report_type": "eo_click", "start_date": "yesterday", "end_date": "yesterday",
        "filter": ["in", "last_attributed_touch_data_tilde_campaign", ["g" * 50 for _ in range(999)]]}
    auth = {"Authorization": f"Bearer {target.token}"}
    path = f"/api/v1/exports?app={target.app_id}"
    outcome = Outcome()
    pipeline(target.port, [request("POST", path, order, auth) for _ in range(min(60, target.at_once))], outcome)
    outcome.add(flood(target, until, [request("GET", path + "&limit=200", headers=auth)] * 4))
    return outcome


@attack
def totals_beside_many_clicks(target, until, number):
    """totals of a piece of content, of six networks, beside visits that were not counted yet"""
    link = {"branch_key": target.key, "alias": f"pear{number}", "data": {"$canonical_identifier": f"pear/{number}"}}
    outcome = Outcome()
    pipeline(target.port, [request("POST", "/v1/url", link)], outcome)
    senders = [{"X-Forwarded-For": f"198.18.{10 * number + network}.7"} for network in range(3)]
    path = f"/api/v1/content/object?app={target.app_id}&identifier=pear/{number}"
    totals = [request("GET", path, headers=sender | {"Authorization": f"Bearer {target.token}"}) for sender in senders]
    visits = [request("GET", f"/pear{number}", headers=sender) for sender in senders]
    outcome.add(rounds(target, until, [totals, visits] * max(1, target.at_once // 12)))
    return outcome


@attack
def pages_of_other_origins(target, until, number):
    """JSONP on calls that are not the SDKs'"""
    auth = {"Authorization": f"Bearer {target.token}"}
    paths = [f"/api/v1/analytics/counts?app={target.app_id}&callback=f", f"/v1/credits?branch_key={target.key}&identity=ann&callback=f"]
    return flood(target, until, [request("GET", path, headers=auth) for path in paths] * 8)


# MARK: Invalid HTTP


@attack
def wrong_http(target, until, number):
    """requests that are not HTTP, or that two readers may read in two ways"""
    messages = [
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(500), b"GET / HTTP/9.9\r\n\r\n", b"GET /\r\n\r\n", b"\x00" * 1000,
        b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", b"GET / HTTP/1.1\r\n\r\n", b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /x HTTP/1.1\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\nX: " + b"g" * 100_000 + b"\r\n\r\n", b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\nHost: a\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\n" + b"X: g\r\n" * 20_000 + b"\r\n",
    ]
    outcome = Outcome()
    for _ in lasting(until):
        for message in messages:
            began = time.monotonic()
            with connect(target.port) as connection:
                try:
                    connection.sendall(message)
                    connection.shutdown(socket.SHUT_WR)
                except OSError:
                    pass
                read_answers(connection, 1, [message], outcome)
            outcome.slowest = max(outcome.slowest, time.monotonic() - began)
            outcome.requests += 1
    return outcome


@attack
def upgrade(target, until, number):
    """requests for other protocols, each followed by a request on the same connection"""
    upgrades = [{"Connection": "Upgrade", "Upgrade": name} for name in ("websocket", "h2c", "foo")]
    firsts = [request(method, path, headers=headers) for headers in upgrades
              for method, path in (("GET", target.visit), ("GET", "/x"), ("POST", "/v1/open"))]
    firsts.append(b"CONNECT localhost:443 HTTP/1.1\r\nHost: localhost\r\n\r\n")
    outcome = Outcome()
    for _ in lasting(until):
        for first in firsts:
            # A connection that neither answers the second request nor ends is a fault.
            both = [first, request("GET", "/healthz")]
            with connect(target.port) as connection:
                connection.sendall(first)
                seen = read_answers(connection, 1, both, outcome)
                try:
                    connection.sendall(both[1])
                except OSError:
                    pass
                read_answers(connection, 1, both[1:], outcome)
            outcome.requests += 2
            if not seen:
                outcome.fault(f"no answer to {first[:300]!r}")
    return outcome


@attack
def put_loop(target, until, number):
    """updates of one large link on many connections at once"""
    link = {"branch_key": target.key, "branch_secret": target.secret, "data": {f"key{index}": "g" * 50 for index in range(900)}}
    outcome = Outcome()
    url = ask(target.port, "POST", "/v1/url", link)["url"]
    change = {"branch_key": target.key, "branch_secret": target.secret, "data": {"n": "1"}}
    put = request("PUT", f"/v1/url?url={url}", change)

    def repeat(_):
        outcome = Outcome()
        for _ in lasting(until):
            pipeline(target.port, [put], outcome)
        return outcome

    with ThreadPool(64 // PROCESSES) as pool:
        for part in pool.imap_unordered(repeat, range(64 // PROCESSES)):
            outcome.add(part)
    return outcome
