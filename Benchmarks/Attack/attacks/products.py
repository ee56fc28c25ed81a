"""Calls of a customer whose cost would be the product of two sizes, each of which is bounded."""

import time

from attacks.registry import attack
from attacks.sending import lasting, of_network, rounds, waves
from traffic import Outcome, ask, pipeline, request


def administrator(target, number):
    """The headers of calls with a token that may change the app, not from loopback, which is exempt from limits."""
    return {"Authorization": f"Bearer {target.admin_tokens[number]}", "X-Forwarded-For": f"198.23.{number}.7"}


@attack
def links_compared_with_routes(target, until, number):
    """bulk calls of links with long paths, of an app with routes of 16 KB that fail at their first letter"""
    admin = {"Authorization": administrator(target, number)["Authorization"]}
    settings = {"ios_uri_scheme": "orchard", "android_uri_scheme": "orchard", "routes.validation": "reject"}
    routes = [
        {"syntax": "roots", "key": "al:web:url", "pattern": f"b{index:02}" + "a" * 509, "target": f"screen{index}"} for index in range(32)]
    outcome = Outcome()
    pipeline(target.port, [
        request("PATCH", f"/api/v1/apps/{target.key}", {"settings": settings}, admin),
        *[request("POST", f"/api/v1/routes?app={target.key}", route, admin) for route in routes]], outcome)
    path = "a" * 2000
    link = {"data": {"$deeplink_path": path, "$fallback_url": f"https://orchard.example.com/{path}"}}
    # At most as many as fit into the largest body.
    bulk = [link] * (target.at_once // 9)
    outcome.add(waves(target, until, [
        request("POST", f"/v1/url/bulk/{target.key}", bulk, sender) for sender in of_network(number, max(1, target.at_once // 50))]))
    return outcome


@attack
def shared_pages_by_the_hour(target, until, number):
    """a shared page, which needs no sign-in, with the clicks of 30,000 channels by the hour over 80 days"""
    first, last = (time.strftime("%Y-%m-%d", time.gmtime(time.time() - days * 86400)) for days in (80, 0))
    query = f"question=counts&topic=click&by=channel&granularity=hour&from={first}&to={last}&limit=30000"
    admin = administrator(target, number)
    order = {"title": f"By the hour {number}", "query": query, "days": 7}
    shared = ask(target.port, "POST", f"/api/v1/shares?app={target.key}", order, admin)
    page = "/" + shared["url"].split("/", 3)[3]
    return rounds(target, until, [[request("GET", page, headers=sender)] for sender in of_network(number, 4)], pause=1)


@attack
def redemptions_of_many_grants(target, until, number):
    """redemptions of all credits of a user that come from thousands of grants that expire, and of part of them, reversed again"""
    admin, user = administrator(target, number), f"saver{number}"
    rule = {"event": f"save{number}", "reward": "actor", "amount": 1, "days_valid": 365}
    event = {
        "branch_key": target.key, "branch_secret": target.secret, "name": rule["event"], "user_data": {"os": "iOS", "developer_identity": user}}
    query = f"?app={target.key}"
    outcome = Outcome()
    # From loopback, which is exempt.
    token = {"Authorization": admin["Authorization"]}
    pipeline(target.port, [
        *[request("POST", "/api/v1/rewards" + query, rule, token) for _ in range(20)],
        *[request("POST", "/v2/event/custom", event) for _ in range(5 * target.at_once // 2)]], outcome)
    balances = ask(target.port, "GET", f"/api/v1/credits{query}&identity={user}", b"", token)["balances"]
    for _ in lasting(until):
        for amount in (balances["default"], 500):
            redeemed = ask(
                target.port, "POST", "/api/v1/credits/redemptions" + query, {"identity": user, "amount": amount}, admin)
            outcome.requests += 1
            if "transaction" in redeemed:
                reversal = {"transaction": redeemed["transaction"]}
                pipeline(target.port, [request("POST", "/api/v1/credits/reversals" + query, reversal, admin)], outcome)
    # What strangers earn is counted, and this the app has given.
    for part in range(0, balances["default"], 500):
        ask(target.port, "POST", "/api/v1/credits/redemptions" + query, {
            "identity": user, "amount": min(500, balances["default"] - part)}, token)
    return outcome


@attack
def links_of_unknown_keys(target, until, number):
    """links of 800 keys that are misspelled, each of which might be meant for any known one"""
    data = {f"${key:03}" + "k" * 60: 1 for key in range(800)}
    call = request("POST", f"/api/v1/links?app={target.key}", {"data": data}, administrator(target, number))
    return rounds(target, until, [[call]] * 4)


@attack
def tags_that_are_removed_at_once(target, until, number):
    """changes of links that set 24,000 tags and remove the same"""
    admin = administrator(target, number)
    link = ask(target.port, "POST", f"/api/v1/links?app={target.key}", {}, admin)["id"]
    tags = [f"{tag}" for tag in range(24_000)]
    body = {"tags": tags, "remove_tags": tags[::-1]}
    bulk = request("PATCH", f"/api/v1/links?app={target.key}", {"links": [link], "change": body}, admin)
    return rounds(target, until, [[request("PATCH", f"/api/v1/links/{link}", body, admin)]] * 4 + [[bulk]])


@attack
def held_rewards_of_one_address(target, until, number):
    """decisions on the rewards of an address that has none, among 100,000 that are held, and lists of them"""
    admin, query = administrator(target, number), f"?app={target.key}"
    decision = {"decision": "refuse", "all": True, "address": "nowhere"}
    held = request("GET", f"/api/v1/rewards/held{query}&address=nowhere", headers=admin)
    return rounds(target, until, [
        [request("POST", "/api/v1/rewards/held/decisions" + query, decision, admin)], *[[held] for _ in range(3)]])


@attack
def searches_that_nearly_match(target, until, number):
    """searches for a text of 500 bytes that the data of 100 links has but for its last letter, at each position"""
    admin, query = administrator(target, number), f"?app={target.key}"
    links = [request("POST", "/api/v1/links" + query, {"data": {"pear": "a" * 60_000}}, admin) for _ in range(50)]
    outcome = Outcome()
    pipeline(target.port, links, outcome)
    search = request("GET", f"/api/v1/links{query}&search={'a' * 500}b", headers=admin)
    outcome.add(rounds(target, until, [[search]] * 2))
    return outcome
