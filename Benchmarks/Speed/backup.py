"""Measures what a server's own backups cost its clicks, and how soon a restored one serves. Scripts/bench.sh backup."""

import argparse
import json
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

import wrk
from arms import Linden
from bench import prepare
from loads import LOADS, Clicks
from support.command import BINARY
from support.server import Server, running


def main():
    options = arguments()
    with tempfile.TemporaryDirectory(prefix="linden-backup-", dir=options.folder) as folder:
        folder = Path(folder)
        template, requests, _ = prepare(folder, {"clicks": LOADS["clicks"]}, options.seed)
        arm = Linden("Linden", folder / "linden", template)
        arm.server.settings |= {"LINDEN_BACKUP_FOLDER": str(folder / "backups"), "LINDEN_BACKUP_EVERY": "1d"}
        arm.start()
        try:
            figures = measure(arm, requests[Clicks].prepare(arm, 0), folder / "backups", options)
        finally:
            arm.stop()
        figures |= restore(newest(folder / "backups"), folder)
    print(f"{figures['megabytes']:,.0f} MB; clicks/s alone {figures['alone']:,.0f}, beside a backup {figures['beside']:,.0f}: "
          f"{100 * (1 - figures['ratio']):.0f} % fewer (median of {options.rounds} rounds)")
    print(f"backup: {figures['backup_s']:.1f} s beside the clicks (median), with the check of the copy")
    print(f"restore: {figures['restore_s']:.1f} s, and {figures['serve_s']:.1f} s until a server on it answers")
    if options.json:
        Path(options.json).write_text(json.dumps(figures, indent=2) + "\n")


def arguments():
    parser = argparse.ArgumentParser(prog="bench.sh backup", description=__doc__)
    parser.add_argument("--megabytes", type=int, default=1000, help="the size of the database at first (%(default)s)")
    parser.add_argument("--rounds", type=int, default=5, help="how often clicks alone and beside a backup have their turn (%(default)s)")
    parser.add_argument("--seconds", type=int, default=4, help="how long a turn of clicks alone is (%(default)s)")
    parser.add_argument("--connections", type=int, default=64, help="(%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="by which requests are drawn (%(default)s)")
    parser.add_argument("--folder", help="where the database is put: on the disk that is to be measured")
    parser.add_argument("--json", help="write the figures as JSON too")
    return parser.parse_args()


def measure(arm, requests, backups, options):
    while arm.server.path.stat().st_size < options.megabytes * 1e6:
        click(arm, requests, 5, options)
    rounds = []
    for _ in range(options.rounds):
        wait_for(lambda: newest(backups) is not None)
        alone = click(arm, requests, options.seconds, options)
        newest(backups).unlink()
        # The server looks every few seconds whether a backup is due.
        wait_for(lambda: any(backups.glob("*.partial")))
        began, beside = time.monotonic(), []
        while newest(backups) is None:
            beside.append(click(arm, requests, 1, options))
        rounds.append({"alone": alone, "beside": statistics.median(beside), "seconds": time.monotonic() - began})
    figures = {name: statistics.median(turn[name] for turn in rounds) for name in ("alone", "beside")}
    figures["ratio"] = statistics.median(turn["beside"] / turn["alone"] for turn in rounds)
    return figures | {
        "rounds": rounds, "backup_s": statistics.median(turn["seconds"] for turn in rounds),
        "megabytes": arm.server.path.stat().st_size / 1e6}


def click(arm, requests, seconds, options):
    """Clicks per second."""
    result = wrk.run(arm.ports, requests, seconds, options.connections)
    if result["wrong_status"] or result["broken"]:
        raise SystemExit(f"{result['wrong_status']} answers were errors, {result['broken']} did not come")
    return result["requests"] / result["seconds"]


def restore(backup, folder):
    home = folder / "restored"
    home.mkdir()
    server = Server(home)
    began = time.monotonic()
    subprocess.run([BINARY, "restore", str(backup), "--database", f"sqlite:{server.path}"], check=True, capture_output=True)
    restored = time.monotonic()
    with running(server):
        return {"restore_s": restored - began, "serve_s": time.monotonic() - restored}


def newest(backups):
    return max(backups.glob("*.db"), default=None)


def wait_for(holds):
    deadline = time.monotonic() + 120
    while not holds():
        if time.monotonic() > deadline:
            raise SystemExit("the server wrote no backup in two minutes")
        time.sleep(0.05)


if __name__ == "__main__":
    main()
