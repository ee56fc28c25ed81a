"""Branch's cohort reports, requested and fetched like Branch's clients: its server for assistants, and Airbyte's source."""

import csv
import io
import json
import time
from urllib.parse import urlsplit

import pytest

from support.app import click_id
from support.clock import Clock
from support.server import Server, running
from support.visitors import android, desktop, iphone

DAY = 86400
CAMPAIGN = "install_activity_touch_data_tilde_campaign"


def day(offset=0):
    return time.strftime("%Y-%m-%d", time.gmtime(time.time() + DAY * offset))


class Orchard:
    """An app with three installs, two of them from a link, and their users' activity on the three days after."""

    def __init__(self, app, clock):
        self.app, self.server = app, app.server
        # Ahead of the real clock, and in the middle of a day, so that days do not end between two things.
        noon = DAY - int(time.time()) % DAY + DAY // 2
        self.first = time.strftime("%Y-%m-%d", time.gmtime(time.time() + noon))
        self.later = time.strftime("%Y-%m-%d", time.gmtime(time.time() + noon + DAY))
        clock.set(noon)
        spring = app.create_link(channel="mail", campaign="spring")
        ann, bob, cho = iphone(), android(), iphone()
        app.click(spring, ann)
        app.click(spring, bob)
        self.phones = {"ann": ann, "bob": bob, "cho": cho}
        self.sessions = {
            "ann": app.install(ann, country="DE"), "bob": app.install(bob, country="FR"), "cho": app.install(cho)}
        self.buy("ann", 5)
        # As apps of several versions write a standard name.
        for name in ["Login", "LOGIN", "login"]:
            self.report("ann", name)
        self.report("bob", "sang")
        clock.set(noon + DAY)
        self.report("ann", "LOGIN")
        self.report("cho", "login")
        self.open("ann")
        self.open("ann")
        self.open("cho")
        self.buy("bob", 7.5)
        # A browser that a link brought, and later the one that had installed.
        self.screen = desktop()
        clicked = click_id(app.click(app.create_link(campaign="autumn"), self.screen))
        web = {"branch_key": app.branch_key, "sdk": "web2.84.0", "options": "{}", "link_identifier": clicked}
        assert self.server.post("/v1/open", web, self.screen.headers).status == 200
        clock.set(noon + 2 * DAY)
        app.click(app.create_link(campaign="winter"), bob)
        self.open("bob", universal_link_url=app.create_link(campaign="winter"))
        self.buy("ann", 1)
        clock.set(noon + 2 * DAY + 60)
        self.token = {"Access-Token": self.server.ask("tokens", "create", "a", "--role", "analyst", "--app", app.branch_key)["token"]}

    def open(self, name, **fields):
        self.app.open(self.phones[name], **self.sessions[name].tokens, **fields)

    def buy(self, name, revenue):
        body = {"branch_key": self.app.branch_key, "name": "PURCHASE", "event_data": {"revenue": revenue}} | self.sessions[name].tokens
        assert self.server.post("/v2/event/standard", body).status == 200

    def report(self, who, event):
        body = {"branch_key": self.app.branch_key, "name": event} | self.sessions[who].tokens
        assert self.server.post("/v2/event/custom", body).status == 200

    def order(self, query="", **fields):
        body = {"start_date": self.first, "end_date": self.first, "data_source": "install_cohort", "granularity_band_count": 4} | fields
        return self.server.post(f"/v2/analytics?app_id={self.app.app_id}{query}", body, self.token)

    def fetch(self, ordered):
        assert ordered.status == 200 and ordered.json["code"] == 200, ordered.text
        state = self.server.get(urlsplit(ordered.json["status_url"]).path + f"?app_id={self.app.app_id}", self.token)
        assert state.json["status"] == "FINISHED", state.text
        address = urlsplit(state.json["response_url"])
        return self.server.get(address.path + "?" + address.query)

    def rows(self, **fields):
        return json.loads(self.fetch(self.order("&format=json", **fields)).text)

    def bands(self, *measures, **fields):
        """The bands of a report by measure."""
        return {row["measure"]: list(row["data"].values()) for row in self.rows(measures=list(measures), **fields)}


@pytest.fixture(scope="module")
def orchard(tmp_path_factory):
    folder = tmp_path_factory.mktemp("cohorts")
    clock = Clock(folder)
    with running(Server(folder, clock.environment)) as server:
        app = server.create_app(
            "Orchard", "--ios-uri-scheme", "orchard", "--android-uri-scheme", "orchard", "--default-url", "https://orchard.example.com/")
        yield Orchard(app, clock)


def test_a_row_has_branchs_members(orchard):
    assert orchard.rows(measures=["OPEN"]) == [{
        "users": 3, "cost": None, "metric": "total_count", "measure": "OPEN", "per_user": False, "cumulative": False,
        "data": {"day0": 0, "day1": 3, "day2": 1, "day3": None}}]


@pytest.mark.parametrize(("measure", "metric", "plain", "cumulative", "per_user"), [
    ("OPEN", "total_count", [0, 3, 1], [0, 3, 4], [0, 1, 0.333333]),
    ("users", "unique_count", [3, 2, 1], [3, 3, 3], [1, 0.666666, 0.333333]),
    ("Retention", "unique_count", [1, 0.666666, 0.333333], [1, 1, 1], [1, 0.666666, 0.333333]),
    ("revenue", "revenue", [5, 7.5, 1], [5, 12.5, 13.5], [1.666666, 2.5, 0.333333]),
    ("ARPU", "revenue", [1.666666, 2.5, 0.333333], [1.666666, 4.166666, 4.5], [1.666666, 2.5, 0.333333]),
    ("ARPPU", "revenue", [5, 7.5, 1], [5, 6.25, 6.75], [5, 7.5, 1]),
    ("LTV", "revenue", [1.666666, 4.166666, 4.5], [1.666666, 4.166666, 4.5], [1.666666, 4.166666, 4.5]),
    ("PURCHASE", "total_count", [1, 1, 1], [1, 2, 3], [0.333333, 0.333333, 0.333333]),
    ("cheered", "total_count", [0, 0, 0], [0, 0, 0], [0, 0, 0]),
])
def test_a_measure_has_a_value_for_each_day_that_has_begun(orchard, measure, metric, plain, cumulative, per_user):
    row = orchard.rows(measures=[measure])[0]
    assert row["metric"] == metric and list(row["data"].values()) == plain + [None]
    assert orchard.bands(measure, cumulative=True)[measure] == cumulative + [None]
    assert orchard.bands(measure, per_user=True)[measure] == per_user + [None]


@pytest.mark.parametrize("measure", ["LOGIN", "login", "Login"])
def test_a_standard_event_is_measured_in_any_case(orchard, measure):
    assert orchard.bands(measure) == {measure: [3, 2, 0, None]}
    assert orchard.bands(measure, unique=True) == {measure: [1, 2, 0, None]}
    assert orchard.bands(measure, unique=True, cumulative=True) == {measure: [1, 2, 2, None]}


def test_an_event_of_the_apps_own_is_measured_as_it_is_written(orchard):
    assert orchard.bands("sang", "SANG") == {"sang": [1, 0, 0, None], "SANG": [0, 0, 0, None]}


@pytest.mark.parametrize("measure", ["cost", "GROSS_PROFIT", "ROI", "ROAS", "eCPA"])
def test_what_needs_the_cost_of_ads_is_null_beside_what_does_not(orchard, measure):
    bands = orchard.bands(measure, "revenue")
    assert bands == {measure: [None] * 4, "revenue": [5, 7.5, 1, None]}


def test_devices_are_counted_once_where_they_are_to_be(orchard):
    assert orchard.bands("OPEN", "PURCHASE", unique=True) == {"OPEN": [0, 2, 1, None], "PURCHASE": [1, 1, 1, None]}
    assert orchard.bands("PURCHASE", unique=True, cumulative=True) == {"PURCHASE": [1, 2, 2, None]}
    assert orchard.rows(measures=["OPEN"], unique=True)[0]["metric"] == "unique_count"


@pytest.mark.parametrize(("granularity", "data"), [
    ("week", {"week0": 13.5, "week1": None}), ("month", {"month0": 13.5, "month1": None}), ("day", {"day0": 5, "day1": 7.5})])
def test_bands_are_days_weeks_or_months(orchard, granularity, data):
    rows = orchard.rows(measures=["revenue"], granularity=granularity, granularity_band_count=2)
    assert [row["data"] for row in rows] == [data]


def test_groups_are_of_the_install_and_its_device(orchard):
    names = [CAMPAIGN, "install_activity_data_os", "user_data_platform", "install_activity_timezone_adjusted_day"]
    rows = orchard.rows(measures=["users", "revenue"], dimensions=names)
    assert {(*(row[name] for name in names), row["users"], row["measure"]): list(row["data"].values())[:3] for row in rows} == {
        ("spring", "IOS", "IOS_APP", orchard.first, 1, "users"): [1, 1, 0],
        ("spring", "IOS", "IOS_APP", orchard.first, 1, "revenue"): [5, 0, 1],
        ("spring", "ANDROID", "ANDROID_APP", orchard.first, 1, "users"): [1, 0, 1],
        ("spring", "ANDROID", "ANDROID_APP", orchard.first, 1, "revenue"): [0, 7.5, 0],
        (None, "IOS", "IOS_APP", orchard.first, 1, "users"): [1, 1, 0],
        (None, "IOS", "IOS_APP", orchard.first, 1, "revenue"): [0, 0, 0]}


def test_groups_are_filtered_ordered_and_cut(orchard):
    def groups(**fields):
        return [(row[CAMPAIGN], row["users"]) for row in orchard.rows(measures=["OPEN"], dimensions=[CAMPAIGN], **fields)]

    assert groups() == [("spring", 2), (None, 1)]
    assert groups(ordered="ascending") == [(None, 1), ("spring", 2)]
    assert groups(ordered_by=CAMPAIGN, ordered="ascending") == [(None, 1), ("spring", 2)]
    assert groups(filters={CAMPAIGN: ["spring"], "user_data_geo_country_code": ["DE"]}) == [("spring", 1)]
    assert groups(filters={"!install_activity_attributed": ["true"]}) == [(None, 1)]
    assert groups(start_date=orchard.later, end_date=orchard.later) == []
    cut = orchard.order("&format=json&limit=1", measures=["OPEN"], dimensions=[CAMPAIGN])
    assert [row["users"] for row in json.loads(orchard.fetch(cut).text)] == [2]


def test_those_who_came_back_by_a_link_are_a_cohort_of_their_own(orchard):
    names = ["reengagement_activity_touch_data_tilde_campaign", "reengagement_activity_data_platform"]
    rows = orchard.rows(
        data_source="reengagement_cohort", measures=["users", "OPEN"], dimensions=names, start_date=orchard.first,
        end_date=time.strftime("%Y-%m-%d", time.gmtime(time.time() + 6 * DAY)), granularity_band_count=2)
    assert {(*(row[name] for name in names), row["users"], row["measure"]): list(row["data"].values()) for row in rows} == {
        ("autumn", "DESKTOP_WEB", 1, "users"): [1, 0], ("autumn", "DESKTOP_WEB", 1, "OPEN"): [0, 0],
        ("winter", "ANDROID_APP", 1, "users"): [1, None], ("winter", "ANDROID_APP", 1, "OPEN"): [1, None]}


def test_a_file_has_branchs_columns(orchard):
    file = orchard.fetch(orchard.order(measures=["OPEN", "cost"], dimensions=[CAMPAIGN]))
    assert file.headers["content-type"] == "text/csv; charset=utf-8"
    rows = list(csv.reader(io.StringIO(file.text)))
    assert rows == [
        ["measure", "metric", "per_user", "cumulative", "user", "cost", CAMPAIGN, "day0", "day1", "day2", "day3"],
        ["OPEN", "total_count", "false", "false", "2", "", "spring", "0", "2", "1", ""],
        ["cost", "cost", "false", "false", "2", "", "spring", "", "", "", ""],
        ["OPEN", "total_count", "false", "false", "1", "", "", "0", "1", "0", ""],
        ["cost", "cost", "false", "false", "1", "", "", "", "", "", ""]]
    empty = orchard.fetch(orchard.order(measures=["OPEN"], start_date=day(-9), end_date=day(-8)))
    assert empty.text.splitlines() == ["measure,metric,per_user,cumulative,user,cost,day0,day1,day2,day3"]


def test_airbytes_source_takes_the_answer_for_one_record(orchard):
    # Its paginator begins with an offset, and its form holds the number of bands as text.
    answer = orchard.order("&offset=0", measures=["OPEN", "LTV"], granularity_band_count="7", end_date=orchard.later)
    assert answer.status == 200 and set(answer.json) == {"code", "job_id", "status_url"}
    state = orchard.server.get(f"/v2/analytics/{answer.json['job_id']}?app_id={orchard.app.app_id}", orchard.token)
    assert set(state.json) == {"code", "status", "response_url"}


@pytest.mark.parametrize(("fields", "complaint"), [
    ({"measures": ["OPEN", "users", "LTV", "ARPU"]}, "1 to 3"), ({"measures": []}, "1 to 3"), ({}, "measures must be a list"),
    ({"measures": ["OPEN"], "granularity_band_count": 0}, "from 1 to 366"),
    ({"measures": ["OPEN"], "data_source": "eo_install"}, "install_cohort, reengagement_cohort"),
    ({"measures": ["OPEN"], "dimensions": ["install_activity_planet"]}, "is not a dimension"),
    ({"measures": ["OPEN"], "dimensions": [f"user_data_{name}" for name in "a b c d e f g h i j k l".split()]}, "is not a dimension"),
])
def test_a_wrong_order_is_refused_at_once(orchard, fields, complaint):
    answer = orchard.order(**fields)
    assert answer.status == 400 and complaint in answer.json["error"]["message"], answer.text


def test_an_aggregate_report_counts_everything_unless_it_says_otherwise(orchard):
    body = {"start_date": orchard.first, "end_date": orchard.first, "data_source": "eo_install",
            "dimensions": ["timestamp", "last_attributed_touch_data_tilde_campaign"]}
    ordered = orchard.server.post(f"/v2/analytics?app_id={orchard.app.app_id}", body, orchard.token)
    assert orchard.fetch(ordered).text.splitlines() == [
        "timestamp,last_attributed_touch_data_tilde_campaign,total_count",
        f"{orchard.first}T00:00:00.000+00:00,spring,2", f"{orchard.first}T00:00:00.000+00:00,,1"]
