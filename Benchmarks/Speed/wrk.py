"""The load generator: wrk, sending prepared requests over connections that are kept."""

import json
import subprocess
from pathlib import Path

THREADS = 2


def write_requests(path, requests):
    with open(path, "wb") as file:
        for request in requests:
            file.write(b"%d\n" % len(request))
            file.write(request)


def run(port, requests, seconds, connections):
    """What came of it: requests, seconds, latencies in milliseconds, and answers that were errors or did not come."""
    done = subprocess.run(
        ["wrk", f"-t{THREADS}", f"-c{max(connections, THREADS)}", f"-d{seconds}s", "--timeout", "10s",
         "-s", Path(__file__).with_name("wrk.lua"), f"http://127.0.0.1:{port}/", "--", requests, str(THREADS)],
        capture_output=True, text=True, timeout=seconds + 60)
    lines = [line for line in done.stdout.splitlines() if line.startswith("RESULT ")]
    if not lines:
        raise RuntimeError(f"wrk failed:\n{done.stdout}{done.stderr}")
    return json.loads(lines[0].removeprefix("RESULT "))
