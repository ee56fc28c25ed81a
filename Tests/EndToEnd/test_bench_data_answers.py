"""Queries and exports of a month of generated traffic, compared with results computed here from the rows."""

import csv
import io
import json
import re
import sqlite3
from collections import Counter, defaultdict
from contextlib import closing
from datetime import date, datetime, time, timedelta, timezone
from decimal import Decimal
from zoneinfo import ZoneInfo

import pytest

from support.command import linden

FIRST, LAST = date(2026, 10, 1), date(2026, 10, 31)
FLAGS = ["--until", str(LAST), "--days", "31", "--apps", "2", "--links", "60", "--clicks", "4000", "--installs", "500", "--opens", "900",
         "--events", "6000", "--seed", "35"]

EPOCH = 1_735_689_600_000
DAY = 86_400_000
KINDS = {0: "custom_event", 1: "commerce_event", 2: "content_event", 3: "user_lifecycle_event"}
OPENINGS = {0: "install", 1: "open"}
LABELS = ("channel", "campaign", "feature")
SPANS = [(FIRST, LAST), (date(2026, 10, 8), date(2026, 10, 14))]


def time_of(row_id):
    return (row_id >> 22) + EPOCH


class Month:
    """All rows of one of two apps."""

    def __init__(self, path, app):
        self.database, self.key, self.app_id = f"sqlite:{path}", app["branch_key"], int(app["app_id"])
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
            database.row_factory = sqlite3.Row
            self.tables = {table: {row["id"]: row for row in database.execute(f"SELECT * FROM {table}")} for table in (
                "links", "devices", "identities", "clicks", "sessions", "events", "strings")}

    def rows(self, table):
        """The rows of live mode in order of time; visits of robots are not clicks."""
        own = (row for row_id, row in sorted(self.tables[table].items()) if row["app_id"] == self.app_id and row["mode"] == 0)
        return [row for row in own if table != "clicks" or row["robot"] is None and row["is_uncounted"] is None]

    def labels(self, link):
        row = self.tables["links"].get(link)
        return {label: row and row[label] for label in LABELS}

    def facts(self, topic):
        """Yields the time, dimensions, device and revenue of each recorded row."""
        if topic == "click":
            for row in self.rows("clicks"):
                yield time_of(row["id"]), {"platform": row["platform"], "country": row["country"], "link": row["link_id"],
                                           **self.labels(row["link_id"])}, row["browser_id"], 0
            return
        for row in self.rows("sessions" if topic in OPENINGS.values() else "events"):
            is_event = "name" in row.keys()
            if (KINDS if is_event else OPENINGS).get(row["kind"]) != topic:
                continue
            device, link = self.tables["devices"][row["device_id"]], row["touch_link_id" if is_event else "link_id"]
            yield time_of(row["id"]), {
                "platform": {"iOS": "ios", "Android": "android"}.get(device["os"], "desktop"), "country": device["country"], "link": link,
                "name": row["name"] if is_event else None, **self.labels(link)}, row["device_id"], row["revenue"] or 0 if is_event else 0

    def query(self, *arguments):
        done = linden("query", *arguments, "--app", self.key, "--format", "json", "--database", self.database)
        assert done.status == 0, done.err
        return json.loads(done.out, parse_float=Decimal)

    def export(self, topic, *flags):
        done = linden("export", "--app", self.key, "--topic", topic, *flags, "--database", self.database)
        assert done.status == 0, done.err
        return done


@pytest.fixture(scope="module")
def month(tmp_path_factory):
    path = tmp_path_factory.mktemp("month") / "linden.db"
    made = linden("bench-data", "--database", f"sqlite:{path}", *FLAGS, "--format", "json")
    assert made.status == 0, made.err
    return Month(path, made.json["apps"][0])


def flags(span, zone="UTC"):
    return ["--from", str(span[0]), "--to", str(span[1]), "--timezone", zone]


def moment(day, zone):
    return int(datetime.combine(day, time(), ZoneInfo(zone)).timestamp() * 1000)


def bounds(span, zone="UTC"):
    return moment(span[0], zone), moment(span[1] + timedelta(1), zone)


def day_of(milliseconds, zone):
    return datetime.fromtimestamp(milliseconds // 1000, ZoneInfo(zone)).date()


def period_of(milliseconds, granularity, span, zone):
    """The start of the period in local time, but not before the span."""
    day = day_of(milliseconds, zone)
    if granularity == "hour":
        return milliseconds - milliseconds % 3_600_000
    begin = {"day": day, "week": day - timedelta(day.weekday()), "month": day.replace(day=1), "all": span[0]}[granularity]
    return moment(max(begin, span[0]), zone)


def plain(value):
    return None if value in (None, "") else str(value)


# MARK: Counts

# A zone of whole hours whose clocks change within the month, and one of half hours.
BERLIN, ADELAIDE = "Europe/Berlin", "Australia/Adelaide"
COUNTS = [
    ("click", "", "total_count", "day", "UTC"), ("click", "channel", "total_count", "day", "UTC"),
    ("click", "channel", "total_count", "day", BERLIN), ("click", "channel", "total_count", "day", ADELAIDE),
    ("click", "channel,platform", "total_count", "week", "UTC"), ("click", "country", "total_count", "month", BERLIN),
    ("click", "campaign", "total_count", "all", "UTC"), ("click", "feature", "total_count", "hour", "UTC"),
    ("click", "link", "total_count", "day", "UTC"), ("click", "link,country", "total_count", "all", ADELAIDE),
    ("click", "channel", "unique_count", "day", "UTC"), ("install", "channel", "total_count", "day", BERLIN),
    ("install", "platform", "unique_count", "week", "UTC"), ("open", "country", "total_count", "week", ADELAIDE),
    ("open", "channel", "unique_count", "day", BERLIN), ("content_event", "name", "total_count", "day", "UTC"),
    ("commerce_event", "name", "total_count", "day", BERLIN), ("commerce_event", "channel", "revenue", "day", "UTC"),
    ("commerce_event", "name,country", "revenue", "all", "UTC"), ("commerce_event", "link", "revenue", "week", BERLIN),
]


def counted(month, topic, by, aggregation, granularity, span, zone):
    counts, seen = Counter(), defaultdict(set)
    begin, end = bounds(span, zone)
    for when, values, actor, revenue in month.facts(topic):
        if begin <= when < end:
            key = (period_of(when, granularity, span, zone), *(plain(values[dimension]) for dimension in by))
            counts[key] += revenue if aggregation == "revenue" else 1
            seen[key].add(actor)
    if aggregation == "unique_count":
        return {key: len(actors) for key, actors in seen.items()}
    return {key: count for key, count in counts.items() if count}


@pytest.mark.parametrize("span", SPANS)
@pytest.mark.parametrize(("topic", "by", "aggregation", "granularity", "zone"), COUNTS)
def test_counts_are_those_of_the_rows(month, topic, by, aggregation, granularity, zone, span):
    by = by.split(",") if by else []
    expected = counted(month, topic, by, aggregation, granularity, span, zone)
    reported = month.query("counts", "--topic", topic, *(["--by", ",".join(by)] if by else []), "--aggregation", aggregation,
                       "--granularity", granularity, "--limit", "1000", *flags(span, zone))
    answered = {}
    for row in reported:
        begun = int(datetime.fromisoformat(row["timestamp"]).timestamp() * 1000)
        figure = row[aggregation] * 1_000_000 if aggregation == "revenue" else row[aggregation]
        if figure:
            answered[begun, *(row[dimension] for dimension in by)] = figure
    assert len(expected) > 1 or not by
    if aggregation == "unique_count" and granularity != "day":
        # Beyond a day devices are estimated.
        assert answered.keys() == expected.keys()
        assert all(abs(answered[key] - count) <= max(1, 0.1 * count) for key, count in expected.items())
    else:
        assert answered == expected
    figures = defaultdict(list)
    for row in reported:
        figures[row["timestamp"]].append(row[aggregation])
    assert all(period == sorted(period, reverse=True) for period in figures.values())


@pytest.mark.parametrize(("filters", "keep"), [
    (["channel=email,sms"], lambda values: values["channel"] in ("email", "sms")),
    (["!channel=email"], lambda values: values["channel"] != "email"),
    (["platform=ios", "!country=US"], lambda values: values["platform"] == "ios" and values["country"] != "US"),
])
def test_counts_of_a_part_are_those_of_its_rows(month, filters, keep):
    flagged = [word for text in filters for word in ("--filter", text)]
    reported = month.query("counts", *flags(SPANS[0]), "--granularity", "all", *flagged)
    assert [row["total_count"] for row in reported] == [sum(keep(values) for _, values, _, _ in month.facts("click"))]


@pytest.mark.parametrize("span", SPANS)
@pytest.mark.parametrize(("topic", "by", "aggregation"), [
    ("click", "channel", "total_count"), ("click", "link", "total_count"), ("click", "country,platform", "total_count"),
    ("content_event", "name", "total_count"), ("commerce_event", "channel", "revenue")])
def test_there_is_most_of_what_the_rows_have_most_of(month, topic, by, aggregation, span):
    by = by.split(",")
    expected = {key[1:]: count for key, count in counted(month, topic, by, aggregation, "all", span, "UTC").items()}
    reported = month.query("top", "--topic", topic, "--by", ",".join(by), "--aggregation", aggregation, "--limit", "5", *flags(span))
    scale = 1_000_000 if aggregation == "revenue" else 1
    answered = [(tuple(row[dimension] for dimension in by), row[aggregation] * scale) for row in reported]
    # Of equals any may come first.
    assert [count for _, count in answered] == sorted(expected.values(), reverse=True)[:5]
    assert all(expected[key] == count for key, count in answered) and len(dict(answered)) == len(answered)


# MARK: Journeys

@pytest.mark.parametrize("span", SPANS)
@pytest.mark.parametrize(("by", "event", "days", "zone"), [
    ("channel", "PURCHASE", 30, "UTC"), ("link", "PURCHASE", 2, "UTC"), ("campaign", "VIEW_ITEM", 7, BERLIN),
    ("", "PURCHASE", 30, ADELAIDE)])
def test_funnels_are_those_of_the_rows(month, by, event, days, zone, span):
    begin, end = bounds(span, zone)

    def value(link):
        return plain({"link": link, **month.labels(link)}[by]) if by else None

    clicks = Counter(value(row["link_id"]) for row in month.rows("clicks") if begin <= time_of(row["id"]) < end)
    events = defaultdict(list)
    for row in month.rows("events"):
        if row["name"] == event:
            events[row["device_id"]].append(time_of(row["id"]))
    waits, converted = defaultdict(list), Counter()
    for row in month.rows("sessions"):
        if row["kind"] != 0 or row["click_id"] is None:
            continue
        clicked, installed = time_of(row["click_id"]), time_of(row["id"])
        if not begin <= clicked < end or installed >= clicked + days * DAY:
            continue
        waits[value(row["link_id"])].append(installed - clicked)
        converted[value(row["link_id"])] += any(installed <= when < installed + days * DAY for when in events[row["device_id"]])
    expected = {name: (clicks[name], len(waits[name]), converted[name], sorted(waits[name])[(len(waits[name]) - 1) // 2] // 1000 if waits[name] else None)
                for name in {*clicks, *waits}}
    reported = month.query("funnel", *(["--by", by] if by else []), "--event", event, "--days", str(days), *flags(span, zone))
    assert {row[by] if by else None: (row["clicks"], row["installs"], row["converted"], row["median_seconds_to_install"]) for row in reported} == expected
    assert sum(converted.values()) > 2 and len(reported) == len(expected)


@pytest.mark.parametrize("span", SPANS)
@pytest.mark.parametrize(("days", "zone"), [(7, "UTC"), (14, BERLIN), (3, ADELAIDE)])
def test_cohorts_come_back_as_the_rows_say(month, days, zone, span):
    installed, seen = {}, defaultdict(set)
    for row in month.rows("sessions"):
        day = day_of(time_of(row["id"]), zone)
        if row["kind"] == 0:
            installed[row["device_id"]] = day
        seen[row["device_id"]].add(day)
    expected = []
    for number in range((span[1] - span[0]).days + 1):
        day = span[0] + timedelta(number)
        members = [device for device, when in installed.items() if when == day]
        retained = [sum(day + timedelta(later) in seen[device] for device in members) for later in range(days + 1)]
        rates = [rate(count, len(members)) for count in retained]
        expected.append({"day": str(day), "installs": len(members), "retained": retained, "retention_rates": rates})
    reported = month.query("cohort", "--days", str(days), *flags(span, zone))
    # Days in the future are left out of the reply; three weeks later the whole month is past.
    if datetime.now(timezone.utc).date() > LAST + timedelta(days + 1):
        assert reported == expected
    assert sum(sum(row["retained"][1:]) for row in reported) > 20


def rate(part, whole):
    """A ratio with four digits, rounded half up; None if the whole is zero."""
    return Decimal((part * 10_000 + whole // 2) // whole) / 10_000 if whole else None


@pytest.mark.parametrize("span", SPANS)
@pytest.mark.parametrize(("by", "days", "zone"), [
    ("channel", 365, "UTC"), ("campaign", 3, "UTC"), ("platform", 14, BERLIN), ("country", 7, "UTC"), ("link", 30, "UTC")])
def test_lifetime_values_are_those_of_the_rows(month, by, days, zone, span):
    begin, end = bounds(span, zone)
    earned = defaultdict(list)
    for row in month.rows("events"):
        if row["revenue"] is not None:
            earned[row["device_id"]].append((time_of(row["id"]), row["revenue"]))
    expected = defaultdict(lambda: [0, 0, 0])
    installs = {row["id"]: row for row in month.rows("sessions") if row["kind"] == 0}
    for (when, values, device, _), row_id in zip(month.facts("install"), installs):
        assert when == time_of(row_id)
        if begin <= when < end:
            revenue = [amount for paid, amount in earned[device] if when <= paid < when + days * DAY]
            of_value = expected[plain(values[by])]
            of_value[0] += 1
            of_value[1] += bool(revenue)
            of_value[2] += sum(revenue)
    reported = month.query("ltv", "--by", by, "--days", str(days), *flags(span, zone))
    assert {row[by]: [row["installs"], row["payers"], row["revenue"] * 1_000_000] for row in reported} == expected
    assert all(row["revenue_per_install"] * 1_000_000 == row["revenue"] * 1_000_000 // row["installs"] for row in reported)
    assert [row["revenue"] for row in reported] == sorted((row["revenue"] for row in reported), reverse=True)


# MARK: Exports

BROWSERS = {"chrome": "Chrome", "firefox": "Firefox", "safari": "Safari"}
SYSTEMS = {"iOS": "IOS", "Android": "ANDROID", "macOS": "MAC_OS"}
LATD = "last_attributed_touch_data_"
TOPICS = {"eo_click": "clicks", "eo_install": "sessions", "eo_open": "sessions", "eo_commerce_event": "events", "eo_content_event": "events",
          "eo_user_lifecycle_event": "events", "eo_custom_event": "events"}


def iso(milliseconds):
    return datetime.fromtimestamp(milliseconds // 1000, timezone.utc).strftime("%Y-%m-%d %H:%M:%S+0000")



def exported(month, topic):
    """The rows of a topic's file, with the expected values of some columns."""
    table = TOPICS[topic]
    kinds = {0: "eo_install", 1: "eo_open"} if table == "sessions" else {kind: "eo_" + name for kind, name in KINDS.items()}
    for row in month.rows(table):
        if table != "clicks" and kinds.get(row["kind"]) != topic:
            continue
        touch = row["id"] if table == "clicks" else row["click_id" if table == "sessions" else "touch_click_id"]
        link = row["touch_link_id" if table == "events" else "link_id"]
        reported = {
            "timestamp": time_of(row["id"]), "timestamp_iso": iso(time_of(row["id"])), "origin": "BRANCH",
            "last_attributed_touch_type": touch and "CLICK", "last_attributed_touch_timestamp": touch and time_of(touch),
            "last_attributed_touch_timestamp_iso": touch and iso(time_of(touch)), LATD + "tilde_id": plain(link),
            "days_from_last_attributed_touch_to_event": None if touch is None else (time_of(row["id"]) - time_of(touch)) // DAY,
            **{LATD + "tilde_" + label: value for label, value in month.labels(link).items()}}
        if table == "clicks":
            strings = month.tables["strings"]
            reported |= {"name": "CLICK", "user_data_os": row["os"] and SYSTEMS.get(row["os"], row["os"].upper()),
                     "user_data_os_version": row["os_version"], "user_data_browser": row["browser"] and BROWSERS[row["browser"]],
                     "user_data_geo_country_code": row["country"],
                     "user_data_model": row["model_id"] and strings[row["model_id"]]["value"],
                     "user_data_user_agent": row["user_agent_id"] and strings[row["user_agent_id"]]["value"],
                     "user_data_http_referrer": row["referrer_id"] and strings[row["referrer_id"]]["value"]}
        else:
            device, user = month.tables["devices"][row["device_id"]], month.tables["identities"].get(row["identity_id"])
            reported |= {"name": {"eo_install": "INSTALL", "eo_open": "OPEN"}.get(topic) or row["name"],
                     "user_data_os": SYSTEMS[device["os"]], "user_data_brand": device["brand"], "user_data_model": device["model"],
                     "user_data_geo_country_code": device["country"], "user_data_language": device["language"].upper(),
                     "user_data_sdk_version": re.sub(r"^\D+", "", device["sdk"]), "user_data_environment": device["environment"],
                     "user_data_platform": SYSTEMS[device["os"]] + "_APP",
                     "user_data_idfv": device["hardware_id"] if device["os"] == "iOS" else None,
                     "user_data_android_id": device["hardware_id"] if device["os"] == "Android" else None,
                     "user_data_developer_identity": user and user["developer_identity"]}
        if table == "sessions":
            data = json.loads(row["data"])
            reported |= {"deep_linked": data["+clicked_branch_link"], "first_event_for_user": data["+is_first_session"]}
        if table == "events":
            data = json.loads(row["body"], parse_float=Decimal).get("event_data", {})
            reported |= {"event_data_revenue": row["revenue_text"] and Decimal(row["revenue_text"]), "event_data_currency": row["currency"],
                     "event_data_revenue_in_usd": None if row["revenue"] is None else Decimal(row["revenue"]) / 1_000_000,
                     "event_data_transaction_id": row["transaction_id"], "event_data_search_query": data.get("search_query"),
                     "event_data_description": data.get("description")}
        yield touch, reported


def cell(value):
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    return str(value)


@pytest.mark.parametrize("topic", TOPICS)
def test_a_topic_is_exported_row_for_row(month, topic):
    expected = list(exported(month, topic))
    assert len(expected) > 50 and any(touch for touch, _ in expected)
    done = month.export(topic, "--as", "ndjson")
    lines = [json.loads(line, parse_float=Decimal) for line in done.out.splitlines()]
    assert len(lines) == len(expected) == json.loads(done.err.splitlines()[-1])["rows"]
    for line, (_, reported) in zip(lines, expected):
        assert {name: line[name] for name in reported} == reported
    assert len({line["id"] for line in lines}) == len(lines)

    table = list(csv.DictReader(io.StringIO(month.export(topic).out, newline="")))
    assert len(table) == len(expected)
    for row, line, (_, reported) in zip(table, lines, expected):
        assert row.keys() == line.keys() and row["id"] == line["id"]
        for name, value in reported.items():
            if isinstance(value, Decimal):
                assert Decimal(row[name]) == value
            else:
                assert row[name] == cell(value), name


@pytest.mark.parametrize("topic", [topic for topic, table in TOPICS.items() if table != "clicks"])
def test_the_click_that_a_row_is_credited_to_is_in_the_export_of_clicks(month, topic):
    clicks = month.export("eo_click", "--as", "ndjson", "--fields", "id").out.splitlines()
    public = {row["id"]: json.loads(line)["id"] for row, line in zip(month.rows("clicks"), clicks, strict=True)}
    name = LATD + "plus_touch_id"
    reported = [json.loads(line)[name] for line in month.export(topic, "--as", "ndjson", "--fields", f"id,{name}").out.splitlines()]
    assert reported == [public.get(touch) for touch, _ in exported(month, topic)]


@pytest.mark.parametrize("topic", ["eo_click", "eo_content_event"])
def test_days_that_are_exported_one_by_one_are_the_whole_month(month, topic):
    def lines(*span):
        return month.export(topic, "--as", "ndjson", "--fields", "native", *span).out.splitlines()

    days = [FIRST + timedelta(number) for number in range(31)]
    parts = [line for day in days for line in lines("--from", str(day), "--to", str(day))]
    assert parts == lines() and len(parts) == len(list(exported(month, topic)))
