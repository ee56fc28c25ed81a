"""Measures what pending clicks cost later: memory after millions of them, and the start after a kill. Scripts/bench.sh restart."""

import argparse
import json
import tempfile
from pathlib import Path

import wrk
from arms import Linden, settle
from bench import prepare
from loads import LOADS, Clicks
from process import usage

# Seconds of load between two looks at the server.
TURN = 10


def main():
    options = arguments()
    with tempfile.TemporaryDirectory(prefix="linden-restart-", dir=options.folder) as folder:
        folder = Path(folder)
        template, requests, _ = prepare(folder, {"clicks": LOADS["clicks"]}, options.seed)
        arm = Linden("Linden", folder / "linden", template)
        arm.start()
        try:
            figures = measure(arm, requests[Clicks], options)
        finally:
            arm.stop()
    print(f"restart, killed after {figures['clicks_before_kill']:,} clicks: first answer after {figures['restart_ms']:,.0f} ms "
          f"({figures['start_ms']:,.0f} ms when empty)")
    print(f"memory: {figures['start_mb']:,.0f} MB at the start, {figures['memory_mb']:,.0f} MB after {figures['clicks']:,} clicks "
          f"({figures['largest_mb']:,.0f} MB at most)")
    if options.json:
        Path(options.json).write_text(json.dumps(figures, indent=2) + "\n")


def arguments():
    parser = argparse.ArgumentParser(prog="bench.sh restart", description=__doc__)
    parser.add_argument("--pending", type=int, default=1_150_000,
                        help="clicks before the kill (%(default)s); those of robots, one in ten, are not pending")
    parser.add_argument("--clicks", type=int, default=5_000_000, help="clicks in all (%(default)s)")
    parser.add_argument("--connections", type=int, default=64, help="(%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="by which requests are drawn (%(default)s)")
    parser.add_argument("--folder", help="where the database is put: on the disk that is to be measured")
    parser.add_argument("--json", help="write the figures as JSON too")
    return parser.parse_args()


def measure(arm, load, options):
    figures = {"start_ms": arm.start_ms, "start_mb": resident(arm), "largest_mb": 0}
    figures["clicks_before_kill"] = click(arm, load, options.pending, options, figures)
    arm.server.kill()
    arm.start()
    figures["restart_ms"] = arm.start_ms
    figures["clicks"] = figures["clicks_before_kill"] + click(
        arm, load, options.clicks - figures["clicks_before_kill"], options, figures)
    settle(arm)
    figures["memory_mb"] = resident(arm)
    return figures


def click(arm, load, count, options, figures):
    """Sends clicks until there are so many. Returns their number."""
    requests, sent = load.prepare(arm, 0), 0
    while sent < count:
        result = wrk.run(arm.ports, requests, TURN, options.connections)
        if result["wrong_status"] or result["broken"]:
            raise SystemExit(f"{result['wrong_status']} answers were errors, {result['broken']} did not come")
        sent += result["requests"]
        figures["largest_mb"] = max(figures["largest_mb"], resident(arm))
    return sent


def resident(arm):
    return usage(arm.pids).resident_bytes / 1e6


if __name__ == "__main__":
    main()
