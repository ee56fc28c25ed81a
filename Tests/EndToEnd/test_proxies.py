"""A proxy missing from `http.trusted_proxies` is reported, since all visitors behind it would count as one."""

import pytest

from support.server import Server, running
from support.visitors import iphone
from support.waiting import eventually

WARNING = "Forwarded addresses were ignored"


@pytest.fixture
def server(tmp_path):
    with running(Server(tmp_path, {"LINDEN_HTTP_TRUSTED_PROXIES": "10.0.0.0/8"})) as server:
        yield server


def findings(server, *subject):
    done = server.command("doctor", *subject, "--format", "json")
    return [check["detail"] for check in done.json["checks"] if check["check"] == "server.proxies"]


def test_the_doctor_and_the_log_name_the_proxy_and_the_setting(server):
    app = server.create_app("Orchard", "--ios-uri-scheme", "orchard", "--domain", "go.orchard.example")
    assert findings(server, "app", app.branch_key) == []
    url = app.create_link()

    app.click(url, iphone())

    eventually(lambda: findings(server, "app", app.branch_key) != [])
    (detail,) = findings(server, "app", app.branch_key)
    assert '127.0.0.1 is not in http.trusted_proxies' in detail and 'add "127.0.0.1"' in detail
    assert findings(server, "domain", "go.orchard.example") == [detail]
    line = next(line for line in server.log.splitlines() if WARNING in line)
    assert "127.0.0.1" in line and "http.trusted_proxies" in line

    # Known links are answered ahead of the router, and count too. Nothing more is logged within the minute.
    for _ in range(20):
        app.click(url, iphone())
    assert server.log.count(WARNING) == 1


def test_a_server_that_trusts_the_proxy_says_nothing_of_it_any_more(server):
    app = server.create_app()
    server.get("/nothing", {"X-Forwarded-For": "203.0.113.7"})
    eventually(lambda: findings(server, "app", app.branch_key) != [])
    server.stop()

    server.settings["LINDEN_HTTP_TRUSTED_PROXIES"] = "127.0.0.0/8"
    server.start()
    server.get("/nothing", {"X-Forwarded-For": "203.0.113.7"})

    eventually(lambda: findings(server, "app", app.branch_key) == [])
    assert server.log.count(WARNING) == 1


def test_a_trusted_proxy_that_forwards_no_address_is_named(tmp_path):
    with running(Server(tmp_path)) as server:
        app = server.create_app("Orchard", "--ios-uri-scheme", "orchard")
        url = app.create_link()
        for _ in range(3):
            app.click(url, iphone().at("unknown"))
        eventually(lambda: findings(server, "app", app.branch_key) != [])
        (detail,) = findings(server, "app", app.branch_key)
        assert "127.0.0.1 is a trusted proxy" in detail and "no IP address" in detail
        assert server.query("SELECT DISTINCT address FROM clicks") == [("",)]
        line = next(line for line in server.log.splitlines() if "without the IP address of their client" in line)
        assert "127.0.0.1" in line
