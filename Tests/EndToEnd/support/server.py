"""A `linden serve` process on a free port, with a database of its own."""

import itertools
import os
import random
import signal
import socket
import sqlite3
import subprocess
import time
from contextlib import closing, contextmanager

from . import wire
from .app import App
from .command import BINARY, environment, linden


class Server:
    def __init__(self, folder, settings=None):
        self.folder = folder
        self.path = folder / "linden.db"
        self.database = f"sqlite:{self.path}"
        self.port = free_port()
        self.base_url = f"http://127.0.0.1:{self.port}"
        # Each visitor says in X-Forwarded-For where it comes from.
        self.settings = {"LINDEN_HTTP_TRUSTED_PROXIES": "127.0.0.1"} | (settings or {})
        self.process = None

    # MARK: The process

    def launch(self):
        """Starts the process without waiting for it."""
        arguments = ["serve", "--host", "127.0.0.1", "--port", str(self.port), "--database", self.database,
                     "--base-url", self.base_url]
        with open(self.folder / "server.log", "ab") as log:
            self.process = subprocess.Popen(
                [BINARY, *arguments], env=environment(self.settings), stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def start(self):
        """Waits until the server responds."""
        self.launch()
        deadline = time.monotonic() + wire.PATIENCE
        while not self.answers("/readyz"):
            assert self.process.poll() is None, f"the server ended by itself:\n{self.log}"
            assert time.monotonic() < deadline, f"the server is not ready:\n{self.log}"
            time.sleep(0.005)
        return self

    def answers(self, path="/healthz"):
        try:
            return self.get(path).status == 200
        except wire.CUT_OFF:
            return False

    def terminate(self):
        self.process.send_signal(signal.SIGTERM)

    def stop(self):
        """Stops the server gracefully."""
        self.terminate()
        assert self.wait() == 0, self.log

    def kill(self):
        """Kills the server, like a crash or a power failure."""
        self.process.kill()
        self.wait()

    def wait(self):
        try:
            return self.process.wait(timeout=wire.PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise

    @property
    def is_running(self):
        return self.process is not None and self.process.poll() is None

    @property
    def log(self):
        return (self.folder / "server.log").read_text()

    # MARK: HTTP

    def send(self, method, target, body=b"", headers=None):
        return wire.exchange(self.port, wire.request(self.port, method, target, body, headers))

    def get(self, target, headers=None):
        return self.send("GET", target, headers=headers)

    def post(self, target, body, headers=None):
        return self.send("POST", target, body, headers)

    def put(self, target, body, headers=None):
        return self.send("PUT", target, body, headers)

    # MARK: Beside the server

    def command(self, *arguments, **options):
        """Runs a command on the server's database, with its settings of the storage."""
        options.setdefault("settings", {name: value for name, value in self.settings.items() if name.startswith("LINDEN_STORAGE_")})
        return linden(*arguments, "--database", self.database, **options)

    def ask(self, *arguments):
        """The JSON output of a command that succeeds."""
        done = self.command(*arguments, "--format", "json")
        assert done.status == 0, done.err
        return done.json

    def create_app(self, name="Orchard", *flags):
        return App(self, **self.ask("apps", "create", name, *flags))

    def rows(self):
        """The number of rows of each table, without those that the server maintains in the background."""
        with self._reading() as database:
            tables = {name for (name,) in database.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
            kept = {"nodes", "installation", "aggregation_cursors", "device_profiles", "device_shares", "proxy_faults", "refused_urls", "link_days", "robot_hours", "object_days", "rollups", "rollup_values", "rollup_shares", "rollup_changes", "uncounted_changes", "rollup_devices"}
            return {table: count(database, table) for table in tables - kept}

    def aggregated_days(self):
        """The number of daily totals of links."""
        with self._reading() as database:
            return count(database, "link_days")

    def query(self, sql):
        """Queries the database directly."""
        with self._reading() as database:
            return database.execute(sql).fetchall()

    def _reading(self):
        return closing(sqlite3.connect(f"file:{self.path}?mode=ro", uri=True, timeout=wire.PATIENCE))


@contextmanager
def running(server):
    """Starts a server, and asserts at the end that it stops cleanly."""
    try:
        yield server.start()
        if server.is_running:
            server.stop()
    finally:
        if server.is_running:
            server.kill()


def count(database, table):
    return database.execute(f"SELECT COUNT(*) FROM {table}").fetchone()[0]


WORKER = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
# Each process of these tests has a range of its own, outside those of outgoing connections.
PORTS = range(12_000 + 2000 * WORKER, 14_000 + 2000 * WORKER)
next_port = itertools.cycle(random.sample(PORTS, len(PORTS)))


def free_port():
    """A port that nothing listens on and that was not returned before."""
    for port in next_port:
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
                return port
            except OSError:
                continue
