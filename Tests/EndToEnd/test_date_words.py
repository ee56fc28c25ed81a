"""Named days and periods (`yesterday`, `2d`, `last-year`) in all commands and calls that accept a date."""

import csv
import io
import time
from urllib.parse import urlsplit

import pytest

from support.clock import Clock
from support.server import Server, running
from support.visitors import iphone
from support.waiting import eventually

DAY = 86400


class Orchard:
    """An app with two clicks, one install and three views of yesterday, and one of each of today."""

    def __init__(self, server, clock):
        self.server = server
        clock.set(-DAY)
        server.start()
        self.app = server.create_app("Orchard", "--default-url", "https://orchard.example.com/")
        self.link = self.app.create_link()
        self.visit(clicks=2, views=3)
        eventually(lambda: server.aggregated_days() > 0)
        clock.set(0)
        self.visit(clicks=1, views=1)
        self.secret = {"branch_key": self.app.branch_key, "branch_secret": self.app.branch_secret}
        self.token = {"Access-Token": server.ask("tokens", "create", "a", "--role", "admin", "--app", self.app.branch_key)["token"]}

    def visit(self, clicks, views):
        for _ in range(clicks):
            self.app.click(self.link, iphone())
        session = self.app.install(iphone())
        for _ in range(views):
            body = {"branch_key": self.app.branch_key, "name": "VIEW_ITEM", "content_items": [{"$canonical_identifier": "apple"}]}
            assert self.server.post("/v2/event/standard", body | session.tokens).status == 200


@pytest.fixture(scope="module")
def orchard(tmp_path_factory):
    folder = tmp_path_factory.mktemp("dates")
    clock = Clock(folder)
    server = Server(folder, clock.environment)
    try:
        orchard = Orchard(server, clock)
        yield orchard
        server.stop()
    finally:
        if server.is_running:
            server.kill()


SPANS = [
    # Words, and how many clicks, installs and views lie in them.
    (["--from", "yesterday"], (2, 1, 3)), (["--from", "today"], (1, 1, 1)), (["--from", "2d"], (3, 2, 4)), (["--from", "1d"], (1, 1, 1)),
    (["--from", "yesterday", "--to", "today"], (3, 2, 4)), (["--from", "7d", "--to", "yesterday"], (2, 1, 3)),
]


@pytest.mark.parametrize(("words", "figures"), SPANS)
def test_every_command_with_a_span_takes_words(orchard, words, figures):
    clicks, installs, views = figures
    key = ["--app", orchard.app.branch_key]

    def exported(topic):
        done = orchard.server.command("export", *key, "--topic", topic, *words)
        assert done.status == 0, done.err
        return len(list(csv.DictReader(io.StringIO(done.out))))

    assert (exported("eo_click"), exported("eo_install"), exported("eo_content_event")) == (clicks, installs, views)
    assert len(orchard.server.ask("links", "clicks", orchard.link, *words)) == clicks
    assert orchard.server.ask("replay", *key, *words)["sessions"] == installs
    assert orchard.server.ask("objects", "show", "apple", *key, *words)["views"] == views
    assert [row["views"] for row in orchard.server.ask("objects", "top", *key, *words)] == [views]


def test_the_day_of_a_check_may_be_named(orchard):
    def examined(*words):
        checks = orchard.server.ask("verify", *words)["checks"]
        return {check["check"]: check["examined"] for check in checks}

    day = time.strftime("%Y-%m-%d", time.gmtime(time.time() - DAY))
    assert examined("--day", "yesterday") == examined("--day", day) != examined("--day", "today") == examined()


@pytest.mark.parametrize("words", [["--from", "someday"], ["--from", "0d"], ["--to", "7d"], ["--from", "today", "--to", "yesterday"]])
@pytest.mark.parametrize("command", [
    ["export", "--topic", "eo_click", "--app", "{key}"], ["links", "clicks", "{link}"], ["replay", "--app", "{key}", "--from", "yesterday"],
    ["objects", "top", "--app", "{key}"],
])
def test_words_that_name_no_span_are_refused(orchard, command, words):
    arguments = [word.format(key=orchard.app.branch_key, link=orchard.link) for word in command]
    done = orchard.server.command(*arguments, *words)
    assert done.status in (1, 64) and done.out == "", done.out


def test_a_period_is_no_day(orchard):
    done = orchard.server.command("verify", "--day", "2d")
    assert done.status == 1 and "--day must be one day such as 2027-01-31 or yesterday, not 2d" in done.err


@pytest.mark.parametrize(("first", "last", "clicks"), [
    ("yesterday", "yesterday", 2), ("yesterday", "today", 3), ("2d", "today", 3), ("today", "today", 1)])
def test_a_custom_export_over_http_takes_words(orchard, first, last, clicks):
    body = {"report_type": "eo_click", "fields": ["id"], "start_date": first, "end_date": last, "limit": 100}
    ordered = orchard.server.post(f"/v2/logs?app_id={orchard.app.app_id}", body, orchard.token)
    assert ordered.status == 200, ordered.text
    target = urlsplit(ordered.json["export_job_status_url"])
    state = lambda: orchard.server.get(f"{target.path}?{target.query}", orchard.token).json  # noqa: E731
    eventually(lambda: state().get("status") == "complete", within=20)
    assert state()["lines_exported"] == clicks


def test_a_custom_export_over_http_refuses_what_names_no_end(orchard):
    body = {"report_type": "eo_click", "fields": ["id"], "start_date": "yesterday", "end_date": "7d"}
    answer = orchard.server.post(f"/v2/logs?app_id={orchard.app.app_id}", body, orchard.token)
    assert "end_date must name where the range ends" in answer.refusal(400)
    answer = orchard.server.post(f"/v2/logs?app_id={orchard.app.app_id}", body | {"start_date": "someday"}, orchard.token)
    assert "start_date must be a date such as" in answer.refusal(400)
