"""Counts the instructions that Linden takes to answer a request: the table of Scripts/bench.sh instructions."""

import argparse
import json
import socket
import sys
import tempfile
import time
from itertools import islice
from pathlib import Path
from statistics import median

from bench import prepare
from callgrind import CountedServer
from loads import LOADS, Clicks, CreateLink, Events, Installs, Opens
from pipeline import read
from support.server import free_port

BASELINE = Path(__file__).parents[1] / "instructions.json"
# The relative change above which a count fails.
TOLERANCE = 0.05
# An odd number of runs. The median of so many becomes the baseline; a count fails if the least of so many is above the tolerance.
RUNS = 3
KINDS = {"click": Clicks, "create": CreateLink, "open": Opens, "install": Installs, "event": Events}
# A link that is there already is not created again, and a phone installs once: their batches are new ones each time.
ONCE = {"create", "install"}
# Requests of each kind, at least (`count` in loads.py).
PREPARED = 2_000
# Seconds until a click can be matched: the rows of the last two seconds wait, and maintenance runs once a second.
LAG = 4


def main():
    options = arguments()
    if options.monitored:
        return show_monitoring(options)
    before = json.loads(BASELINE.read_text()) if BASELINE.exists() else {}
    counts = measure(options)
    lines, worse = comparison(counts, before)
    if options.update_baseline or worse:
        runs = [counts] + [measure(options) for _ in range(RUNS - 1)]
        choose = median if options.update_baseline else min
        counts = {kind: choose([run[kind] for run in runs]) for kind in KINDS}
        lines, worse = comparison(counts, before)
    print("\n".join(lines))
    if options.json:
        Path(options.json).write_text(json.dumps({"instructions": counts, "baseline": before}, indent=2) + "\n")
    if options.update_baseline:
        BASELINE.write_text(json.dumps(counts, indent=2) + "\n")
    elif worse:
        sys.exit(f"more than {TOLERANCE:.0%} above Benchmarks/{BASELINE.name}: {', '.join(worse)}")


def show_monitoring(options):
    """Shows what metrics and the request log add: the instructions of a server without and with them, their least of some runs."""
    server = {"LINDEN_HTTP_ADMIN_ADDRESS": f"127.0.0.1:{free_port()}", "LINDEN_LOG_REQUESTS": "json"}
    without, monitored = ([measure(options, settings) for _ in range(RUNS)] for settings in (None, server))
    print(f"{'user instructions':20}{'without':>12}{'with':>12}{'change':>9}")
    for kind in KINDS:
        plain, seen = (min(run[kind] for run in runs) for runs in (without, monitored))
        print(f"{kind:20}{plain:12,}{seen:12,}{seen / plain - 1:+9.1%}")


def arguments():
    parser = argparse.ArgumentParser(prog="bench.sh instructions", description=__doc__)
    parser.add_argument("--batches", type=int, default=16, help="how often the requests of a kind are counted (%(default)s)")
    parser.add_argument("--requests", type=int, default=10, help="requests of a batch, one after another (%(default)s)")
    parser.add_argument("--warm-up", type=int, default=100, help="requests of each kind before it is counted (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="by which requests are drawn (%(default)s)")
    parser.add_argument("--update-baseline", action="store_true",
                        help=f"write the median of {RUNS} runs to Benchmarks/{BASELINE.name}")
    parser.add_argument("--monitored", action="store_true",
                        help="compare a server with metrics and the request log with one without; take --requests 200, since the log is "
                             "written five times a second")
    parser.add_argument("--folder", help="where the database is put")
    parser.add_argument("--json", help="write the counts as JSON too")
    options = parser.parse_args()
    if options.batches < 2 or options.requests < 1 or options.warm_up < 0:
        parser.error("at least 2 batches of 1 request are needed, and no fewer than 0 to warm up")
    if options.warm_up + options.batches * options.requests > PREPARED:
        parser.error(f"{PREPARED:,} requests of each kind are prepared, fewer than warm-up and batches take")
    return options


def measure(options, settings=None):
    """Instructions per request of each kind."""
    with tempfile.TemporaryDirectory(prefix="linden-instructions-", dir=options.folder) as folder:
        return measure_in(Path(folder), options, settings)


def measure_in(folder, options, settings):
    template, loads, _ = prepare(folder, LOADS, options.seed)
    home = folder / "counted"
    home.mkdir()
    server = CountedServer(home, template, settings)
    try:
        server.start()
        with socket.create_connection(("127.0.0.1", server.port), timeout=60) as connection:
            return {kind: count(kind, server, connection, loads[load], options) for kind, load in KINDS.items()}
    finally:
        if server.is_running:
            server.stop()


def count(kind, server, connection, load, options):
    needed = options.warm_up + options.batches * options.requests
    requests = iter(installs(server, connection, load, needed) if kind == "install" else stored(load.path))
    last = newest_session(server)
    send(connection, islice(requests, options.warm_up))
    counts, batch = [], []
    for _ in range(options.batches):
        if not batch or kind in ONCE:
            batch = list(islice(requests, options.requests))
        server.zero()
        send(connection, batch)
        counts.append(server.instructions() / len(batch))
    if kind == "install":
        (organic,) = server.query(f"SELECT COUNT(*) FROM sessions WHERE id > {last} AND click_id IS NULL")[0]
        if organic:
            sys.exit(f"{organic} of {needed} installs were not attributed to their clicks")
    print(f"{kind}: {', '.join(f'{each:,.0f}' for each in counts)}", file=sys.stderr)
    return typical(counts, kind in ONCE)


def typical(counts, differ):
    """What the requests take without the maintenance that falls into some batches: the least. Of batches that differ, the least
    above the lowest quarter: those may be cheap requests."""
    return round(sorted(counts)[len(counts) // 4 if differ else 0])


def installs(server, connection, load, needed):
    """Installs of new phones, each of which has clicked."""
    numbers = range(load.first, load.first + needed)
    send(connection, (load.click(number) for number in numbers))
    time.sleep(LAG)
    return [load.install(number) for number in numbers]


def newest_session(server):
    return server.query("SELECT COALESCE(MAX(id), 0) FROM sessions")[0][0]


def stored(path):
    """The requests of a file that `write_requests` has written."""
    with open(path, "rb") as file:
        return [file.read(int(length)) for length in iter(file.readline, b"")]


def send(connection, requests):
    """Sends each request when the one before has been answered."""
    for request in requests:
        connection.sendall(request)
        read(connection, 1)


def comparison(counts, before):
    """The table, and the kinds that take more instructions than the baseline and its tolerance allow."""
    lines, worse = [f"{'user instructions':20}{'now':>12}{'baseline':>12}{'change':>9}"], []
    for kind, now in counts.items():
        if kind not in before:
            lines.append(f"{kind:20}{now:12,}{'-':>12}{'new':>9}")
            continue
        change = now / before[kind] - 1
        if change > TOLERANCE:
            worse.append(f"{kind} {change:+.1%}")
        lines.append(f"{kind:20}{now:12,}{before[kind]:12,}{change:+9.1%}")
    return lines, worse


if __name__ == "__main__":
    main()
