"""A PostgreSQL of a test's own, with standbys: what a test may stop, promote and set."""

import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

import pytest

from .postgres import psql, wait_for
from .server import free_port


def programs():
    """The folder of the newest PostgreSQL's programs; None without one."""
    versions = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(re.sub(r"\D", "", path.parts[4]) or 0))
    initdb = versions[-1] if versions else shutil.which("initdb")
    return Path(initdb).parent if initdb else None


PROGRAMS = programs()
needs_own_postgres = pytest.mark.skipif(PROGRAMS is None, reason="There are no programs of PostgreSQL.")
# PostgreSQL refuses to run as root.
USER = {"user": "postgres", "group": "postgres", "extra_groups": []} if os.getuid() == 0 else {}


class Postgres:
    def __init__(self, folder):
        self.folder, self.port, self.process = folder, free_port(), None

    @property
    def data(self):
        return self.folder / "data"

    def run(self, program, *arguments):
        subprocess.run([PROGRAMS / program, *arguments], check=True, capture_output=True, cwd=self.folder, **USER)

    def start(self):
        log = self.folder / "log"
        settings = [f"port={self.port}", "listen_addresses=127.0.0.1", "unix_socket_directories=", "fsync=off", "shared_buffers=16MB"]
        with open(log, "ab") as file:
            self.process = subprocess.Popen(
                [PROGRAMS / "postgres", "-D", self.data, *(part for setting in settings for part in ("-c", setting))],
                cwd=self.folder, stdout=file, stderr=file, **USER)
        wait_for(self.port, self.process, log)
        deadline = time.monotonic() + 20
        while subprocess.run([PROGRAMS / "pg_isready", "-q", "-h", "127.0.0.1", "-p", str(self.port)]).returncode != 0:
            assert self.process.poll() is None and time.monotonic() < deadline, log.read_text()
            time.sleep(0.05)

    def stop(self):
        """Stops it at once, as a crash does."""
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGQUIT)
            self.process.wait(timeout=20)

    def url(self, database="linden", user="linden"):
        return f"postgres://{user}@127.0.0.1:{self.port}/{database}"

    def psql(self, commands, database="linden"):
        return psql(commands, self.url(database))

    @contextmanager
    def standby(self):
        """A standby that follows this server."""
        with folder() as other:
            standby = Postgres(other)
            standby.run("pg_basebackup", "-d", self.url("postgres"), "-D", standby.data, "--write-recovery-conf", "--checkpoint=fast")
            with started(standby):
                yield standby


@contextmanager
def own_postgres():
    """A server of PostgreSQL with an empty database `linden`."""
    with folder() as own:
        server = Postgres(own)
        server.run("initdb", "-D", server.data, "-U", "linden", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
        with started(server):
            server.psql("CREATE DATABASE linden TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C'", "postgres")
            yield server


@contextmanager
def started(server):
    try:
        server.start()
        yield server
    finally:
        server.stop()


@contextmanager
def folder():
    """A folder of PostgreSQL's user."""
    with tempfile.TemporaryDirectory() as path:
        if USER:
            shutil.chown(path, USER["user"], USER["group"])
        yield Path(path)
