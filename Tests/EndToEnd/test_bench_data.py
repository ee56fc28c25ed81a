"""A month of generated traffic, whose totals are computed here independently from the rows and the bodies of events."""

import datetime
import json
import sqlite3
from collections import Counter, defaultdict
from contextlib import closing
from decimal import ROUND_HALF_UP, Decimal

import pytest

from support.command import linden
from support.server import Server, running

UNTIL = "2026-10-31"
AMOUNTS = {"links": 60, "clicks": 4000, "installs": 500, "opens": 900, "events": 6000}
FLAGS = ["--until", UNTIL, "--days", "31", "--apps", "2", *(word for name, count in AMOUNTS.items() for word in (f"--{name}", str(count)))]

EPOCH = 1_735_689_600_000
DAY = 86_400_000
FIRST_DAY = 20_727  # 2026-10-01
MEASURES = ("views", "shares", "clicks", "purchases", "revenue")
ACTIONS = {"VIEW_ITEM": "views", "VIEW_ITEMS": "views", "SHARE": "shares", "PURCHASE": "purchases"}


def time_of(row_id):
    return (row_id >> 22) + EPOCH


def day_of(row_id):
    return time_of(row_id) // DAY


def rows(path, sql):
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
        database.row_factory = sqlite3.Row
        return database.execute(sql).fetchall()


def fill(path, *flags):
    done = linden("bench-data", "--database", f"sqlite:{path}", *flags, "--format", "json")
    assert done.status == 0, done.err
    return done.json


class Month:
    """A server with a month of generated traffic."""

    def __init__(self, server):
        self.server = server
        self.made = fill(server.path, *FLAGS)
        self.apps = [app["branch_key"] for app in self.made["apps"]]
        self.app_ids = [int(app["app_id"]) for app in self.made["apps"]]

    def rows(self, sql):
        return rows(self.server.path, sql)


@pytest.fixture(scope="module")
def month(tmp_path_factory):
    server = Server(tmp_path_factory.mktemp("month"))
    made = Month(server)
    with running(server):
        yield made


def in_dollars(text, currency, day, rates):
    """Returns the amount in millionths of a dollar, computed with decimals; None without a rate."""
    amount = Decimal(text)
    if currency != "USD":
        if (currency, day) not in rates:
            return None
        amount /= rates[currency, day]
    return int((amount * 1_000_000).quantize(Decimal(1), ROUND_HALF_UP))


def rates_of(month):
    return {(row["currency"], row["day"]): Decimal(row["rate"]) for row in month.rows("SELECT * FROM rates")}


def test_there_is_as_much_as_was_asked_for(month):
    counts = {table: month.rows(f"SELECT COUNT(*) FROM {table}")[0][0] for table in (
        "apps", "links", "clicks", "devices", "identities", "sessions", "events", "universal_objects")}
    assert counts == {
        "apps": 2, "links": 60, "clicks": 4000, "devices": 500, "identities": 500, "sessions": 1400, "events": 6000,
        "universal_objects": 12}
    assert month.made["rows"] == sum(counts.values()) - 2
    assert Counter(row["kind"] for row in month.rows("SELECT kind FROM sessions")) == {0: 500, 1: 900}
    for table in ("clicks", "sessions", "events"):
        days = Counter(day_of(row["id"]) for row in month.rows(f"SELECT id FROM {table}"))
        assert set(days) == set(range(FIRST_DAY, FIRST_DAY + 31)), table
    assert (month.made["from"], month.made["to"]) == ("2026-10-01", UNTIL)


def test_traffic_has_robots_favourites_and_many_kinds_of_visitors(month):
    clicks = month.rows("SELECT clicks.*, links.channel FROM clicks JOIN links ON links.id = link_id")
    assert 120 < sum(click["robot"] is not None for click in clicks) < 400
    links = Counter(click["link_id"] for click in clicks).most_common()
    assert 600 < links[0][1] < 1200 and links[0][1] > 1.4 * links[1][1] and len(links) > 50
    for column, least in {"platform": 3, "country": 8, "channel": 6, "browser": 3}.items():
        assert len({click[column] for click in clicks if click["robot"] is None}) >= least, column
    assert len({event["name"] for event in month.rows("SELECT name FROM events")}) == 12


def test_an_event_is_credited_to_the_last_click_of_its_device_for_a_week(month):
    touches = defaultdict(list)
    for session in month.rows("SELECT * FROM sessions WHERE click_id IS NOT NULL ORDER BY id"):
        touches[session["device_id"]].append((session["id"], session["click_id"], session["link_id"]))
        assert time_of(session["click_id"]) < time_of(session["id"])
    late = 0
    for event in month.rows("SELECT * FROM events"):
        earlier = [touch for touch in touches[event["device_id"]] if time_of(touch[0]) < time_of(event["id"])]
        expected = (None, None)
        if earlier:
            _, click, link = earlier[-1]
            if time_of(event["id"]) < time_of(click) + 7 * DAY:
                expected = (click, link)
            else:
                late += 1
        assert (event["touch_click_id"], event["touch_link_id"]) == expected
    assert late > 100


def test_a_click_leads_to_one_session_at_most_and_to_one_of_its_own_app(month):
    attributed = month.rows("""
        SELECT sessions.click_id, sessions.app_id, clicks.app_id AS clicked, clicks.link_id = sessions.link_id AS same, robot, links.app_id AS owner
        FROM sessions JOIN clicks ON clicks.id = click_id JOIN links ON links.id = clicks.link_id""")
    assert len(attributed) > 400 and len({row["click_id"] for row in attributed}) == len(attributed)
    assert all(row["app_id"] == row["clicked"] == row["owner"] and row["same"] and row["robot"] is None for row in attributed)


def test_revenue_is_what_the_body_says_in_dollars_of_its_day(month):
    rates = rates_of(month)
    currencies = Counter()
    for event in month.rows("SELECT * FROM events"):
        body = json.loads(event["body"], parse_float=str, parse_int=str)
        data = body.get("event_data", {})
        assert body["name"] == event["name"]
        if event["name"] != "PURCHASE":
            assert (event["revenue"], event["revenue_text"], event["currency"], event["transaction_id"]) == (None,) * 4
            continue
        currencies[data["currency"]] += 1
        assert (event["revenue_text"], event["currency"], event["transaction_id"]) == (
            data["revenue"], data["currency"], data["transaction_id"])
        assert event["revenue"] == in_dollars(data["revenue"], data["currency"], day_of(event["id"]), rates)
    assert set(currencies) == {"USD", "EUR", "GBP", "CHF"}
    missing = month.rows("SELECT SUM(events) FROM event_problems WHERE problem = 'rate.missing'")[0][0]
    assert missing == currencies["CHF"] == sum(currencies.values()) - month.rows("SELECT COUNT(revenue) FROM events")[0][0]


def content_figures(month, app_id, days):
    """Totals by identifier, from the bodies of events and the log of clicks."""
    figures = defaultdict(Counter)
    rates = rates_of(month)
    for event in month.rows(f"SELECT * FROM events WHERE app_id = {app_id}"):
        day = day_of(event["id"])
        if event["name"] not in ACTIONS or day not in days:
            continue
        body = json.loads(event["body"], parse_float=str, parse_int=str)
        for item in {item["$canonical_identifier"]: item for item in body["content_items"]}.values():
            of_item = figures[item["$canonical_identifier"]]
            of_item[ACTIONS[event["name"]]] += 1
            if event["name"] == "PURCHASE":
                value = str(Decimal(item["$price"]) * int(item["$quantity"]))
                of_item["revenue"] += in_dollars(value, item["$currency"], day, rates) or 0
    for click in month.rows(f"""
            SELECT clicks.id, canonical_identifier FROM clicks JOIN links ON links.id = link_id
            JOIN universal_objects ON universal_objects.id = object_id WHERE robot IS NULL AND clicks.app_id = {app_id}"""):
        if day_of(click["id"]) in days:
            figures[click["canonical_identifier"]]["clicks"] += 1
    return figures


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize(("span", "days"), [
    ([], range(FIRST_DAY, FIRST_DAY + 31)),
    (["--from", "2026-10-08", "--to", "2026-10-14"], range(FIRST_DAY + 7, FIRST_DAY + 14)),
])
@pytest.mark.parametrize("measure", MEASURES)
def test_the_top_content_is_reported(month, side, span, days, measure):
    figures = content_figures(month, month.app_ids[side], days)
    top = month.server.ask("objects", "top", "--app", month.apps[side], "--by", measure, *span, "--limit", "100")
    reported = {row["canonical_identifier"]: {**row, "revenue": round(row["revenue"] * 1_000_000)} for row in top}
    assert {name: {m: row[m] for m in MEASURES} for name, row in reported.items()} == {
        name: {m: counts[m] for m in MEASURES} for name, counts in figures.items() if counts[measure] > 0}
    order = [reported[row["canonical_identifier"]][measure] for row in top]
    assert order == sorted(order, reverse=True)
    for row in top:
        expected = round(row["purchases"] / row["views"], 4) if row["views"] else None
        assert row["conversion"] == pytest.approx(expected, abs=1e-4)


def test_the_figures_of_links_are_those_of_the_log(month):
    clicks, sessions = month.rows("SELECT link_id, robot FROM clicks"), month.rows("SELECT link_id, kind FROM sessions")
    links = month.rows("SELECT id, path FROM links ORDER BY id")
    for link in [*links[:6], links[-1]]:
        reported = month.server.ask("links", "stats", f"{month.server.base_url}/{link['path']}")
        own = [click["robot"] is not None for click in clicks if click["link_id"] == link["id"]]
        kinds = [session["kind"] for session in sessions if session["link_id"] == link["id"]]
        assert (reported["clicks"], reported["robots"], reported["sessions"], reported["installs"]) == (
            own.count(False), own.count(True), len(kinds), kinds.count(0))


def test_every_day_and_channel_is_aggregated(month):
    expected = Counter()
    for click in month.rows("SELECT clicks.id, robot, channel FROM clicks JOIN links ON links.id = link_id"):
        expected[day_of(click["id"]), click["channel"], click["robot"] is None] += 1
    aggregated = Counter()
    for row in month.rows("""
            SELECT day, channel, SUM(clicks) AS people, SUM(robots) AS robots FROM link_days JOIN links ON links.id = link_id
            GROUP BY day, channel"""):
        aggregated[row["day"], row["channel"], True] += row["people"]
        aggregated[row["day"], row["channel"], False] += row["robots"]
    assert +aggregated == expected


def test_the_database_agrees_with_itself(month):
    done = month.server.command("verify", "--format", "json")
    assert done.status == 0, done.out


def test_the_server_reads_the_same_out_of_the_same_events(month):
    newest = month.rows("SELECT MAX(id) FROM events")[0][0]
    made = month.rows("SELECT * FROM events WHERE mode = 0 ORDER BY id DESC LIMIT 150")
    keys = dict(zip(month.app_ids, month.apps))
    for event in made:
        # Word for word: Python would write 192.00 as 192.0.
        body = '{"branch_key":"%s",' % keys[event["app_id"]] + event["body"].removeprefix("{")
        answer = month.server.post("/" + event["endpoint"], body.encode())
        assert answer.status == 200, answer.text
    sent = month.rows(f"SELECT * FROM events WHERE id > {newest} ORDER BY id")
    compared = ("app_id", "mode", "endpoint", "name", "kind", "device_id", "identity_id", "revenue_text", "currency", "transaction_id")
    assert [[event[column] for column in compared] for event in sent] == [[event[column] for column in compared] for event in made]
    assert [event["revenue"] is None for event in sent] == [event["revenue"] is None for event in made]
    with closing(sqlite3.connect(month.server.path)) as database, database:
        database.execute(f"DELETE FROM events WHERE id > {newest}")


def test_a_made_up_link_is_served(month):
    assert month.server.get("/" + month.rows("SELECT path FROM links LIMIT 1")[0]["path"]).status in (200, 302)


TABLES = ("links", "universal_objects", "identities", "devices", "clicks", "sessions", "events", "object_days", "link_days", "rates", "strings")


def contents(path, made):
    """The complete content of a database, with apps by position and strings by text."""
    apps = {int(app["app_id"]): place for place, app in enumerate(made["apps"])}
    strings = {row["id"]: row["value"] for row in rows(path, "SELECT id, value FROM strings")}

    def plain(row):
        reported = {}
        for column in row.keys():
            value = row[column]
            if column == "app_id":
                value = apps[value]
            if column in ("user_agent_id", "referrer_id", "referrer_host_id", "model_id"):
                value = strings.get(value)
            reported[column] = value
        return reported

    return {table: [plain(row) for row in rows(path, f"SELECT * FROM {table} ORDER BY 1, 2")] for table in TABLES if table != "strings"}


def test_a_seed_makes_the_same_traffic_again_and_another_seed_other_traffic(tmp_path):
    few = ["--until", UNTIL, "--days", "5", "--links", "20", "--clicks", "400", "--installs", "50", "--opens", "60", "--events", "300"]
    first, again, other = (tmp_path / name for name in ("first.db", "again.db", "other.db"))
    made = contents(first, fill(first, *few, "--seed", "7"))
    assert made == contents(again, fill(again, *few, "--seed", "7"))
    assert made["clicks"] != contents(other, fill(other, *few, "--seed", "8"))["clicks"]


def test_only_an_empty_database_is_filled_unless_one_says_so(tmp_path):
    path = tmp_path / "linden.db"
    few = ["--days", "3", "--links", "5", "--clicks", "20", "--installs", "2", "--opens", "2", "--events", "9"]

    def refused(*flags):
        done = linden("bench-data", "--database", f"sqlite:{path}", *few, *flags)
        assert done.status == 1
        return done.complaint

    fill(path, *few, "--until", "2026-10-10")
    assert "--append" in refused("--until", "2026-10-13")
    assert "until 2026-10-10" in refused("--append", "--until", "2026-10-12")
    fill(path, *few, "--until", "2026-10-13", "--append")
    assert rows(path, "SELECT COUNT(*) FROM clicks")[0][0] == 40
    assert rows(path, "SELECT COUNT(*) FROM apps")[0][0] == 4
    assert rows(path, "SELECT SUM(clicks + robots) FROM link_days")[0][0] == 40


def test_the_last_day_may_be_named(tmp_path):
    few = ["--days", "2", "--links", "5", "--clicks", "20", "--installs", "2", "--opens", "2", "--events", "9"]
    named, dated = tmp_path / "named.db", tmp_path / "dated.db"
    fill(named, *few, "--until", "yesterday")
    fill(dated, *few, "--until", str(datetime.datetime.now(datetime.timezone.utc).date() - datetime.timedelta(days=1)))
    days = "SELECT DISTINCT day FROM link_days ORDER BY day"
    assert len(rows(named, days)) == 2 and rows(named, days) == rows(dated, days)


@pytest.mark.parametrize(("flags", "status", "complaint"), [
    (["--until", "2099-01-01"], 1, "before today"), (["--until", "2025-01-05"], 1, "after 2025-01-01"),
    (["--until", "someday"], 64, "--until must be a day"), (["--until", "7d"], 64, "--until must be one day"),
    (["--until", "today"], 1, "before today"), (["--days", "0"], 64, "--days must be from 1 to 366"),
    (["--apps", "3", "--links", "2"], 64, "--links must be from 3"), (["--installs", "0"], 64, "--installs must be 1 or more"),
    (["--clicks", "-1"], 64, "clicks"), (["--seed", "x"], 64, "--seed"),
])
def test_what_cannot_be_made_is_refused_and_nothing_is_written(tmp_path, flags, status, complaint):
    path = tmp_path / "linden.db"
    done = linden("bench-data", "--database", f"sqlite:{path}", *flags)
    assert done.status == status and complaint in done.err
    assert not path.exists() or rows(path, "SELECT COUNT(*) FROM apps")[0][0] == rows(path, "SELECT COUNT(*) FROM links")[0][0] == 0


def test_nothing_but_links_can_be_made_too(tmp_path):
    path = tmp_path / "linden.db"
    made = fill(path, "--links", "3", "--clicks", "0", "--installs", "0", "--opens", "0", "--events", "0")
    assert made["rows"] == 3 + rows(path, "SELECT COUNT(*) FROM universal_objects")[0][0]
