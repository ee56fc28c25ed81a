"""Measures how many rows a second `linden copy` copies and verifies, from SQLite to PostgreSQL and back. Scripts/bench.sh copy."""

import argparse
import json
import subprocess
import tempfile
import time
from pathlib import Path

from arms import psql
from support.command import BINARY, environment

DATABASE = "bench_copy"
# Rows a second.
GOAL = 100_000


def main():
    options = arguments()
    drop = f"DROP DATABASE IF EXISTS {DATABASE} WITH (FORCE)"
    psql(options.postgres, drop)
    psql(options.postgres, f"CREATE DATABASE {DATABASE} TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C'")
    try:
        with tempfile.TemporaryDirectory(prefix="linden-copy-", dir=options.folder) as folder:
            figures = measure(Path(folder), f"{options.postgres.rpartition('/')[0]}/{DATABASE}", options.rows)
    finally:
        psql(options.postgres, drop)
    print(f"copy of {figures['rows']:,} rows, a file of {figures['megabytes']:,.0f} MB; goal: {GOAL:,} rows a second")
    for name in ("to PostgreSQL", "to SQLite"):
        rate = figures[name]["rows_per_second"]
        print(f"{name:14} {figures[name]['seconds']:6.1f} s {rate:10,.0f} rows/s{'  MISSED' if rate < GOAL else ''}")
    if options.json:
        Path(options.json).write_text(json.dumps(figures, indent=2) + "\n")


def arguments():
    parser = argparse.ArgumentParser(prog="bench.sh copy", description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000, help="clicks, installs, opens and events of the file (%(default)s)")
    parser.add_argument("--folder", help="where the files are put")
    parser.add_argument("--json", help="write the figures as JSON too")
    parser.add_argument("--postgres", required=True, metavar="URL", help="a server of PostgreSQL whose user may create databases")
    return parser.parse_args()


def measure(folder, postgres, rows):
    first, second = folder / "first.db", folder / "second.db"
    parts = {"clicks": 6, "installs": 1, "opens": 1, "events": 2}
    run("bench-data", "--apps", "1", "--database", f"sqlite:{first}",
        *(word for name, tenths in parts.items() for word in (f"--{name}", str(rows * tenths // 10))))
    figures = {"megabytes": first.stat().st_size / 1e6}
    for name, source, target in (("to PostgreSQL", f"sqlite:{first}", postgres), ("to SQLite", postgres, f"sqlite:{second}")):
        begun = time.monotonic()
        copied = run("copy", "--from", source, "--to", target)
        seconds = time.monotonic() - begun
        figures["rows"] = copied["rows"]
        figures[name] = {"seconds": seconds, "rows_per_second": copied["rows"] / seconds}
    return figures


def run(*arguments):
    done = subprocess.run([BINARY, *arguments, "--format", "json"], env=environment(), capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"linden {arguments[0]} failed:\n{done.stderr}")
    return json.loads(done.stdout)


if __name__ == "__main__":
    main()
