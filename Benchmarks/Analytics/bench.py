"""Measures queries, export, verification and pruning of a log of generated traffic.

Times are measured at the client: an HTTP call over loopback, or a command from start to exit.
"""

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def main():
    options = arguments()
    os.environ["LINDEN_BINARY"] = binary()
    # Imported here, because these modules look up the binary when they are loaded.
    from measures import measure
    from report import Report

    options.folder.mkdir(parents=True, exist_ok=True)
    report = Report()
    with tempfile.TemporaryDirectory(prefix="analytics-", dir=options.folder) as folder:
        measure(Path(folder), options, report)
    text = report.text()
    options.json.parent.mkdir(parents=True, exist_ok=True)
    options.json.with_suffix(".txt").write_text(text + "\n")
    machine = {"system": platform.platform(), "cores": os.cpu_count()}
    document = {"events": options.events, "seed": options.seed, "machine": machine, "measures": report.rows}
    options.json.write_text(json.dumps(document, indent=2) + "\n")
    print(text)
    print(f"{options.json} and {options.json.with_suffix('.txt')}", file=sys.stderr)
    sys.exit(1 if report.is_wrong else 0)


def arguments():
    results = ROOT / ".build/benchmarks"
    parser = argparse.ArgumentParser(prog="bench.sh analytics", description=__doc__)
    parser.add_argument("--events", type=int, default=10_000_000,
                        help="how many clicks, installs, opens and events there are in all (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="by which the traffic is drawn (%(default)s)")
    parser.add_argument("--rounds", type=int, default=9, help="how often each question is asked; the median counts (%(default)s)")
    parser.add_argument("--seconds", type=float, default=10, help="how long events are posted before pruning begins (%(default)s)")
    parser.add_argument("--folder", type=Path, default=results, help="where the database is made, on a disk with room (.build/benchmarks)")
    parser.add_argument("--json", type=Path, default=results / "analytics.json", help="where the report goes; the table goes beside it, as .txt")
    options = parser.parse_args()
    if options.events < 1000:
        parser.error("--events must be 1000 or more")
    return options


def binary():
    """The one that LINDEN_BINARY names, or a fresh release build."""
    if "LINDEN_BINARY" in os.environ:
        return str(Path(os.environ["LINDEN_BINARY"]).resolve())
    build = ["swift", "build", "-c", "release"]
    print("Building linden (the first time takes some minutes)", file=sys.stderr)
    subprocess.run([*build, "--product", "linden"], cwd=ROOT, stdout=sys.stderr, check=True)
    folder = subprocess.run([*build, "--show-bin-path"], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
    return f"{folder}/linden"


if __name__ == "__main__":
    main()
