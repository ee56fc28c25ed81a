"""Runs a cluster of Linden on one machine from the files of Config/cluster: the work of Scripts/cluster.sh."""

import argparse
import json
import os
import shutil
import signal
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "Tests/EndToEnd"))

from faults import FAULTS  # noqa: E402
from machines import MEMBERS, VOTERS, Cluster  # noqa: E402
from proof import Proof  # noqa: E402
from report import table  # noqa: E402
from story import Story  # noqa: E402


def main():
    options = arguments()
    # Python ends by the exceptions of these, and so everything is stopped.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    folder = Path(tempfile.mkdtemp(prefix="linden-cluster-", dir=options.folder))
    cluster, is_right = None, False
    try:
        cluster = Cluster(options.nodes, options.network, folder, options.postgres_programs, say)
        cluster.start()
        Story(cluster).tell()
        is_right = prove(cluster, options) if options.kill else True
        if not (options.kill or options.stop_after_story):
            print_addresses(cluster)
            signal.pause()
    except KeyboardInterrupt:
        is_right = True
    finally:
        if cluster:
            say("Stopping")
            cluster.stop()
        if is_right and not options.keep:
            shutil.rmtree(folder)
        else:
            say(f"The logs are in {folder}")
    sys.exit(0 if is_right else 1)


def prove(cluster, options):
    """Injects the faults under load, compares what was acknowledged with what is stored, and prints the table."""
    proof = Proof(cluster, options, say)
    proof.run()
    report = proof.report()
    print(table(report))
    if options.json:
        Path(options.json).write_text(json.dumps(report, indent=2) + "\n")
    return report["holds"]


def print_addresses(cluster):
    layout = cluster.layout
    print(f"""
Links and SDKs    {layout.base_url}
Dashboard         {layout.base_url}/dashboard
Nodes             {" ".join(f"http://{layout.machine(n)}:8080" for n in cluster.nodes)}
PostgreSQL        {" ".join(f"{layout.machine(n)}:5432" for n in MEMBERS)}
Patroni           {" ".join(f"http://{layout.machine(n)}:8008" for n in MEMBERS)}
etcd              {" ".join(f"http://{layout.machine(n)}:2379" for n in VOTERS)}
HAProxy's state   http://{layout.machine(1)}:8404
Database          {cluster.database}
Logs              {layout.folder}

Ctrl-C stops everything.""", flush=True)


def arguments():
    parser = argparse.ArgumentParser(prog="cluster.sh", description=__doc__)
    parser.add_argument("--nodes", type=int, choices=(1, 2, 3), default=3, help="Linden's nodes (%(default)s)")
    parser.add_argument("--stop-after-story", action="store_true",
                        help="stop after the story; the exit status says whether it is right")
    parser.add_argument("--kill", action="store_true",
                        help="inject faults under load, and compare what was acknowledged with what is stored")
    parser.add_argument("--faults", nargs="+", choices=FAULTS, default=list(FAULTS), metavar="FAULT",
                        help=f"with --kill: these faults, in this order, of {', '.join(FAULTS)} (all)")
    parser.add_argument("--customers", type=int, default=16, help="with --kill: connections that write at once (%(default)s)")
    parser.add_argument("--pause", type=float, default=0.05, help="with --kill: seconds between a customer's calls (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="with --kill: by which calls are drawn (%(default)s)")
    parser.add_argument("--longest-gap", type=float, default=30,
                        help="with --kill: seconds without a write of one kind that a fault may cause (%(default)s: Patroni's ttl "
                        "and 10)")
    parser.add_argument("--network", default="127.77", help="the first two numbers of the loopback addresses (%(default)s)")
    parser.add_argument("--folder", help="where data and logs are put; the system's folder for temporary files unless given")
    parser.add_argument("--keep", action="store_true", help="keep data and logs; they are also kept after a failure")
    parser.add_argument("--json", help="with --kill: write the report as JSON too")
    parser.add_argument("--postgres-programs", default=os.environ.get("POSTGRES_PROGRAMS"), help=argparse.SUPPRESS)
    return parser.parse_args()


def say(text):
    print(f"== {text}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
