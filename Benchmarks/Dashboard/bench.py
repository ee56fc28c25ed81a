"""Measures the dashboard on a log of generated traffic: the time of each page, the bytes of a view, and redirects beside its users.

Times are measured at the client, over loopback.
"""

import argparse
import json
import os
import platform
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Benchmarks/Analytics"))


def main():
    options = arguments()
    if "LINDEN_BINARY" not in os.environ:
        sys.exit("LINDEN_BINARY must name the binary; Scripts/bench.sh builds it.")
    # Imported here, because these modules look up the binary when they are loaded.
    from measures import measure
    from report import Report

    options.folder.mkdir(parents=True, exist_ok=True)
    report = Report()
    with tempfile.TemporaryDirectory(prefix="dashboard-", dir=options.folder) as folder:
        measure(Path(folder), options, report)
    document = {"rows": options.rows, "seed": options.seed, "machine": {"system": platform.platform(), "cores": os.cpu_count()},
                "measures": report.rows}
    options.json.parent.mkdir(parents=True, exist_ok=True)
    options.json.write_text(json.dumps(document, indent=2) + "\n")
    print(report.text())
    sys.exit(1 if report.is_wrong else 0)


def arguments():
    results = ROOT / ".build/benchmarks"
    parser = argparse.ArgumentParser(prog="bench.sh dashboard", description=__doc__)
    parser.add_argument("--rows", type=int, default=10_000_000,
                        help="how many clicks, installs, opens and events there are in all (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="by which the traffic is drawn (%(default)s)")
    parser.add_argument("--rounds", type=int, default=60, help="how often each page is read; the 95th percentile counts (%(default)s)")
    parser.add_argument("--seconds", type=float, default=20, help="how long redirects are measured in each turn (%(default)s)")
    parser.add_argument("--turns", type=int, default=3, help="how often redirects are measured without and with users (%(default)s)")
    parser.add_argument("--rate", type=float, default=200, help="redirects a second (%(default)s)")
    parser.add_argument("--users", type=int, default=20, help="users of the dashboard beside the redirects (%(default)s)")
    parser.add_argument("--pause", type=float, default=1, help="seconds from one page of a user to the next (%(default)s)")
    parser.add_argument("--folder", type=Path, default=results, help="where the database is made, on a disk with room (.build/benchmarks)")
    parser.add_argument("--json", type=Path, default=results / "dashboard.json", help="where the report goes")
    options = parser.parse_args()
    if options.rows < 1000:
        parser.error("--rows must be 1000 or more")
    return options


if __name__ == "__main__":
    # This folder comes before that of the analytics, which has modules of the same names.
    sys.path.insert(0, str(Path(__file__).resolve().parent))
    main()
