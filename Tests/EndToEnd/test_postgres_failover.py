"""A PostgreSQL that a test stops, promotes and sets: what becomes of a server that has it."""

import random
import shutil
import threading

import pytest

from support.command import linden
from support.host import CERTIFICATE
from support.own_postgres import USER, needs_own_postgres, own_postgres
from support.postgres import needs_postgres
from support.server import Server, running
from support.volume import volume
from support.waiting import eventually

pytestmark = [needs_postgres, needs_own_postgres]


@pytest.fixture
def primary():
    with own_postgres() as primary:
        yield primary


@pytest.fixture
def server(tmp_path, primary):
    """A server that is not started yet."""
    server = Server(tmp_path)
    server.database = primary.url()
    return server


def create_link(server, app):
    return server.post("/v1/url", {"branch_key": app.branch_key, "data": {"number": 1}})


def assert_refuses(server, app):
    eventually(lambda: server.get("/readyz").status == 503)
    refused = create_link(server, app)
    assert refused.status == 503
    assert "retry-after" in refused.headers


def assert_answers(server, app):
    eventually(lambda: server.get("/readyz").status == 200, within=10)
    assert create_link(server, app).status == 200


def wait_for_replay(primary, standby):
    """A primary that stops at once sends nothing more."""
    newest = primary.psql("SELECT pg_current_wal_lsn()")
    eventually(lambda: standby.psql(f"SELECT pg_last_wal_replay_lsn() >= '{newest}'") == "t")


def test_a_server_takes_the_primary_of_two_hosts_whichever_is_named_first(primary, server):
    with primary.standby() as standby:
        server.database = f"postgres://linden@127.0.0.1:{standby.port},127.0.0.1:{primary.port}/linden"
        with running(server):
            app = server.create_app("Orchard")
            assert create_link(server, app).status == 200
            wait_for_replay(primary, standby)
            primary.stop()
            assert_refuses(server, app)
            standby.psql("SELECT pg_promote()")
            assert_answers(server, app)


def test_a_server_that_connects_again_to_a_standby_is_not_ready_until_that_is_the_primary(primary, server):
    with primary.standby() as standby, running(server):
        app = server.create_app("Orchard")
        assert create_link(server, app).status == 200
        wait_for_replay(primary, standby)
        # The address moves to the other machine before that is promoted.
        standby.stop()
        primary.stop()
        standby.port = primary.port
        standby.start()
        for _ in range(5):
            assert_refuses(server, app)
            assert server.get("/healthz").status == 200
        standby.psql("SELECT pg_promote()")
        assert_answers(server, app)


def test_a_commit_whose_wait_for_the_standby_is_cancelled_is_not_acknowledged(primary, server):
    with running(server):
        app = server.create_app("Orchard")
        assert create_link(server, app).status == 200
        primary.psql("ALTER SYSTEM SET synchronous_standby_names = 'absent'")
        with cancelling(primary):
            primary.psql("SELECT pg_reload_conf()")
            eventually(lambda: create_link(server, app).status == 503, within=10)
            refused = create_link(server, app)
            assert refused.status == 503
            assert "has not confirmed" in refused.text
            assert "retry-after" in refused.headers
            primary.psql("ALTER SYSTEM RESET synchronous_standby_names")
            primary.psql("SELECT pg_reload_conf()")
            eventually(lambda: create_link(server, app).status == 200, within=10)
        assert_answers(server, app)
        assert server.command("verify").status == 0


class cancelling:
    """Cancels all waits of commits for a standby, meanwhile."""

    def __init__(self, primary):
        self.primary, self.stopping = primary, threading.Event()
        self.thread = threading.Thread(target=self.run)

    def run(self):
        while not self.stopping.wait(0.05):
            self.primary.psql("SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'")

    def __enter__(self):
        self.thread.start()

    def __exit__(self, *_):
        self.stopping.set()
        self.thread.join()


def test_a_full_disk_stops_writes_until_there_is_room_and_nothing_is_half_written(primary, server):
    with volume(primary.folder / "disk", megabytes=40) as disk:
        space = disk.folder / "space"
        space.mkdir()
        if USER:
            shutil.chown(space, USER["user"], USER["group"])
        primary.psql(f"CREATE TABLESPACE small LOCATION '{space}'")
        primary.psql("CREATE DATABASE pears TABLESPACE small TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C'")
        server.database = primary.url("pears")
        with running(server):
            app = server.create_app("Orchard")
            answers = []

            def create_large_link():
                # PostgreSQL compresses long values, so it gets one that it cannot.
                answers.append(server.post("/v1/url", {"branch_key": app.branch_key, "data": {"note": random.randbytes(9000).hex()}}))
                return answers[-1].status

            assert create_large_link() == 200
            disk.fill()
            eventually(lambda: create_large_link() == 503)
            assert "The disk of the database is full." in answers[-1].text
            assert "retry-after" in answers[-1].headers
            disk.make_room()
            eventually(lambda: create_large_link() == 200)
            assert {answer.status for answer in answers} == {200, 503}
            stored = primary.psql("SELECT COUNT(*) FROM links", "pears")
            assert int(stored) == sum(answer.status == 200 for answer in answers)
            assert server.command("verify").status == 0
        primary.psql("DROP DATABASE pears WITH (FORCE)")
        primary.psql("DROP TABLESPACE small")


def test_a_wrong_password_is_said_in_one_line_without_it(primary):
    rules = primary.data / "pg_hba.conf"
    rules.write_text("host all pears all scram-sha-256\n" + rules.read_text())
    primary.psql("CREATE ROLE pears LOGIN PASSWORD 'apples'")
    primary.psql("SELECT pg_reload_conf()")

    done = linden("apps", "list", "--database", primary.url(user="pears:oranges"))

    assert done.status > 0
    assert "postgres://pears@127.0.0.1" in done.complaint
    assert 'password authentication failed for user "pears"' in done.complaint
    assert len(done.err.strip().splitlines()) == 1
    assert "oranges" not in done.err


def test_a_connection_is_encrypted_and_its_certificate_is_checked_as_the_url_says(primary, server):
    for name in ("server.crt", "server.key"):
        shutil.copy(CERTIFICATE, primary.data / name)
        (primary.data / name).chmod(0o600)
        if USER:
            shutil.chown(primary.data / name, USER["user"], USER["group"])
    rules = primary.data / "pg_hba.conf"
    rules.write_text("local all all trust\nhostssl linden linden all trust\nhostnossl postgres linden all trust\n")
    primary.psql("ALTER SYSTEM SET ssl = on", "postgres")
    primary.psql("SELECT pg_reload_conf()", "postgres")

    # The certificate is not one of the host 127.0.0.1.
    server.database = f"{primary.url()}?sslmode=verify-ca&sslrootcert={CERTIFICATE}"
    with running(server):
        assert create_link(server, server.create_app("Orchard")).status == 200
    for parameters, problem in [
            ("sslmode=disable", "no encryption"), (f"sslmode=verify-full&sslrootcert={CERTIFICATE}", "does not match host name")]:
        done = linden("apps", "list", "--database", f"{primary.url(user='linden:pears')}?{parameters}")
        assert done.status > 0
        assert problem in done.complaint
        assert "pears" not in done.err


def test_a_host_that_is_down_is_passed_over(primary, server):
    server.database = f"postgres://linden@127.0.0.1:1,127.0.0.1:{primary.port}/linden"
    with running(server):
        assert create_link(server, server.create_app("Orchard")).status == 200
