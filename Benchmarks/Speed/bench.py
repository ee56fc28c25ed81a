"""Measures how fast Linden is, against servers that do less: the tables of Scripts/bench.sh."""

import argparse
import json
import os
import sys
import tempfile
from pathlib import Path

import baseline
import report
import stored
import visitors
from arms import HOST, Linden, LindenOnPostgres, bare, nginx
from loads import IPHONE, LOADS, Clicks, Installs, dice, get
from measure import Measurement
from pipeline import send_all
from support.server import Server

LINKS = 10_000
BULK = 100


def main():
    options = arguments()
    loads = LOADS if options.load == "all" else {options.load: LOADS[options.load]}
    with tempfile.TemporaryDirectory(prefix="linden-speed-", dir=options.folder) as folder:
        folder = Path(folder)
        template, requests, slugs = prepare(folder, loads, options.seed)
        reports = {}
        for name, group in loads.items():
            arms = start(folder, name, template, slugs, requests, options)
            try:
                for load in group:
                    title = load.__name__.lower()
                    reports[title] = run(requests[load], title, arms, options, options.connections)
                    print(report.text(title, reports[title]), flush=True)
                if name == "clicks" and options.more_connections:
                    title = f"clicks, {options.more_connections} connections"
                    reports[title] = run(requests[Clicks], title, arms, options, options.more_connections)
                    print(report.text(title, reports[title]), flush=True)
            finally:
                for arm in arms:
                    arm.stop()
    if options.quick:
        print(baseline.comparison(reports))
    if options.save_baseline:
        baseline.save(reports)
    if options.json:
        document = {"seconds": options.seconds, "connections": options.connections, "more_connections": options.more_connections,
                    "rounds": options.rounds, "loads": reports}
        Path(options.json).write_text(json.dumps(document, indent=2, ensure_ascii=False) + "\n")
    failed = sum(figures["failed"]["max"] for each in reports.values() for figures in each["arms"].values())
    sys.exit(1 if failed else 0)


def arguments():
    parser = argparse.ArgumentParser(prog="bench.sh", description=__doc__)
    parser.add_argument("load", choices=[*LOADS, "all"])
    parser.add_argument("--rounds", type=int, default=7, help="how often each arm has its turn (%(default)s)")
    parser.add_argument("--seconds", type=int, default=8, help="how long a turn is (%(default)s)")
    parser.add_argument("--connections", type=int, default=64, help="connections that are kept and used at once (%(default)s)")
    parser.add_argument("--more-connections", type=int, default=256, metavar="CONNECTIONS",
                        help="connections of a second run of clicks, 0 for none (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="by which requests are drawn (%(default)s)")
    parser.add_argument("--quick", action="store_true", help="3 rounds of 3 seconds, compared with Benchmarks/baseline.json")
    parser.add_argument("--save-baseline", action="store_true", help="put what is measured into Benchmarks/baseline.json")
    parser.add_argument("--stored", action="store_true", help="one arm more: with 10 million clicks of 1 million links stored")
    parser.add_argument("--stored-clicks", type=int, default=10_000_000, help="how many those are (%(default)s)")
    parser.add_argument("--stored-links", type=int, default=1_000_000, help="(%(default)s)")
    parser.add_argument("--slow-fsync", type=float, metavar="MS", help="one arm more: each fsync takes so much longer")
    parser.add_argument("--installs", type=int, metavar="RATE", help="one arm more: beside so many installs a second")
    parser.add_argument("--postgres", nargs=2, metavar=("URL", "PID"),
                        help="compare with one and with two servers on this PostgreSQL, instead of other servers; its process id counts its "
                        "use of the machine")
    parser.add_argument("--folder", help="where the databases are put: on the disk that is to be measured")
    parser.add_argument("--json", help="write the report as JSON too")
    options = parser.parse_args()
    if options.quick:
        options.rounds, options.seconds, options.more_connections = 3, 3, 0
    return options


def prepare(folder, loads, seed):
    """A database with an app, its links and one click; the requests of each load; and the links' slugs."""
    home = folder / "template"
    home.mkdir()
    server = Server(home)
    server.base_url = f"http://{HOST}"
    server.start()
    try:
        app = server.create_app("Orchard", "--default-url", "https://orchard.example.com/")
        slugs = []
        while len(slugs) < LINKS:
            answer = server.post(f"/v1/url/bulk/{app.branch_key}", [link(number) for number in range(len(slugs), len(slugs) + BULK)])
            slugs += [made["url"].rsplit("/", 1)[1] for made in answer.json]
        send_all(server.port, [get("/" + slugs[0], IPHONE, "en", visitors.address(0))])
        wanted = {Installs} | {load for group in loads.values() for load in group}
        requests = {load: load(folder, app, slugs, dice(seed)) for load in wanted}
    finally:
        server.stop()
    return server.path, requests, slugs


def link(number):
    return {"channel": "sms", "campaign": "autumn", "data": {
        "$fallback_url": f"https://orchard.example.com/apples/{number}", "$deeplink_path": f"apple/{number}",
        "$og_title": f"Apple {number}", "variety": "Cox"}}


def start(folder, name, template, slugs, requests, options):
    """Linden, what it is compared with, and variants of Linden, all running."""
    arms = [Linden("Linden", folder / f"{name}-linden", template)]
    if options.postgres:
        postgres = options.postgres[0], int(options.postgres[1])
        arms.append(LindenOnPostgres("Linden on PostgreSQL", folder / f"{name}-one", template, postgres, 1))
        arms.append(LindenOnPostgres("Linden on PostgreSQL, two servers", folder / f"{name}-two", template, postgres, 2))
    else:
        arms.append(bare(os.environ["BARE_BINARY"]))
    if name == "clicks" and not options.postgres:
        arms.append(nginx(folder / "nginx", slugs))
    if options.stored:
        print(f"Filling a database with {options.stored_clicks:,} clicks", file=sys.stderr)
        arms.append(Linden("Linden, much stored", folder / f"{name}-stored", template,
                           lambda path: stored.fill(path, options.stored_links, options.stored_clicks)))
    if options.slow_fsync:
        arms.append(Linden(f"Linden, fsync +{options.slow_fsync:g} ms", folder / f"{name}-slow", template, delay_ms=options.slow_fsync))
    if options.installs:
        arms.append(Linden(f"Linden, {options.installs} installs/s", folder / f"{name}-installs", template,
                           trickle=(requests[Installs], options.installs)))
    started = []
    try:
        for arm in arms:
            arm.start()
            started.append(arm)
    except BaseException:
        for arm in started:
            arm.stop()
        raise
    return arms


def run(load, title, arms, options, connections):
    measurement = Measurement(options.seconds, connections)
    for arm in arms:
        measurement.take(load, arm, seconds=1)  # The first second warms up and is not counted.
    rounds = []
    for number in range(options.rounds):
        turn = number % len(arms)
        taken = {arm.name: measurement.take(load, arm) for arm in arms[turn:] + arms[:turn]}
        rounds.append({arm.name: taken[arm.name] for arm in arms})
        rates = ", ".join(f"{name} {figures['requests_per_second']:,.0f}" for name, figures in rounds[-1].items())
        print(f"{title}, round {number + 1} of {options.rounds}: {rates}", file=sys.stderr)
    starts = {arm.name: {"ms": arm.start_ms, "database_mb": arm.start_mb} for arm in arms if isinstance(arm, Linden)}
    return report.summary(rounds, starts)


if __name__ == "__main__":
    main()
