"""Proves by killing it that the server loses nothing it acknowledged: the table of Scripts/crash.sh."""

import argparse
import json
import statistics
import sys
import tempfile
from contextlib import closing
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "Tests/EndToEnd"))

from support.crash import prove  # noqa: E402
from support.ledger import STORED  # noqa: E402
from support.server import Server, running  # noqa: E402
from support.slow import SlowClients, click_times, room_for  # noqa: E402


def main():
    options = arguments()
    with tempfile.TemporaryDirectory(prefix="linden-crash-", dir=options.folder) as folder, room_for(options.slow_clients) as room:
        # Without rate limits: on a fast machine these customers make more requests than customers may.
        with running(Server(Path(folder), {"LINDEN_LIMITS_ENABLED": "false"})) as server:
            proof = prove(server, options.kills, options.seed, options.customers, options.longest, tell)
            report = summary(proof, options, sum(file.stat().st_size for file in server.folder.glob("linden.db*")))
            report["beside_slow_clients"] = wait_beside(server, room)
    print(table(report))
    if options.json:
        Path(options.json).write_text(json.dumps(report, indent=2) + "\n")
    sys.exit(0 if proof.holds else 1)


def wait_beside(server, count):
    """How long others wait for a redirect while so many connections are held by slow clients, and without them."""
    app = server.create_app("Grove", "--default-url", "https://grove.example.com/")
    link = app.create_link()
    alone = click_times(app, link)
    with closing(SlowClients(app, count)):
        beside = click_times(app, link)
    return {"connections": count, "alone_ms": milliseconds(alone), "beside_ms": milliseconds(beside)}


def milliseconds(times):
    return {"median": statistics.median(times) * 1000, "largest": times[-1] * 1000}


def arguments():
    parser = argparse.ArgumentParser(prog="crash.sh", description=__doc__)
    parser.add_argument("--kills", type=int, default=50, help="how often the server is killed (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="by which moments and requests are drawn (%(default)s)")
    parser.add_argument("--customers", type=int, default=16, help="connections that write at once (%(default)s)")
    parser.add_argument("--longest", type=float, default=2.0, help="the longest life of the server in seconds (%(default)s)")
    parser.add_argument("--slow-clients", type=int, default=10_000, help="connections held at the end by slow clients (%(default)s)")
    parser.add_argument("--folder", help="where the database is put; the system's folder for temporary files unless given")
    parser.add_argument("--json", help="write the report as JSON too")
    return parser.parse_args()


def tell(proof):
    findings = proof.findings[-1]
    state = "clean" if findings.is_clean and not proof.damages else "NOT CLEAN"
    print(f"{proof.kills:4} kills, {proof.ledger.count:7} acknowledged writes, {proof.restarts[-1] * 1000:5.0f} ms: {state}",
          file=sys.stderr)


def summary(proof, options, size):
    restarts = [seconds * 1000 for seconds in proof.restarts]
    return {
        "kills": proof.kills, "seed": options.seed, "customers": options.customers, "database_bytes": size,
        "writes": {
            kind: {
                "acknowledged": len(proof.ledger.acknowledged[kind]),
                "lost": sum(entry[0] == kind for entry in proof.lost),
                "doubled": sum(entry[0] == kind for entry in proof.doubled),
            } for kind in STORED
        },
        "matches": {"clicks": len(proof.matched), "not_once": len(proof.mismatched)},
        "done_unanswered": sum(findings.unanswered for findings in proof.findings),
        "damages": proof.damages, "refusals": proof.refusals,
        "restart_ms": {"median": statistics.median(restarts), "largest": max(restarts)},
        "holds": proof.holds,
    }


def table(report):
    lines = [f"{report['kills']} kills by SIGKILL, seed {report['seed']}, {report['customers']} customers", "",
             f"{'':14}{'acknowledged':>13}{'lost':>8}{'doubled':>9}"]
    for kind, figures in report["writes"].items():
        lines.append(f"{kind:14}{figures['acknowledged']:13,}{figures['lost']:8,}{figures['doubled']:9,}")
    restart, slow = report["restart_ms"], report["beside_slow_clients"]
    lines += [
        "",
        f"Done but not answered before the kill: {report['done_unanswered']}",
        f"Clicks matched by installs after a restart: {report['matches']['clicks']}, not exactly once: {report['matches']['not_once']}",
        f"Answered with an error: {sum(report['refusals'].values())}",
        "integrity_check and verify: " + ("clean after each restart" if not report["damages"] else "; ".join(report["damages"])),
        f"Start to first answer: {restart['median']:.0f} ms (median), {restart['largest']:.0f} ms (largest), "
        f"at the end with a database of {report['database_bytes'] / 1e6:.0f} MB",
        f"Redirect beside {slow['connections']:,} slow clients: {slow['beside_ms']['median']:.1f} ms (median), "
        f"{slow['beside_ms']['largest']:.1f} ms (largest); without them {slow['alone_ms']['median']:.1f} and "
        f"{slow['alone_ms']['largest']:.1f} ms",
        "The server kept its word." if report["holds"] else "The server did NOT keep its word.",
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    main()
