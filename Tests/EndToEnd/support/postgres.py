"""The PostgreSQL that the environment's LINDEN_TEST_POSTGRES names."""

import os
import subprocess
import uuid
from contextlib import contextmanager

import pytest

POSTGRES = os.environ.get("LINDEN_TEST_POSTGRES")
needs_postgres = pytest.mark.skipif(POSTGRES is None, reason="There is no PostgreSQL.")


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
