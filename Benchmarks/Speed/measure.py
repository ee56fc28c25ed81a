"""One arm's turn in a round."""

from contextlib import nullcontext

import wrk
from arms import settle
from process import usage
from trickle import trickling

# The requests per second for which the first turn is prepared, before a rate is known.
FIRST_GUESS = 3000


class Measurement:
    """Remembers how fast each arm is, so that enough requests are prepared that can be sent only once."""

    def __init__(self, seconds, connections):
        self.seconds, self.connections = seconds, connections
        self.rates = {}

    def take(self, load, arm, seconds=None):
        seconds = seconds or self.seconds
        prepared = int(self.rates.get((load, arm.name), FIRST_GUESS) * seconds * 1.5) + self.connections
        requests = load.prepare(arm, prepared)
        beside = self.beside(arm, seconds)
        before, fsyncs = usage(arm.pids), arm.fsyncs and arm.fsyncs.count
        with beside:
            result = wrk.run(arm.ports, requests, seconds, self.connections)
        resident = usage(arm.pids).resident_bytes
        # Includes the CPU time and writes of deferred work, such as aggregation.
        after = settle(arm)
        count = max(result["requests"], 1)
        rate = count / result["seconds"]
        self.rates[load, arm.name] = rate
        return {
            "requests_per_second": rate,
            "p50_ms": result["p50_ms"], "p99_ms": result["p99_ms"], "p999_ms": result["p999_ms"],
            "cpu_us": (after.cpu_seconds - before.cpu_seconds) * 1e6 / count,
            "resident_mb": resident / 1e6,
            "fsyncs": (arm.fsyncs.count - fsyncs) / count if arm.fsyncs else None,
            "written_bytes": (after.written_bytes - before.written_bytes) / count,
            "requests": result["requests"],
            "failed": result["wrong_status"] + result["broken"] + load.failures(arm),
        }

    @staticmethod
    def beside(arm, seconds):
        """What comes to an arm beside the load."""
        if arm.trickle is None:
            return nullcontext()
        load, rate = arm.trickle
        return trickling(arm.port, rate, load.prepare(arm, int(rate * (seconds + 5))))
