"""Amounts of currencies such as rupiah and đồng, and sums beyond 64 bits: exact in all outputs."""

import json
import time

import pytest

from support.visitors import android
from support.waiting import eventually

LARGEST = 10**12
PURCHASES = 25


def day(offset):
    return time.strftime("%Y-%m-%d", time.gmtime(time.time() + 86400 * offset))


SPAN = ["--from", day(-1), "--to", day(1)]


class Houses:
    """An app in rupiah, and a device from a link with purchases of 10¹² each and one of a millionth."""

    def __init__(self, server):
        self.app, self.server = server.create_app("Houses", "--set", "currency=IDR"), server
        self.branch_key = self.app.branch_key
        url, buyer = self.app.create_link(channel="mail"), android()
        assert self.app.click(url, buyer).status == 200
        self.tokens = self.app.install(buyer).tokens
        for _ in range(PURCHASES):
            self.sell(LARGEST)
        self.sell("0.000001")

    def sell(self, amount):
        answer = self.server.post("/v2/event/standard", {
            "branch_key": self.branch_key, "name": "PURCHASE", "user_data": self.tokens,
            "event_data": {"revenue": amount, "currency": "IDR"},
            "content_items": [{"$canonical_identifier": "house", "$price": amount}]} | self.tokens)
        assert answer.status == 200, answer.text


@pytest.fixture
def houses(own_server):
    return Houses(own_server)


def test_sums_beyond_64_bits_are_exact_everywhere(houses):
    server = houses.server
    expected = f"{PURCHASES * LARGEST}.000001"

    def printed(*arguments):
        done = server.command(*arguments, "--app", houses.branch_key, "--format", "json")
        assert done.status == 0, done.complaint
        return done.out

    def figures():
        asked = ["--topic", "commerce_event", "--aggregation", "revenue", *SPAN]
        return [printed("query", "counts", *asked, "--granularity", "all", *by) for by in ([], ["--by", "channel"], ["--by", "name,channel"])] + [
            printed("query", "top", *asked, "--by", "link"), printed("query", "ltv", *SPAN), printed("objects", "top", "--by", "revenue"),
            printed("objects", "show", "house")]

    for text in figures():
        assert f'"revenue":{expected}' in text, text
    eventually(lambda: server.query("SELECT SUM(count) FROM rollups WHERE topic = 'commerce_event' AND dimension = '' AND hours = 1")
               == [(PURCHASES + 1,)])
    for text in figures():
        assert f'"revenue":{expected}' in text, text

    token = server.ask("tokens", "create", "report", "--role", "analyst", "--app", houses.branch_key)["token"]
    answer = server.get(f"/api/v1/analytics/counts?app={houses.branch_key}&from={day(-1)}&to={day(1)}&topic=commerce_event"
                        "&aggregation=revenue&granularity=all", {"Access-Token": token})
    assert f'"revenue":{expected}' in answer.text, answer.text
    query = {"start_date": day(-1), "end_date": day(2), "data_source": "eo_commerce_event", "aggregation": "revenue",
             "dimensions": ["name"]}
    eventually(lambda: f'"revenue":{expected}' in server.post("/v1/query/analytics", query | houses.app.secret).text)
    report = {"start_date": day(-1), "end_date": day(2), "data_source": "eo_commerce_event", "aggregation": "revenue",
              "dimensions": ["name"]}
    ordered = server.post(f"/v2/analytics?app_id={houses.app.app_id}&format=csv", report, {"Access-Token": token})
    state = server.get(ordered.json["status_url"].removeprefix(server.base_url), {"Access-Token": token})
    assert expected in server.get(state.json["response_url"].removeprefix(server.base_url)).text

    checks = server.command("verify", "--format", "json", "--day", day(0))
    assert checks.status == 0, checks.out
    assert [check for check in server.ask("doctor", "app", houses.branch_key)["checks"] if check["check"].startswith("events.")] == []


def test_each_row_of_an_export_has_its_amount(houses, tmp_path):
    path = tmp_path / "events.json"
    done = houses.server.command("export", "--topic", "eo_commerce_event", "--app", houses.branch_key, "--as", "ndjson",
                                 "--fields", "event_data_revenue_in_local_currency", "--output", str(path), *SPAN)
    assert done.status == 0, done.complaint
    amounts = [json.loads(line)["event_data_revenue_in_local_currency"] for line in path.read_text().splitlines()]
    assert amounts == [LARGEST] * PURCHASES + [0.000001]


def test_what_is_larger_is_reported_and_disturbs_nothing(houses):
    server = houses.server
    houses.sell(10 * LARGEST)
    houses.sell(7)
    (sums,) = server.ask("query", "top", "--app", houses.branch_key, *SPAN, "--topic", "commerce_event", "--by", "name",
                         "--aggregation", "revenue")
    assert round(sums["revenue"]) == PURCHASES * LARGEST + 7
    details = {check["check"]: check["detail"] for check in server.ask("doctor", "app", houses.branch_key)["checks"]}
    assert "at most 1000000000000" in details["events.revenue.too_large"] and "events.price.too_large" in details
