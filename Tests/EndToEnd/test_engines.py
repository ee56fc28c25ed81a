"""A month of generated traffic has the same answers on SQLite, in its copy on PostgreSQL, and as PostgreSQL has aggregated it."""

import json

import pytest

from support.command import linden
from support.postgres import needs_postgres, new_database, url

pytestmark = needs_postgres

MONTH = ["--until", "2026-10-31", "--days", "31", "--apps", "2", "--links", "40", "--clicks", "900", "--installs", "200",
         "--opens", "250", "--events", "900", "--seed", "23"]


class Month:
    """The month of an app in a database."""

    def __init__(self, database, key):
        self.database, self.key = database, key

    def run(self, *arguments):
        done = linden(*arguments, "--app", self.key, "--database", self.database)
        assert done.status == 0, done.err
        return done

    def ask(self, *arguments):
        return json.loads(self.run(*arguments, "--format", "json").out, parse_float=str)


def generate(database):
    made = linden("bench-data", "--database", database, *MONTH, "--format", "json")
    assert made.status == 0, made.err
    return Month(database, made.json["apps"][0]["branch_key"])


@pytest.fixture(scope="module")
def month(tmp_path_factory):
    return generate(f"sqlite:{tmp_path_factory.mktemp('month')}/linden.db")


@pytest.fixture(scope="module")
def copied(month):
    with new_database() as name:
        done = linden("copy", "--from", month.database, "--to", url(name))
        assert done.status == 0, done.err
        yield Month(url(name), month.key)


@pytest.fixture(scope="module")
def generated():
    """The same month, which PostgreSQL has aggregated. The ids that others see of its rows are different."""
    with new_database() as name:
        yield generate(url(name))


# MARK: Questions

SPAN = ["--from", "2026-10-01", "--to", "2026-10-31"]
WEEK = ["--from", "2026-10-08", "--to", "2026-10-14"]
TOPICS = "click,install,open,commerce_event,content_event,user_lifecycle_event,custom_event"
DIMENSIONS = ["platform", "country", "channel", "campaign", "feature", "link", "name", "attributed", "os", "browser", "language",
              "referrer", "hour_of_day", "user_platform", "from_desktop", "stage", "tags"]
# Zones whose clocks change within the month: with whole hours, and with half ones.
BERLIN, ADELAIDE = ["--timezone", "Europe/Berlin"], ["--timezone", "Australia/Adelaide"]
COUNTS = [
    *(["--topic", TOPICS, "--by", dimension, "--limit", "1000"] for dimension in DIMENSIONS),
    *(["--topic", "install", "--by", dimension, "--aggregation", "unique_count", "--granularity", "week", *ADELAIDE]
      for dimension in DIMENSIONS[::3]),
    *(["--topic", "commerce_event", "--by", dimension, "--aggregation", "revenue", "--granularity", "all", *BERLIN]
      for dimension in DIMENSIONS[1::3]),
    ["--granularity", "hour", "--zero-fill"], ["--by", "channel,platform,country", "--granularity", "month"],
    ["--by", "channel", "--aggregation", "unique_count"],
    ["--by", "channel", "--filter", "platform=ios,android", "--filter", "!country=US", "--ordered-by", "channel"],
]
TOPS = [
    ["--by", "link", *SPAN], ["--by", "country,platform", "--after", "3", "--limit", "5", *WEEK],
    ["--topic", "content_event", "--by", "name", *SPAN],
    ["--topic", "open", "--by", "campaign", "--aggregation", "unique_count", *WEEK],
    ["--topic", "commerce_event", "--by", "link", "--aggregation", "revenue", *SPAN, *BERLIN],
]
AGGREGATED = [*(["counts", *flags, *SPAN] for flags in COUNTS), *(["top", *flags] for flags in TOPS)]
JOURNEYS = [
    ["funnel"], ["funnel", "--by", "link", *BERLIN], ["funnel", "--by", "channel", "--event", "VIEW_ITEM", "--days", "3"],
    ["cohort"], ["cohort", "--days", "14", *ADELAIDE],
    *(["ltv", "--by", dimension] for dimension in ("channel", "campaign", "feature", "link", "platform", "country")),
    ["ltv", "--days", "7", *BERLIN], ["attribution"],
]


@pytest.mark.parametrize("question", AGGREGATED, ids=" ".join)
def test_what_postgresql_has_aggregated_is_what_sqlite_has(month, generated, question):
    answer = month.ask("query", *question)
    assert answer
    assert generated.ask("query", *question) == answer


@pytest.mark.parametrize("question", JOURNEYS, ids=" ".join)
def test_a_question_that_is_answered_from_rows_has_the_same_answer(month, copied, question):
    answer = month.ask("query", *question, *SPAN)
    assert answer
    assert copied.ask("query", *question, *SPAN) == answer


@pytest.mark.parametrize("measure", ["views", "clicks", "revenue"])
def test_the_same_content_is_at_the_top(month, generated, measure):
    answer, same = (side.ask("objects", "top", "--by", measure) for side in (month, generated))
    assert answer
    assert [figures(row) for row in same] == [figures(row) for row in answer]


def figures(content):
    return {name: value for name, value in content.items() if name != "id"}


# MARK: Lists and files

LISTS = [["links", "list", "--channel", "email", "--sort", "oldest"],
         ["sessions", "list", "--outcome", "matched", "--platform", "ios"], ["objects", "list"]]


@pytest.mark.parametrize("question", LISTS, ids=" ".join)
def test_a_list_has_the_same_rows(month, copied, question):
    rows = month.ask(*question)
    assert rows
    assert copied.ask(*question) == rows


@pytest.mark.parametrize("topic", [
    "eo_click", "eo_install", "eo_open", "eo_commerce_event", "eo_content_event", "eo_user_lifecycle_event", "eo_custom_event",
    "links", "clicks", "events"])
def test_an_export_is_the_same_file(month, copied, topic):
    file = month.run("export", "--topic", topic).out
    assert file.count("\n") > 20
    assert copied.run("export", "--topic", topic).out == file
