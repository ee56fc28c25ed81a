"""Limits on the rate and the storage of calls by strangers."""

import time
from contextlib import contextmanager

import pytest

from support.server import Server, running
from support.visitors import desktop, iphone
from support.waiting import eventually

REFUSED = "Requests were refused"


@contextmanager
def limited(folder, **settings):
    """A server with the given limits; `create_link_address="5/min"` is `limits.create_link.address`."""
    names = {f"LINDEN_LIMITS_{name.upper()}": str(value) for name, value in settings.items()}
    with running(Server(folder, names)) as server:
        yield server


def create(app, address, secret=None, **fields):
    body = {"branch_key": app.branch_key} | ({"branch_secret": secret} if secret else {}) | fields
    return app.server.post("/v1/url", body, {"X-Forwarded-For": address})


def created(app, count, address, secret=None):
    """The number of links that were created, and the last response."""
    answers = [create(app, address, secret) for _ in range(count)]
    assert {answer.status for answer in answers} <= {200, 429}
    return sum(answer.status == 200 for answer in answers), answers[-1]


def test_a_stranger_with_several_addresses_leaves_the_apps_users_and_its_server_their_shares(tmp_path):
    with limited(tmp_path, create_link_address="20/h", create_link_key="200/h", create_link_secret="40/h") as server:
        app = server.create_app("Orchard", "--default-url", "https://orchard.example.com/")

        for address in ["203.0.113.7", "203.0.113.8", "2001:db8:1:2::1"]:
            assert created(app, 30, address)[0] == 20
        assert created(app, 5, "2001:db8:1:2:ffff::2")[0] == 0, "the /64 is one address"

        assert created(app, 10, "198.51.100.1")[0] == 10
        assert created(app, 50, "203.0.113.7", secret="wrong")[0] == 0
        assert created(app, 50, "203.0.113.7", secret=app.branch_secret)[0] == 40

        count, refused = created(app, 1, "203.0.113.7")
        assert refused.json["error"]["code"] == 429 and "20/h" in refused.json["error"]["message"]
        eventually(lambda: "limits.create_link.address" in server.log)
        time.sleep(1.5)
        lines = [line for line in server.log.splitlines() if REFUSED in line]
        assert len(lines) == len({line.split("setting=")[1].split()[0] + line.split("by=")[1] for line in lines}), "once a minute and reason"


def test_retry_after_is_honest(tmp_path):
    with limited(tmp_path, session_address="30/min") as server:
        app, phone = server.create_app("Orchard"), iphone()
        body = {"branch_key": app.branch_key} | phone.device

        def opened():
            return server.post("/v1/open", body, {"X-Forwarded-For": phone.address})

        answers = [opened() for _ in range(31)]
        assert [answer.status for answer in answers] == [200] * 30 + [429]
        wait = int(answers[-1].headers["retry-after"])
        assert 1 <= wait <= 3
        time.sleep(wait)
        assert opened().status == 200


def test_visits_of_one_address_are_limited_and_others_go_on(tmp_path):
    with limited(tmp_path, visit_address="10/min") as server:
        app = server.create_app("Orchard", "--default-url", "https://orchard.example.com/")
        url, flood = app.create_link(), desktop()
        statuses = [app.click(url, flood).status for _ in range(15)]
        assert statuses == [302] * 10 + [429] * 5
        refused = app.click(url, flood)
        assert refused.headers["content-type"].startswith("text/html") and int(refused.headers["retry-after"]) > 0
        assert app.click(url, desktop()).status == 302
        assert server.answers("/healthz") and server.answers("/readyz"), "a flood does not take the server out of a load balancer"


def test_bytes_have_a_budget_beside_the_count(tmp_path):
    with limited(tmp_path, store_address="200000/h") as server:
        app = server.create_app("Orchard")
        large = {"data": {"text": "x" * 40_000}}
        assert [create(app, "203.0.113.7", **large).status for _ in range(6)] == [200] * 4 + [429] * 2
        event = {"branch_key": app.branch_key, "name": "harvest", "custom_data": {"text": "x" * 40_000}}
        assert server.post("/v2/event/custom", event, {"X-Forwarded-For": "203.0.113.7"}).status == 429
        assert create(app, "198.51.100.1", **large).status == 200
        assert create(app, "203.0.113.7", secret=app.branch_secret, **large).status == 200


def test_every_link_of_a_bulk_request_counts(tmp_path):
    with limited(tmp_path, create_link_address="500/min") as server:
        app = server.create_app("Orchard")
        statuses = [server.post(f"/v1/url/bulk/{app.branch_key}", [{}] * 400, {"X-Forwarded-For": "203.0.113.7"}).status for _ in range(2)]
        assert statuses == [200, 429]


@pytest.mark.parametrize("networks, passed", [(None, 10), ("none", 2), ("203.0.113.0/24,2001:db8::/32", 2)])
def test_loopback_is_exempt_unless_the_setting_names_other_networks(tmp_path, networks, passed):
    settings = {"exempt_networks": networks} if networks else {}
    with limited(tmp_path, create_link_address="2/min", **settings) as server:
        app = server.create_app("Orchard")
        answers = [server.post("/v1/url", {"branch_key": app.branch_key}) for _ in range(10)]
        assert sum(answer.status == 200 for answer in answers) == passed
        if networks and "203" in networks:
            assert created(app, 10, "203.0.113.7")[0] == 10
            assert created(app, 10, "2001:db8::1")[0] == 10


def test_limits_may_be_off_and_the_doctor_says_so(tmp_path):
    with limited(tmp_path, enabled="false", create_link_address="2/min") as server:
        app = server.create_app("Orchard")
        assert created(app, 10, "203.0.113.7")[0] == 10

        def findings(settings):
            done = server.command("doctor", "app", app.branch_key, "--format", "json", settings=settings)
            return [check["status"] for check in done.json["checks"] if check["check"] == "server.limits"]

        assert findings({"LINDEN_LIMITS_ENABLED": "false"}) == ["warning"]
        assert findings({}) == []


def test_below_the_floor_of_free_disk_visits_go_on_and_writes_are_refused(tmp_path):
    with running(Server(tmp_path)) as server:
        app = server.create_app("Orchard", "--default-url", "https://orchard.example.com/")
        url = app.create_link()
    # No disk has so much.
    server.settings |= {"LINDEN_LIMITS_MIN_FREE_DISK": str(1 << 50)}
    server.launch()
    try:
        eventually(lambda: server.answers("/healthz"))
        refused = server.post("/v1/install", {"branch_key": app.branch_key} | iphone().device)
        assert refused.status == 503 and refused.headers["retry-after"] == "60"
        assert "limits.min_free_disk" in refused.json["error"]["message"]
        assert create(app, "203.0.113.7").status == 503
        assert server.get("/readyz").status == 503
        assert app.read(url)["data"]["url"] == url
        before = server.rows()["clicks"]
        assert app.click(url, desktop()).status == 302
        assert server.rows()["clicks"] == before + 1, "and is recorded: nothing acknowledged is lost"
        for _ in range(20):
            create(app, "203.0.113.7")
        eventually(lambda: "Writes were refused" in server.log)
        time.sleep(1.2)
        assert server.log.count("Writes were refused") == 1
    finally:
        server.stop()


def test_what_sessions_keep_of_a_links_data_counts_against_the_bytes_that_may_be_stored(tmp_path):
    """A call of 200 bytes may store a link's 60 KB."""
    with limited(tmp_path, store_address="1000000/h", store_key="100000000/h", session_address="1000/min") as server:
        app = server.create_app("Orchard", "--default-url", "https://orchard.example.com/")
        link = create(app, "198.51.100.1", data={"pear": "g" * 60_000}).json["url"]

        statuses = [
            server.post("/v1/install", {
                "branch_key": app.branch_key, "os": "iOS", "hardware_id": f"phone-{number}", "is_hardware_id_real": True,
                "universal_link_url": link}, {"X-Forwarded-For": "203.0.113.7"}).status
            for number in range(20)]

        assert statuses.count(200) < 12 and set(statuses) == {200, 429}


def test_long_queries_of_visits_count_against_the_bytes_that_may_be_stored(tmp_path):
    with limited(tmp_path, store_address="100000/h") as server:
        app = server.create_app("Orchard", "--default-url", "https://orchard.example.com/")
        link, visitor = app.create_link(), iphone()

        long = [app.click(link, visitor, "?x=" + "g" * 10_000).status for _ in range(15)]
        assert set(long[:9]) <= {200, 302, 307} and long[-1] == 429
        assert app.click(link, visitor, "?x=g").status != 429
