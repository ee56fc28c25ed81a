"""The load generator: wrk, sending prepared requests over connections that are kept."""

import json
import os
import subprocess
from pathlib import Path

THREADS = 2


def write_requests(path, requests):
    with open(path, "wb") as file:
        for request in requests:
            file.write(b"%d\n" % len(request))
            file.write(request)


def run(ports, requests, seconds, connections):
    """What came of it, sent to all ports alike: requests, seconds, latencies in milliseconds, and answers that were errors or did not come."""
    done = subprocess.run(
        ["wrk", f"-t{THREADS}", f"-c{max(connections, THREADS)}", f"-d{seconds}s", "--timeout", "10s",
         "-s", Path(__file__).with_name("wrk.lua"), f"http://127.0.0.1:{ports[0]}/", "--", requests, str(THREADS)],
        env=os.environ | {"PORTS": " ".join(map(str, ports))}, capture_output=True, text=True, timeout=seconds + 60)
    lines = [line for line in done.stdout.splitlines() if line.startswith("RESULT ")]
    if not lines:
        raise RuntimeError(f"wrk failed:\n{done.stdout}{done.stderr}")
    return json.loads(lines[0].removeprefix("RESULT "))
