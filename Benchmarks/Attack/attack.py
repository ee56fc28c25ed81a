"""Attacks a server of its own as strangers would, and says what others noticed: the table of Scripts/attack.sh."""

import argparse
import json
import multiprocessing
import shutil
import sqlite3
import sys
import tempfile
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "Tests/EndToEnd"))

from support.description import call_as_described  # noqa: E402
from support.server import Server, running  # noqa: E402
from support.slow import room_for  # noqa: E402

import attacks  # noqa: E402
import encrypted  # noqa: E402
import fuzz  # noqa: E402
from prepared import add_rows, prepare  # noqa: E402
from traffic import PROCESSES, Outcome, has_networks  # noqa: E402
from watch import Watch  # noqa: E402

# Limits in MiB: peak memory, peak memory under idle connections, growth of the database.
MOST_MEMORY = 300
MOST_MEMORY_IDLE = 200
MOST_GROWTH = 300
# The most credits that invented installs may earn in a day: a hundred rewards of ten.
MOST_EARNED = 1000
ALL = attacks.ALL | encrypted.ALL
FUZZING = "fuzzing"
DESCRIPTION = "description"
# The seconds that an attack takes at least which holds something: it is not there at once.
LEAST_SECONDS = 2
NAMES = [*ALL, FUZZING, DESCRIPTION]


def main():
    options = arguments()
    names = options.attack or NAMES
    rows = []
    with room_for(12_000), tempfile.TemporaryDirectory(prefix="linden-attack-") as folder:
        server = Server(Path(folder))
        with running(server):
            target = prepare(server, options)
        add_rows(Path(server.folder, "linden.db"), apps=5 * options.at_once)
        prepared = Path(folder, "prepared")
        copy_database(server.folder, prepared)
        for name in names:
            # One database and server process per attack, so that the memory of one does not include what a previous one left.
            copy_database(prepared, server.folder)
            attacked = server
            if name in encrypted.ALL and not has_networks() or name in attacks.PUBLIC and not has_networks("93.184.216.34"):
                print(f"--   {name:26} not tried: it needs a network namespace", flush=True)
                continue
            if name in encrypted.ALL:
                attacked = encrypted.EncryptedServer(Path(folder))
            if name in attacks.ROWS:
                with closing(sqlite3.connect(server.path)) as connection, connection:
                    attacks.ROWS[name](connection, target)
            with running(attacked):
                attack = describe if name == DESCRIPTION else run
                rows.append(attack(name, attacked, replace(target, port=attacked.port), options))
                print(line(rows[-1]), flush=True)
    if options.json:
        Path(options.json).write_text(json.dumps(rows, indent=2) + "\n")
    faults = [f"{row['attack']}: {fault}" for row in rows for fault in row["faults"]]
    print("\n".join(faults) or "No attack got through.")
    sys.exit(1 if faults else 0)


def copy_database(source, destination):
    """Replaces the files of a database by copies of others."""
    destination.mkdir(exist_ok=True)
    for path in destination.glob("linden.db*"):
        path.unlink()
    for path in source.glob("linden.db*"):
        shutil.copy2(path, destination)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=20, help="how long each attack lasts")
    parser.add_argument("--inputs", type=int, default=1_000_000, help="how many inputs the fuzzing tries")
    parser.add_argument("--fuzz-seconds", type=float, default=600, help="the time for them")
    parser.add_argument("--examples", type=int, default=50, help="examples of each call of the description")
    parser.add_argument("--latency", type=float, default=100, help="milliseconds that 99 of 100 other visitors wait at most")
    parser.add_argument("--hang", type=float, default=1, help="seconds within which everything is answered")
    parser.add_argument("--counting", type=float, default=15, help="seconds after an attack within which its visits are counted")
    parser.add_argument("--idle", type=int, default=10_000, help="how many idle connections are held")
    parser.add_argument("--at-once", type=int, default=200, help="how many costly calls each of two processes sends at the same time")
    parser.add_argument("--attack", action="append", choices=NAMES, help="only this one; may be repeated")
    parser.add_argument("--json", help="a file for the figures")
    return parser.parse_args()


def run(name, server, target, options):
    is_fuzzing = name == FUZZING
    seconds = options.fuzz_seconds if is_fuzzing else max(options.seconds, LEAST_SECONDS if name in attacks.HOLDING else 0)
    began = time.time()
    before = stored(server)
    with Watch(server, target) as watch, multiprocessing.Pool(PROCESSES) as pool:
        work = [(name, target, began + seconds, number, options.inputs // PROCESSES) for number in range(PROCESSES)]
        outcome = Outcome()
        for part in pool.imap_unordered(attacker, work):
            outcome.add(part)
    if not outcome.requests:
        outcome.fault("nothing was sent")
    if name in attacks.COUNTED and not has_counted(server, options.counting):
        outcome.fault(f"visits were not counted {options.counting:.0f} s after the attack")
        # It might not end before it has counted them.
        server.kill()
    grown = stored(server) - before
    earned = server.query("SELECT COALESCE(SUM(balance), 0) FROM credit_accounts WHERE identity_id IS NOT NULL")[0][0]
    # Loopback is exempt from limits, so a fast machine stores more of what it is sent; that is bounded by the limits alone.
    most = max(MOST_GROWTH, 1.2 * outcome.sent / 2**20)
    if grown > most:
        outcome.fault(f"the database grew by {grown:.0f} MiB, not {most:.0f}")
    # The corpus includes a server's calls, which grant credits with the secret.
    if earned > MOST_EARNED and not is_fuzzing:
        outcome.fault(f"made-up installs earned {earned} credits, not {MOST_EARNED}")
    row = judged(name, describe_attack(name), outcome, watch, time.time() - began, options, is_fuzzing)
    return row | {"grown_mib": round(grown), "earned": earned}


def has_counted(server, seconds):
    """Whether the server has counted all visits before so many seconds are over."""
    counted = "SELECT MAX(id) <= (SELECT through_id FROM aggregation_cursors WHERE name = 'rollups.clicks') FROM clicks"
    end = time.time() + seconds
    while time.time() < end:
        if server.query(counted)[0][0]:
            return True
        time.sleep(0.2)
    return False


def stored(server):
    """MiB of the database and its log."""
    return sum(path.stat().st_size for path in server.folder.glob("linden.db*")) / 2**20


def attacker(work):
    name, target, until, number, inputs = work
    try:
        if name == FUZZING:
            return fuzz.fuzz(target, until, number, inputs)
        return ALL[name](target, until, number)
    except OSError as error:
        outcome = Outcome()
        outcome.fault(f"the server did not take a connection: {error!r}")
        return outcome


def describe_attack(name):
    return "changed requests of the corpus" if name == FUZZING else ALL[name].__doc__


def judged(name, what, outcome, watch, seconds, options, is_fuzzing):
    """A row of the report, with what is not as it must be."""
    latency = watch.percentile(0.99) * 1000
    memory = MOST_MEMORY_IDLE if name == "idle_connections" else MOST_MEMORY
    faults = outcome.faults + watch.failures[:5]
    if latency > options.latency:
        faults.append(f"others waited {latency:.0f} ms, not {options.latency:.0f}")
    if max(watch.times, default=0) > max(options.hang, options.latency / 1000):
        faults.append(f"another visitor waited {max(watch.times):.2f} s")
    if watch.memory > memory:
        faults.append(f"the server took {watch.memory:.0f} MiB, not {memory}")
    if is_fuzzing and outcome.requests < options.inputs:
        faults.append(f"only {outcome.requests} of {options.inputs} inputs were tried in {seconds:.0f} s")
    return {
        "attack": name, "what": what, "requests": outcome.requests, "statuses": {str(code): count for code, count in sorted(
            outcome.statuses.items(), key=str)}, "slowest_s": round(outcome.slowest, 3), "others_p99_ms": round(latency, 1),
        "others_p99_ms_by_call": {kind: round(watch.percentile(0.99, kind) * 1000, 1) for kind in watch.by_call},
        "others": len(watch.times), "memory_mib": round(watch.memory), "seconds": round(seconds, 1), "faults": faults,
    }


def describe(name, server, target, options):
    """Schemathesis, which makes calls up from the served description, with the app's key and secret."""
    with tempfile.TemporaryDirectory() as folder, Watch(server, target) as watch:
        began = time.time()
        (Path(folder) / "openapi.yaml").write_text(server.get("/openapi.yaml").text)
        done = call_as_described(
            Path(folder) / "openapi.yaml", server.base_url, options.examples, ["not_a_server_error"],
            [f"Authorization: Bearer {target.token}", f"branch_key: {target.key}"])
    outcome = Outcome()
    if done.returncode:
        outcome.fault(done.stdout[-3000:])
    return judged(name, "calls made up from the description", outcome, watch, time.time() - began, options, False)


def line(row):
    statuses = " ".join(f"{code}:{count}" for code, count in row["statuses"].items())
    return (
        f"{'ok  ' if not row['faults'] else 'FAIL'} {row['attack']:26} {row['requests']:>8} requests  slowest {row['slowest_s']:6.2f} s  "
        f"others p99 {row['others_p99_ms']:6.1f} ms  memory {row['memory_mib']:4} MiB  "
        f"grown {row.get('grown_mib', 0):4} MiB  {statuses}")


if __name__ == "__main__":
    main()
