"""The PostgreSQL that the environment's LINDEN_TEST_POSTGRES names."""

import os
import shutil
import socket
import subprocess
import tempfile
import time
import uuid
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from .server import free_port

POSTGRES = os.environ.get("LINDEN_TEST_POSTGRES")
needs_postgres = pytest.mark.skipif(POSTGRES is None, reason="There is no PostgreSQL.")
PGBOUNCER = shutil.which("pgbouncer", path=f"{os.environ['PATH']}:/usr/sbin")
needs_pgbouncer = pytest.mark.skipif(PGBOUNCER is None, reason="There is no PgBouncer.")


def psql(commands, database=POSTGRES):
    """Runs commands, and returns the rows of a query as text."""
    return subprocess.run(
        ["psql", "--quiet", "--no-psqlrc", "--tuples-only", "--no-align", "--set=ON_ERROR_STOP=1", "--command", commands, database],
        check=True, capture_output=True, text=True).stdout.strip()


@contextmanager
def new_database():
    """The name of a database, which is dropped afterwards."""
    name = f"linden_{uuid.uuid4().hex[:12]}"
    psql(f"CREATE DATABASE {name} TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C'")
    try:
        yield name
    finally:
        psql(f"DROP DATABASE {name} WITH (FORCE)")


def url(name):
    return f"{POSTGRES.rpartition('/')[0]}/{name}"


@contextmanager
def pooled(name, sessions):
    """The URL of a database through a PgBouncer in transaction mode that has so many sessions, and its process."""
    server, port = urlsplit(POSTGRES), free_port()
    # PgBouncer refuses to run as root, so its user must be able to read the folder.
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        folder.chmod(0o755)
        (folder / "users.txt").write_text(f'"{server.username}" ""\n')
        (folder / "pgbouncer.ini").write_text(f"""
[databases]
{name} = host={server.hostname} port={server.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
auth_type = trust
auth_file = {folder}/users.txt
pool_mode = transaction
default_pool_size = {sessions}
query_wait_timeout = 10
server_login_retry = 1
""")
        user = ["-u", "postgres"] if os.getuid() == 0 else []
        with open(folder / "log", "w") as log:
            process = subprocess.Popen([PGBOUNCER, "--quiet", *user, str(folder / "pgbouncer.ini")], stdout=log, stderr=log)
        try:
            wait_for(port, process, folder / "log")
            yield f"postgres://{server.username}@127.0.0.1:{port}/{name}", process
        finally:
            process.kill()
            process.wait()


def wait_for(port, process, log):
    """Waits until a process listens on a port."""
    deadline = time.monotonic() + 10
    while True:
        try:
            return socket.create_connection(("127.0.0.1", port)).close()
        except ConnectionRefusedError:
            assert process.poll() is None and time.monotonic() < deadline, log.read_text()
            time.sleep(0.01)
