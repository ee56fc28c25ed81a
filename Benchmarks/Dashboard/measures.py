"""The measures: pages one after another, the bytes of a view, and redirects without and with users of the dashboard."""

import json
import multiprocessing
import statistics
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "Tests/EndToEnd"))

from command import run  # noqa: E402
from loads import click, use_pages  # noqa: E402
from pages import Reader, percentile  # noqa: E402
from support.server import Server, running  # noqa: E402

DAYS = 60
SHARES = {"clicks": 0.45, "installs": 0.025, "opens": 0.075, "events": 0.45}
# The goals: milliseconds of the 95th percentile, bytes, and times the 99th percentile of redirects without users.
FAST_PAGES, MOST_FAST, MOST = {"overview", "links"}, 50, 150
FIRST_VIEW, LATER_VIEW, MOST_SLOWER = 60_000, 20_000, 1.2


def measure(folder, options, report):
    server = Server(folder)
    app = fill(server, options, report)
    with running(server):
        reader = Reader.signed_in(server, app)
        read_pages(reader, options.rounds, report)
        count_bytes(reader, report)
        redirect(server, reader, options, report)


def fill(server, options, report):
    amounts = [word for name, share in SHARES.items() for word in (f"--{name}", str(round(options.rows * share)))]
    links = str(max(10, min(10_000, options.rows // 1000)))
    done = run(server.database, "bench-data", "--apps", "1", "--days", str(DAYS), "--seed", str(options.seed), "--links", links,
               *amounts, "--format", "json", quiet=False)
    made = json.loads(done.out)
    size = sum(path.stat().st_size for path in server.folder.glob("linden.db*"))
    report.add("rows made up", made["rows"], "rows", note=f"{size / 1e6:,.0f} MB, {done.seconds:,.0f} s")
    return made["apps"][0]


def read_pages(reader, rounds, report):
    for name, path in reader.pages():
        answer, _ = reader.get(path)
        times = [reader.get(path)[1] * 1000 for _ in range(rounds)]
        report.add(
            f"{name}: p95", percentile(times, 95), "ms", most=MOST_FAST if name in FAST_PAGES else MOST,
            note=f"median {statistics.median(times):.1f} ms, {answer.bytes:,} of {len(answer.body):,} bytes",
            wrong=answer.bytes > LATER_VIEW)


def count_bytes(reader, report):
    """What a browser transfers for the overview: the page with its style sheet and scripts, and later the page alone."""
    page, _ = reader.get(dict(reader.pages())["overview"])
    assets = [reader.get(path)[0] for path in page.assets()]
    report.add("first view", page.bytes + sum(asset.bytes for asset in assets), "bytes", most=FIRST_VIEW, note=f"{len(assets)} files")
    report.add("later view", page.bytes, "bytes", most=LATER_VIEW, wrong=any(not asset.is_kept for asset in assets))


def redirect(server, reader, options, report):
    """Redirects at a steady rate, by a process of their own; users read pages in another."""
    links = [link["url"] for link in server.ask("links", "list", "--app", reader.key, "--limit", "50")]
    pages = [path for _, path in reader.pages()]
    alone, beside, read = [], [], 0
    with multiprocessing.get_context("spawn").Pool(2) as processes:
        for _ in range(options.turns):
            alone.append(processes.apply(click, (server.port, links, options.rate, options.seconds)))
            users = processes.apply_async(
                use_pages, (server.port, reader.cookie, pages, options.users, options.pause, options.seconds))
            beside.append(processes.apply(click, (server.port, links, options.rate, options.seconds)))
            read += users.get()
    without, with_users = ([percentile(times, 99) for times in turns] for turns in (alone, beside))
    report.add("redirects: p99", statistics.median(without), "ms")
    report.add(f"redirects beside {options.users} users: p99", statistics.median(with_users), "ms", note=f"{read:,} pages read")
    ratios = [after / before for before, after in zip(without, with_users)]
    report.add("times as long", statistics.median(ratios), "", most=MOST_SLOWER, wrong=read == 0)
