"""Analytics on the command line, over HTTP with a token, and by Branch's query call."""

import csv
import io
import json
import sqlite3
import time
from urllib.parse import urlsplit

import pytest

from support.visitors import android, iphone
from support.waiting import eventually


def today(offset=0):
    return time.strftime("%Y-%m-%d", time.gmtime(time.time() + 86400 * offset))


CLICKS_COUNTED = "SELECT SUM(count) FROM rollups WHERE topic = 'click' AND dimension = '' AND hours = 24"
SPAN = ["--from", today(-1), "--to", today(1)]


class AggregateTotals:
    """An app with clicks from mail and text messages, and an install with a purchase."""

    def __init__(self, app):
        self.app, self.server = app, app.server
        self.mail = app.create_link(channel="mail", campaign="spring", feature="share")
        self.sms = app.create_link(channel="sms")
        self.buyer = android()
        for url, visitor in [(self.mail, android()), (self.mail, self.buyer), (self.sms, android())]:
            assert app.click(url, visitor).status == 200
        self.session = app.install(self.buyer)
        self.server.post("/v2/event/standard", {
            "branch_key": app.branch_key, "name": "PURCHASE", "user_data": self.session.tokens,
            "event_data": {"revenue": 1.5}} | self.session.tokens)
        self.token = self.server.ask("tokens", "create", "report", "--role", "analyst", "--app", app.branch_key)["token"]

    def ask(self, *arguments):
        return self.server.ask("query", *arguments, "--app", self.app.branch_key, *SPAN)

    def get(self, call, query=""):
        target = f"/api/v1/analytics/{call}?app={self.app.branch_key}&from={today(-1)}&to={today(1)}{query}"
        return self.server.get(target, {"Access-Token": self.token})

    def post(self, page="", **fields):
        body = {"start_date": today(-1), "end_date": today(2), "data_source": "eo_click", "aggregation": "total_count",
                "dimensions": ["last_attributed_touch_data_tilde_channel"]} | self.app.secret | fields
        return self.server.post("/v1/query/analytics" + page, body)


@pytest.fixture
def figures(app):
    return AggregateTotals(app)


def test_counts_are_grouped_filtered_and_filled(figures):
    def counts(*arguments):
        rows = figures.ask("counts", "--granularity", "all", *arguments)
        return [{key: value for key, value in row.items() if key != "timestamp"} for row in rows]

    assert counts("--by", "channel") == [{"channel": "mail", "total_count": 2}, {"channel": "sms", "total_count": 1}]
    assert counts("--by", "channel", "--filter", "!channel=mail") == [{"channel": "sms", "total_count": 1}]
    assert counts("--by", "channel,platform", "--filter", "campaign=spring") == [
        {"channel": "mail", "platform": "android", "total_count": 2}]
    assert counts("--topic", "install", "--by", "channel") == [{"channel": "mail", "total_count": 1}]
    assert counts("--topic", "commerce_event", "--by", "name") == [{"name": "PURCHASE", "total_count": 1}]
    assert figures.ask("top", "--by", "channel", "--limit", "1") == [{"channel": "mail", "total_count": 2}]
    days = figures.ask("counts", "--zero-fill")
    assert sum(day["total_count"] for day in days) == 3 and len(days) == 3


def test_clicks_are_counted_by_what_the_visitor_used(figures):
    def clicks(by):
        return [(row[by], row["total_count"]) for row in figures.ask("top", "--by", by)]

    visitor = iphone()
    headers = visitor.headers | {"Accept-Language": "de-AT,de;q=0.9", "Referer": "https://news.example/pears?id=1"}
    assert figures.server.get(urlsplit(figures.mail).path, headers).status == 200
    assert clicks("os") == [("ANDROID", 3), ("IOS", 1)]
    assert clicks("browser") == [("Chrome", 3), ("Safari", 1)]
    assert ("DE", 1) in clicks("language")
    assert ("news.example", 1) in clicks("referrer")
    assert sum(count for _, count in clicks("hour_of_day")) == 4
    assert figures.ask("top", "--by", "browser", "--filter", "referrer=news.example")[0]["browser"] == "Safari"


DIMENSIONS = ("channel", "country", "platform", "feature", "os", "browser", "language", "referrer", "hour_of_day")


def test_figures_stay_when_they_are_counted_and_verify_proves_them(own_server):
    figures = AggregateTotals(own_server.create_app())
    before = [figures.ask("counts", "--by", by) for by in DIMENSIONS]
    eventually(lambda: own_server.query(CLICKS_COUNTED) == [(3,)])
    assert [figures.ask("counts", "--by", by) for by in DIMENSIONS] == before
    done = own_server.command("verify", "--format", "json", "--day", today())
    assert done.status == 0, done.out
    assert {"rollups.rows", "rollups.dimensions", "rollups.days", "rollups.devices"} <= {check["check"] for check in done.json["checks"]}


def test_funnels_cohorts_and_values_follow_people(figures):
    mail, sms = figures.ask("funnel", "--by", "channel")
    assert (mail["channel"], mail["clicks"], mail["installs"], mail["converted"]) == ("mail", 2, 1, 1)
    assert mail["median_seconds_to_install"] is not None
    assert (sms["channel"], sms["clicks"], sms["installs"], sms["converted"]) == ("sms", 1, 0, 0)
    cohorts = {cohort["day"]: cohort for cohort in figures.ask("cohort")}
    assert cohorts[today()]["installs"] == 1 and cohorts[today()]["retained"] == [1]
    (value,) = figures.ask("ltv")
    assert (value["channel"], value["installs"], value["payers"], value["revenue"]) == ("mail", 1, 1, 1.5)


def test_a_token_of_the_app_reads_the_same(figures):
    counts = figures.get("counts", "&by=channel")
    assert counts.status == 200, counts.text
    assert [row["total_count"] for row in counts.json["results"]] == [2, 1]
    for call in ("top", "funnel", "cohort", "ltv"):
        answer = figures.get(call, "&by=channel" if call != "cohort" else "")
        assert answer.status == 200 and answer.json["results"], answer.text
    assert figures.server.get(f"/api/v1/analytics/counts?app={figures.app.branch_key}").status == 401


@pytest.mark.parametrize(("query", "complaint"), [
    ("&by=planet", "is not a dimension. The dimensions are platform"), ("&topic=sneeze", "is not a topic. The topics are eo_click"),
    ("&timezone=Mars", "tz database"), ("&filter=channel", "dimension=value"), ("&granularity=year", "is not a granularity"),
    ("&aggregation=sum", "is not an aggregation"), ("&colour=red", "is not a parameter"), ("&limit=0", "limit must be"),
    ("&after=9223372036854775807", "after must be from 0 to 1000000"), ("&zero_fill=yes", "zero_fill must be true or false"),
    ("&from=2027-01-01", "from may be given once"), ("&by=user_data_planet", "columns of exports, such as"),
])
def test_an_invalid_query_is_refused_with_the_allowed_values(figures, query, complaint):
    answer = figures.get("counts", query)
    assert answer.status == 400 and complaint in answer.json["error"]["message"], answer.text


@pytest.mark.parametrize(("first", "last", "complaint"), [
    ("2027-02-30", today(1), "must be a date"), (today(9), today(1), "must end after it begins"), ("2001-01-01", today(1), "at most 731 days"),
])
def test_a_span_that_makes_no_sense_is_refused(figures, first, last, complaint):
    target = f"/api/v1/analytics/counts?app={figures.app.branch_key}&from={first}&to={last}"
    answer = figures.server.get(target, {"Access-Token": figures.token})
    assert answer.status == 400 and complaint in answer.json["error"]["message"], answer.text


def test_branchs_query_call_gives_pages_of_one_answer(figures):
    name = "last_attributed_touch_data_tilde_channel"
    assert [row["result"] for row in figures.post().json["results"]] == []  # not settled yet
    eventually(lambda: figures.post().json["paging"]["total_count"] == 2, within=8)
    first = figures.post("?limit=1").json
    assert first["results"][0]["result"] == {name: "mail", "total_count": 2}
    figures.app.click(figures.sms, android())
    page = urlsplit(first["paging"]["next_url"])
    second = figures.post("?" + page.query).json
    assert [row["result"] for row in second["results"]] == [{name: "sms", "total_count": 1}]
    assert "next_url" not in second["paging"] and "previous_url" in second["paging"]
    turned = figures.post(filters={"!" + name: ["mail"]}).json
    assert [row["result"][name] for row in turned["results"]] == ["sms"]


@pytest.mark.parametrize(("fields", "complaint"), [
    ({"dimensions": ["planet"]}, "is not a dimension"), ({"data_source": "eo_sneeze"}, "is not a topic"),
    ({"end_date": today(-3)}, "after start_date"), ({"start_date": today(-30)}, "at most 7 days"),
    ({"filters": ["x"]}, "filters must be"), ({"filters": {"channel": 5}}, "list of strings"),
    ({"aggregation": "sum"}, "total_count"), ({"zero_fill": "yes"}, "true or false"), ({"filters": {"user_data_planet": ["IOS"]}}, "is not a dimension"),
    ({"colour": "red"}, "not allowed here"), ({"branch_secret": "x"}, "secret"),
])
def test_a_wrong_query_is_refused(figures, fields, complaint):
    answer = figures.post(**fields)
    assert answer.status == 400 and complaint in answer.text, answer.text


def test_a_page_far_beyond_the_last_is_refused(figures):
    answer = figures.post("?after=9223372036854775807")
    assert answer.status == 400 and "after must be from 0 to 1000000" in answer.text, answer.text
    assert figures.server.command("query", "counts", "--app", figures.app.branch_key, *SPAN, "--after", "9223372036854775807").status == 1
    assert figures.post("?after=1000000").json["results"] == []


def test_a_query_without_dimensions_has_one_total(figures):
    eventually(lambda: figures.post(dimensions=[]).json["results"][:1] and figures.post(dimensions=[]).json["results"][0]["result"] == {"total_count": 3}, within=8)
    assert figures.post(dimensions=[]).json["paging"]["total_count"] == 1


@pytest.mark.parametrize("fields", [
    {"aggregation": "cost"}, {"aggregation": "cost_in_local_currency"}, {"data_source": "cost"}, {"data_source": "eo_impression"},
    {"data_source": "eo_web_to_app_auto_redirect"},
])
def test_what_nothing_reports_is_answered_with_nothing(figures, fields):
    eventually(lambda: figures.post().json["paging"]["total_count"] == 2, within=8)
    assert figures.post(**fields).json == {"results": [], "paging": {"total_count": 0}}


def test_data_is_ready_when_its_hour_is_over(figures):
    def ready(date, topic="eo_click"):
        body = {"app_id": figures.app.app_id, "date": date, "warehouse_meta_type": "EVENT", "topic": topic}
        answer = figures.server.post("/v2/data/ready", body, {"Access-Token": figures.token})
        assert answer.status == 200, answer.text
        return answer.json

    assert ready("2025-01-05 01:00:00") == {"data_ready": True, "date": "2025-01-05 01:00:00"}
    assert ready(today(1) + " 00:00:00")["data_ready"] is False
    for topic in ("webhook2", "eo_click_blocked", "eo_san_touch", "eo_sms_sent"):
        assert ready("2025-01-05 01:00:00", topic)["data_ready"] is True


class Reports:
    """Requests, polls and fetches a report like a client of Branch's report calls."""

    def __init__(self, figures):
        self.server, self.query = figures.server, f"?app_id={figures.app.app_id}"
        self.token = {"Access-Token": figures.token}

    def order(self, path, body, query=""):
        return self.server.post(path + self.query + query, body, self.token)

    def fetch(self, ordered):
        assert ordered.status == 200 and ordered.json["code"] == 200, ordered.text
        status = urlsplit(ordered.json["status_url"])
        state = self.server.get(status.path + "?" + status.query, self.token)
        assert state.json["status"] == "FINISHED", state.text
        return urlsplit(state.json["response_url"])

    def read(self, address):
        return self.server.get(address.path + "?" + address.query)


@pytest.fixture
def reports(figures):
    eventually(lambda: figures.post(data_source="eo_commerce_event").json["paging"]["total_count"] == 1, within=8)
    return Reports(figures)


AGGREGATE = {"start_date": today(-1), "end_date": today(2), "data_source": "eo_click", "aggregation": "total_count",
             "dimensions": ["last_attributed_touch_data_tilde_channel"]}


def test_an_aggregate_report_is_ordered_and_fetched(reports):
    address = reports.fetch(reports.order("/v2/analytics", AGGREGATE))
    rows = list(csv.DictReader(io.StringIO(reports.read(address).text)))
    name = AGGREGATE["dimensions"][0]
    assert [(row[name], row["total_count"]) for row in rows] == [("mail", "2"), ("sms", "1")]
    assert all(row["timestamp"].startswith(today(-1)) for row in rows)
    address = reports.fetch(reports.order("/v2/analytics", AGGREGATE, "&format=json&limit=1"))
    assert [row["total_count"] for row in json.loads(reports.read(address).text)] == [2]


def test_a_report_across_events_has_a_column_for_each(reports):
    body = {"start_date": today(-1), "end_date": today(2), "dimensions": ["last_attributed_touch_data_tilde_channel"],
            "aggregations": [
                {"field_name": "total_count", "display_name": "clicks", "data_source": "eo_click"},
                {"field_name": "sketch_unique_count", "display_name": "installed", "data_source": "eo_install"},
                {"field_name": "total_count", "display_name": "bought", "data_source": "eo_commerce_event",
                 "filter": {"type": "selector", "dimension": "name", "value": "PURCHASE"}}],
            "filter": {"type": "not", "field": {"type": "in", "dimension": "platform", "values": ["ios"]}},
            "limit_sort_spec": {"sort_columns": [{"column_to_sort": "clicks", "ascending_order": True}]}}
    address = reports.fetch(reports.order("/v1/branch_aggregate/async/analytics", body))
    rows = [json.loads(line) for line in reports.read(address).text.splitlines()]
    name = AGGREGATE["dimensions"][0]
    assert rows == [{name: "sms", "clicks": 1, "installed": 0, "bought": 0},
                    {name: "mail", "clicks": 2, "installed": 1, "bought": 1}]


def test_a_report_needs_its_signed_address(reports, own_server):
    address = reports.fetch(reports.order("/v2/analytics", AGGREGATE))
    forged = address._replace(query=address.query[:-1] + ("0" if address.query[-1] != "0" else "1"))
    late = address._replace(query=address.query.replace("expires=", "expires=9"))
    for wrong in (forged, late, address._replace(query="")):
        assert reports.read(wrong).status == 403
    assert reports.server.get("/v2/analytics/nothing" + reports.query, reports.token).status == 404
    assert reports.server.get("/v2/analytics/nothing" + reports.query).status == 401
    assert reports.order("/v2/analytics", AGGREGATE, "0").status == 403  # another app's id


@pytest.mark.parametrize(("path", "fields", "complaint"), [
    ("/v2/analytics", {"dimensions": []}, "1 to 11"), ("/v2/analytics", {"data_source": "install_cohort"}, "aggregation is not allowed here"),
    ("/v2/analytics", {"granularity": "hour"}, "one of day, week, month, all"), ("/v2/analytics", {"start_date": today(-200)}, "at most 90 days"),
    ("/v1/branch_aggregate/async/analytics", {"aggregations": []}, "1 to 20"),
    ("/v1/branch_aggregate/async/analytics",
     {"aggregations": [{"field_name": "total_count", "display_name": "g" * 256, "data_source": "eo_click"}]}, "at most 255 bytes"),
    ("/v1/branch_aggregate/async/analytics", {"filter": {"type": "regex"}}, "selector, in, and or not"),
    ("/v1/branch_aggregate/async/analytics", {"limit_sort_spec": {"sort_columns": [{"column_to_sort": "x"}]}}, "is not a column"),
    ("/v1/branch_aggregate/async/analytics", {"limit_sort_spec": {"sort_columns": [{"column_to_sort": "x"}] * 2}}, "each column once"),
])
def test_a_wrong_report_is_refused_when_it_is_ordered(figures, path, fields, complaint):
    body = dict(AGGREGATE) if path == "/v2/analytics" else {
        "start_date": today(-1), "end_date": today(2), "aggregations": [{"field_name": "total_count", "data_source": "eo_click"}]}
    answer = Reports(figures).order(path, body | fields)
    assert answer.status == 400 and complaint in answer.text, answer.text


def test_figures_of_days_and_proof_stay_when_old_rows_are_gone(own_server):
    figures = AggregateTotals(own_server.create_app())
    eventually(lambda: own_server.query("SELECT SUM(count) FROM rollups WHERE dimension = '' AND hours = 24") == [(5,)])
    before = [figures.ask("counts", "--topic", topic, "--by", by) for topic in ("click", "install") for by in ("channel", "link")]
    own_server.stop()
    with sqlite3.connect(own_server.path) as database:
        # As pruning leaves them.
        for log in ("clicks", "sessions"):
            database.execute(f"INSERT INTO aggregation_cursors SELECT 'pruned.{log}', MAX(id) FROM {log}")
            database.execute(f"DELETE FROM {log}")
    assert [figures.ask("counts", "--topic", topic, "--by", by) for topic in ("click", "install") for by in ("channel", "link")] == before
    assert own_server.command("verify", "--format", "json").status == 0
    answer = own_server.command("query", "counts", "--app", figures.app.branch_key, *SPAN, "--by", "channel,platform")
    assert "are kept since" in answer.err, answer.err


def test_an_erasure_is_no_history_lost(figures):
    """The erased device's install and purchase are the first of the app, and of the database."""
    figures.server.post("/v1/profile", {"branch_key": figures.app.branch_key, "identity": "ann"} | figures.session.tokens)
    figures.app.install(android())  # by no link

    def counts():
        questions = [["--by", "channel"], ["--by", "campaign,attributed"], ["--by", "attributed", "--filter", "channel=mail"],
                     ["--by", "name", "--filter", "attributed=true", "--filter", "feature=share"], ["--by", "channel", "--filter", "attributed=false"]]
        return [figures.ask("counts", "--topic", "install,commerce_event", "--granularity", "all", *question) for question in questions]

    before = counts()
    assert [[row["total_count"] for row in rows] for rows in before] == [[2, 1], [2, 1], [2], [1, 1], [1]]
    figures.server.ask("identities", "erase", "ann", "--app", figures.app.branch_key, "--yes")
    assert counts() == before
    for call, erased in [("funnel", 2), ("cohort", 1), ("ltv", 2)]:
        answer = figures.get(call)
        assert answer.json.get("rows_kept_since") is None and answer.json["rows_erased"] == erased, answer.text
        notices = figures.server.command("query", call, "--app", figures.app.branch_key, *SPAN).err
        rows = "1 row" if erased == 1 else f"{erased} rows"
        assert notices.splitlines()[-1] == f"Counted without {rows} of this time that privacy requests erased."
    assert "rows_erased" not in figures.get("counts", "&topic=install&by=channel").json
    assert "rows_erased" not in figures.get("counts", "&topic=install&by=channel,attributed").json
    assert figures.get("counts", "&topic=install&by=channel,platform").json["rows_erased"] == 1
    installs = {"data_source": "eo_install", "granularity": "all"}
    assert "rows_erased" not in figures.post(**installs).json
    assert figures.post(**installs, dimensions=["user_data_platform"]).json["rows_erased"] == 1


def test_funnels_and_cohorts_give_rates_beside_counts(figures):
    mail, sms = figures.ask("funnel", "--by", "channel")
    assert (mail["install_rate"], mail["conversion_rate"]) == (0.5, 1)
    assert (sms["install_rate"], sms["conversion_rate"]) == (0, None)
    (cohort,) = figures.get("cohort", "&days=1").json["results"][1:2]
    assert (cohort["retained"], cohort["retention_rates"]) == ([1], [1])
    (value,) = figures.ask("ltv")
    assert value["payer_rate"] == 1


def test_rows_of_links_have_their_url_and_title(figures):
    titled = figures.app.create_link(channel="mail", data={"$og_title": "Pears", "$marketing_title": "Autumn"})
    for _ in range(3):
        assert figures.app.click(titled, android()).status == 200
    expected = [(titled, "Autumn", 3), (figures.mail, None, 2), (figures.sms, None, 1)]
    for rows in (figures.ask("top", "--by", "link"), figures.get("top", "&by=link").json["results"]):
        assert [(row["url"], row["title"], row["total_count"]) for row in rows] == expected
    assert [row["url"] for row in figures.ask("funnel", "--by", "link")] == [url for url, _, _ in expected]
    assert [row["url"] for row in figures.ask("ltv", "--by", "link")] == [figures.mail]
    assert "Autumn" in figures.server.command("query", "top", "--app", figures.app.branch_key, "--by", "link").out


def test_a_standard_event_is_found_in_any_case_and_an_unknown_one_is_warned_of(figures):
    app = figures.app.branch_key
    assert [row["converted"] for row in figures.ask("funnel", "--event", "purchase")] == [1]
    assert figures.ask("top", "--topic", "commerce_event", "--by", "name", "--filter", "name=Purchase") == [{"name": "PURCHASE", "total_count": 1}]
    done = figures.server.command("query", "funnel", "--app", app, "--event", "purchased", "--format", "json")
    assert done.status == 0 and done.json[0]["converted"] == 0
    assert done.err.strip() == 'No event named "purchased" was ever recorded for the app.'
    assert figures.get("funnel", "&event=purchased").json["warnings"] == [done.err.strip()]
    assert figures.get("counts", "&topic=commerce_event&filter=name%3Dpurchased").json["warnings"] == [done.err.strip()]
    assert "warnings" not in figures.get("funnel", "&event=purchase").json


def test_a_rule_for_a_standard_event_rewards_it_in_any_case_and_for_an_unknown_one_warns(figures):
    def add(event):
        return figures.server.command("rewards", "add", "--app", figures.app.branch_key, "--event", event, "--reward", "actor",
                                      "--amount", "5", "--format", "json")

    figures.server.post("/v1/profile", {"branch_key": figures.app.branch_key, "identity": "ann"} | figures.session.tokens)
    known = add("purchase")
    assert known.json["event"] == "PURCHASE" and known.err == ""
    unknown = add("Plant a Tree")
    assert unknown.status == 0 and "Plant a Tree" in unknown.err and "ever recorded" in unknown.err
    assert add("install").err == ""
    figures.server.post("/v2/event/standard", {"branch_key": figures.app.branch_key, "name": "PURCHASE", "user_data": figures.session.tokens,
                                               "event_data": {"revenue": 1}} | figures.session.tokens)
    assert figures.server.ask("credits", "balance", "ann", "--app", figures.app.branch_key) != []
    over_http = figures.server.post("/v1/eventresponse", figures.app.secret | {
        "calculation_type": 0, "location": 0, "type": "credit", "event": "Plant a bush", "metadata": {"amount": 1}})
    assert over_http.status == 200 and "Plant a bush" in over_http.json["warnings"][0]
