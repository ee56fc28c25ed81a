"""A server with its database on PostgreSQL, which the environment's LINDEN_TEST_POSTGRES names."""

import signal
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from support import wire
from support.app import click_id
from support.clock import Clock
from support.command import linden
from support.postgres import needs_pgbouncer, needs_postgres, new_database, pooled, psql, url
from support.server import Server, free_port, running
from support.visitors import desktop, iphone
from support.waiting import eventually


@pytest.fixture
def postgres_server(tmp_path):
    """A server that is not started yet, on a database of its own."""
    with new_database() as name:
        server = Server(tmp_path)
        server.database = url(name)
        server.name = name
        yield server


@needs_postgres
def test_what_was_acknowledged_outlives_a_killed_server_and_lost_connections(postgres_server):
    with running(postgres_server) as server:
        app = server.create_app("Orchard", "--ios-uri-scheme", "orchard")
        link, visitor, other = app.create_link(data={"number": 1}), iphone(), iphone()
        click = click_id(app.click(link, visitor))

        server.kill()
        server.start()
        session = app.install(visitor)
        assert session.data["number"] == 1
        assert session.answer["link_click_id"] == click

        psql(f"SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = '{server.name}'")
        click = click_id(app.click(link, other))
        assert app.install(other).answer["link_click_id"] == click
        assert server.command("verify").status == 0


@needs_postgres
def test_servers_on_one_database_are_one_installation(postgres_server, tmp_path_factory):
    with running(postgres_server) as first:
        second = Server(tmp_path_factory.mktemp("second"))
        second.database, second.base_url = first.database, first.base_url
        with running(second):
            app = first.create_app("Orchard", "--ios-uri-scheme", "orchard", "--default-url", "https://orchard.example.com")
            other = replace(app, server=second)
            visitor = iphone()
            link = app.create_link(data={"number": 1, "$desktop_url": "https://orchard.example.com/old"})
            click = click_id(other.click(link, visitor))
            assert app.install(visitor).answer["link_click_id"] == click

            changed = {"data": {"number": 2, "$desktop_url": "https://orchard.example.com/new"}}
            assert first.put(app.link(link), app.secret | changed).status == 200
            eventually(lambda: other.click(link, desktop()).location.startswith("https://orchard.example.com/new"))

            first.kill()
            visitor = iphone()
            click = click_id(other.click(link, visitor))
            assert other.install(visitor).answer["link_click_id"] == click
            assert second.command("verify").status == 0


@needs_postgres
def test_a_server_whose_clock_is_ahead_of_the_databases_is_not_ready_until_it_is_right(postgres_server, tmp_path):
    clock = Clock(tmp_path)
    postgres_server.settings |= clock.environment
    with running(postgres_server) as server:
        app = server.create_app("Orchard")
        link = {"branch_key": app.branch_key, "data": {"number": 1}}
        clock.set(3600)
        eventually(lambda: server.get("/readyz").status == 503)
        refused = server.post("/v1/url", link)
        assert refused.status == 503
        assert "retry-after" in refused.headers
        assert "seconds ahead of the database's" in server.log

        clock.set(0)
        eventually(lambda: server.get("/readyz").status == 200)
        assert server.post("/v1/url", link).status == 200


@pytest.fixture
def pooled_servers(tmp_path_factory):
    """Two servers that are not started yet, on one database behind a PgBouncer with fewer sessions than they have connections."""
    with new_database() as name, pooled(name, sessions=4) as (address, _):
        servers = [Server(tmp_path_factory.mktemp(f"server{number}"), {"LINDEN_STORAGE_PREPARED": "off"}) for number in range(2)]
        for server in servers:
            server.database, server.name = address, name
            server.base_url = servers[0].base_url
        yield servers


def leaders(name):
    """The sessions of PostgreSQL that hold the lock of the leader."""
    return psql("SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted AND classid = 1281978980 "
                f"AND database = (SELECT oid FROM pg_database WHERE datname = '{name}')").split()


@needs_postgres
@needs_pgbouncer
def test_servers_behind_pgbouncer_share_its_sessions(pooled_servers):
    first, second = pooled_servers
    with running(first), running(second):
        app = first.create_app("Orchard", "--ios-uri-scheme", "orchard", "--default-url", "https://orchard.example.com")
        other = replace(app, server=second)
        link = app.create_link(data={"number": 1, "$desktop_url": "https://orchard.example.com/old"})
        # Those who click at the same time need more transactions than there are sessions.
        visitors = [iphone() for _ in range(40)]
        with ThreadPoolExecutor(16) as threads:
            clicks = list(threads.map(lambda visitor: click_id(other.click(link, visitor)), visitors))
            installs = list(threads.map(app.install, visitors))
        assert [install.answer["link_click_id"] for install in installs] == clicks
        assert int(psql(f"SELECT COUNT(*) FROM pg_stat_activity WHERE datname = '{first.name}' AND backend_type = 'client backend'")) <= 4
        assert int(psql("SELECT COUNT(*) FROM pg_prepared_statements", first.database)) == 0

        changed = {"data": {"number": 2, "$desktop_url": "https://orchard.example.com/new"}}
        assert first.put(app.link(link), app.secret | changed).status == 200
        eventually(lambda: other.click(link, desktop()).location.startswith("https://orchard.example.com/new"))


@needs_postgres
@needs_pgbouncer
def test_one_of_the_servers_behind_pgbouncer_leads_and_lost_sessions_are_opened_again(pooled_servers):
    first, second = pooled_servers
    with running(first), running(second):
        app = replace(first.create_app("Orchard", "--ios-uri-scheme", "orchard"), server=second)
        link = app.create_link(data={"number": 1})
        eventually(lambda: len(leaders(first.name)) == 1)
        before = leaders(first.name)
        psql(f"SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = '{first.name}'")
        eventually(lambda: len(leaders(first.name)) == 1 and leaders(first.name) != before)

        first.kill()
        eventually(lambda: len(leaders(first.name)) == 1)
        visitor = iphone()
        click = click_id(app.click(link, visitor))
        assert app.install(visitor).answer["link_click_id"] == click
        assert second.command("verify").status == 0


@needs_postgres
@needs_pgbouncer
def test_a_server_whose_pooler_does_not_answer_leads_no_longer(tmp_path):
    def leads():
        text = wire.exchange(admin, wire.request(admin, "GET", "/metrics", b"", None)).text
        return "\nlinden_leader 1\n" in text

    admin = free_port()
    with new_database() as name, pooled(name, sessions=4) as (address, pooler):
        server = Server(tmp_path, {"LINDEN_STORAGE_PREPARED": "off", "LINDEN_HTTP_ADMIN_ADDRESS": f"127.0.0.1:{admin}"})
        server.database = address
        with running(server):
            eventually(leads)
            pooler.send_signal(signal.SIGSTOP)
            try:
                # PostgreSQL gives its lock to another server after ten seconds.
                eventually(lambda: not leads(), within=10)
                assert server.get("/readyz").status == 503
            finally:
                pooler.send_signal(signal.SIGCONT)
            eventually(leads)


@pytest.mark.parametrize("settings, url, reason", [
    ({"LINDEN_STORAGE_DURABILITY": "normal"}, "postgres://linden@127.0.0.1:1/linden", "storage.prepared"),
    ({}, "postgres://linden@127.0.0.1:1/linden?options=-csearch_path%3Dpears", "ALTER ROLE"),
])
def test_what_a_pooler_cannot_do_is_said_in_one_line(settings, url, reason):
    done = linden("apps", "list", "--database", url, settings={"LINDEN_STORAGE_PREPARED": "off"} | settings)

    assert done.status > 0
    assert reason in done.complaint


@pytest.mark.parametrize("command", [("backup", "backups"), ("restore", "backup.db")])
def test_backups_of_postgresql_are_left_to_its_own_tools(command):
    done = linden(*command, "--database", "postgres://linden:pears@localhost/linden")

    assert done.status > 0
    assert "pg_dump" in done.complaint
    assert "pears" not in done.err


@pytest.mark.parametrize("url", ["postgres://linden:pears@127.0.0.1:1/linden", "postgres://linden:pe%ars@127.0.0.1/linden",
                                 "postgres://linden:pears@127.0.0.1/linden?colour=green"])
def test_a_database_that_cannot_be_reached_is_named_in_one_line_without_its_password(url):
    done = linden("apps", "list", "--database", url)

    assert done.status > 0
    assert "postgres://" in done.complaint
    assert len(done.err.strip().splitlines()) == 1
    assert "ars" not in done.err
