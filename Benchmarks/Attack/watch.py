"""What other visitors and the machine notice of an attack."""

import os
import sys
import threading
import time
from pathlib import Path

from support import wire


class Watch:
    """Visits another app's link, creates links with that app's secret, opens the app and asks for the server's health while an attack
    runs, from addresses of its own, and samples the memory of the server."""

    def __init__(self, server, target):
        self.server = server
        self.target = target
        # Seconds of each call, by its kind.
        self.by_call = {}
        self.failures = []
        self.memory = 0
        self._stop = threading.Event()
        self._threads = [threading.Thread(target=task, daemon=True) for task in (self._visit, self._sample)]

    def __enter__(self):
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self._stop.set()
        for thread in self._threads:
            thread.join()

    def _visit(self):
        # Visitors have machines of their own: the attackers' processes must not keep theirs from being run.
        try:
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), -10)
        except PermissionError:
            print("Without root, the attackers' processes delay the visitors' clock, too.", file=sys.stderr)
        headers = {"User-Agent": "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X)"}
        link = {"branch_key": self.target.others_key, "branch_secret": self.target.others_secret, "channel": "mail"}
        opened = {
            "branch_key": self.target.others_key, "os": "Android", "os_version": "14", "hardware_id": "watch",
            "is_hardware_id_real": True}
        visit = ("visit", lambda: self.server.get(self.target.others, headers), (302, 307))
        calls = 18 * [visit] + [
            ("create", lambda: self.server.post("/v1/url", link, headers), (200,)), ("health", lambda: self.server.get("/healthz"), (200,)),
            ("open", lambda: self.server.post("/v1/open", opened, headers), (200,))]
        number = 0
        while not self._stop.is_set():
            kind, call, expected = calls[number % len(calls)]
            number += 1
            # As many addresses as visitors: one would reach the limits of an address within some minutes.
            headers["X-Forwarded-For"] = f"198.51.100.{number % 200}"
            began = time.monotonic()
            try:
                answer = call()
                if answer.status not in expected:
                    self.failures.append(f"another caller was answered {answer.status}: {answer.text[:200]}")
            except wire.CUT_OFF as error:
                self.failures.append(f"another caller was not answered: {error!r}")
            self.by_call.setdefault(kind, []).append(time.monotonic() - began)
            self._stop.wait(0.01)

    def _sample(self):
        status = Path(f"/proc/{self.server.process.pid}/status")
        while not self._stop.wait(0.05):
            if not self.server.is_running:
                self.failures.append("the server ended")
                return
            for line in status.read_text().splitlines():
                if line.startswith("VmRSS:"):
                    self.memory = max(self.memory, int(line.split()[1]) / 1024)

    @property
    def times(self):
        return [seconds for times in self.by_call.values() for seconds in times]

    def percentile(self, part, kind=None):
        """Seconds, of all calls or of one kind."""
        ordered = sorted(self.by_call[kind] if kind else self.times)
        return ordered[min(len(ordered) - 1, int(len(ordered) * part))] if ordered else float("inf")
