"""The measures, in the order in which they are taken: pruning comes last, because what is pruned is gone."""

import datetime
import json
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "Tests/EndToEnd"))

from client import Client, Poster, median  # noqa: E402
from command import run  # noqa: E402
from support.server import Server, running  # noqa: E402

DAYS = 30
KEPT_DAYS = 7


def measure(folder, options, report):
    server = Server(folder)
    app = fill(server, options, report)
    with running(server):
        token = server.ask("tokens", "create", "bench", "--role", "analyst", "--app", app["key"])["token"]
        client = Client(server.port, {"Access-Token": token})
        questions(client, app, options.rounds, report)
        exports(server, app, report)
        verify(server, app, report)
        pruning(server, client, app, options.seconds, report)


def fill(server, options, report):
    """One app with all of the traffic, of the days until yesterday."""
    shares = {"clicks": 0.45, "installs": 0.025, "opens": 0.075, "events": 0.45}
    amounts = [word for name, share in shares.items() for word in (f"--{name}", str(round(options.events * share)))]
    links = str(max(10, min(10_000, options.events // 1000)))
    done = run(server.database, "bench-data", "--apps", "1", "--days", str(DAYS), "--seed", str(options.seed), "--links", links,
               *amounts, "--format", "json", quiet=False)
    made = json.loads(done.out)
    size = sum(path.stat().st_size for path in server.folder.glob("linden.db*"))
    report.add("rows made up and written", made["rows"] / made["seconds"], "rows/s", note=f"{made['rows']:,} rows, {size / 1e6:,.0f} MB")
    report.add("and counted", done.seconds - made["seconds"], "s")
    first, last = (datetime.date.fromisoformat(made[key]) for key in ("from", "to"))
    return {"key": made["apps"][0]["branch_key"], "secret": made["apps"][0]["branch_secret"], "first": first, "last": last}


def questions(client, app, rounds, report):
    month = {"app": app["key"], "from": app["first"], "to": app["last"]}

    def ask(name, call, most=None, **parameters):
        answer, milliseconds = median(lambda: client.ask(call, **month, **parameters), rounds)
        results = answer["results"]
        report.add(name, milliseconds, "ms", most=most, wrong=not results or "rows_kept_since" in answer, note=f"{len(results):,} rows")

    daily = {"granularity": "day", "by": "channel", "limit": 1000}
    ask("clicks by day × channel", "counts", most=50, **daily)
    ask("commerce events by day × channel", "counts", most=50, topic="commerce_event", **daily)
    ask("revenue by day × channel", "counts", most=50, topic="commerce_event", aggregation="revenue", **daily)
    ask("devices by day × channel", "counts", topic="open", aggregation="unique_count", **daily)
    ask("channels of the month", "top", by="channel")
    ask("links of the month", "top", by="link")
    ask("funnel of the month", "funnel", most=1000)
    ask("funnel of the month by channel", "funnel", most=1000, by="channel")
    ask("cohorts of the month", "cohort")
    ask("lifetime value by channel", "ltv", by="channel")

    week = {"branch_key": app["key"], "branch_secret": app["secret"], "start_date": str(app["last"] - datetime.timedelta(6)),
            "end_date": str(app["last"] + datetime.timedelta(1)), "data_source": "eo_click", "aggregation": "total_count",
            "dimensions": ["last_attributed_touch_data_tilde_channel"], "granularity": "day"}
    answer, milliseconds = median(lambda: client.send("POST", "/v1/query/analytics", week), rounds)
    report.add("a week by Branch's query call", milliseconds, "ms", most=50, wrong=not answer["results"])


def exports(server, app, report):
    """Written to nowhere, so that no disk is measured. Of all columns and gzipped a week is enough."""
    week = ["--from", str(app["last"] - datetime.timedelta(6)), "--to", str(app["last"])]
    for topic in ("eo_click", "eo_content_event"):
        for name, least, flags in (
            ("native columns", 250_000, ["--fields", "native"]),
            ("all columns", 40_000, ["--fields", "all", *week]),
            ("native columns, gzip", None, ["--fields", "native", "--gzip", *week]),
            ("all columns, gzip", None, ["--fields", "all", "--gzip", *week]),
        ):
            done = run(server.database, "export", "--app", app["key"], "--topic", topic, *flags)
            rows = json.loads(done.err.splitlines()[-1])["rows"]
            report.add(f"{topic}, {name}", rows / done.seconds, "rows/s", least=least, wrong=rows == 0, note=f"{rows:,} rows")
            report.add(f"{topic}, {name}: memory", done.memory, "MB", most=100)


def verify(server, app, report):
    day = app["last"] - datetime.timedelta(1)
    done = run(server.database, "verify", "--day", str(day))
    report.add("proof of a day's counters", done.seconds, "s", most=10)
    report.add("proof of a day's counters: memory", done.memory, "MB")


def pruning(server, client, app, seconds, report):
    """A client posts events, first alone and then while old sessions and events are removed beside the server. Totals must stay."""
    def totals():
        month = {"app": app["key"], "from": app["first"], "to": app["last"], "granularity": "all", "by": "channel"}
        return [client.ask("counts", **month, topic=topic)[0]["results"] for topic in ("click", "install", "commerce_event")]

    before = totals()
    with Poster(server.port, app["key"]) as alone:
        time.sleep(seconds)
    with Poster(server.port, app["key"]) as beside:
        done = run(server.database, "prune", "--events-days", str(KEPT_DAYS), "--sessions-days", str(KEPT_DAYS), "--yes",
                   "--format", "json", quiet=False)
    for poster in (alone, beside):
        if poster.failure:
            raise SystemExit(f"an event was not taken: {poster.failure}")
    removed = json.loads(done.out)
    rows = removed["events"] + removed["sessions"]
    report.add("events taken, one after another", alone.rate, "events/s")
    report.add("events taken while rows are pruned", beside.rate, "events/s")
    report.add("longest gap between answers", alone.longest_gap, "ms")
    report.add("longest gap while rows are pruned", beside.longest_gap, "ms", most=1000)
    report.add("rows pruned", rows / done.seconds, "rows/s", wrong=rows == 0 or totals() != before, note=f"{rows:,} rows")
