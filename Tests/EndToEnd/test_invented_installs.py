"""Faked installs: with the public key, anyone can report them, from any number of addresses."""

import pytest

from support.credits import Credits
from support.server import Server, running
from support.visitors import iphone


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """A server without request limits, so that those of rewards apply."""
    with running(Server(tmp_path_factory.mktemp("linden"), {"LINDEN_LIMITS_EXEMPT_NETWORKS": "198.18.0.0/15,127.0.0.0/8"})) as server:
        yield server


def phone_elsewhere(number):
    """A phone in its own network."""
    return iphone().at(f"198.{18 + number // 200}.{number % 200}.7")


def test_300_invented_installs_earn_nothing_and_300_with_a_link_no_more_than_a_day_allows(app, server):
    server.ask("rewards", "add", "--app", app.branch_key, "--event", "install", "--reward", "actor", "--amount", "10")
    for number in range(300):
        app.install(phone_elsewhere(number))
    issued = "SELECT COALESCE(SUM(balance), 0) FROM credit_accounts WHERE identity_id IS NOT NULL"
    assert server.query(issued) == [(0,)]

    # A stranger can make the link, too.
    link = app.create_link()
    for number in range(300):
        app.install(phone_elsewhere(number), universal_link_url=link)
    assert server.query(issued) == [(1000,)]
    held = server.ask("rewards", "held", "--app", app.branch_key, "--limit", "1000")
    assert len(held) == 200 and "fraud.rewards_per_day" in held[0]["reasons"][0]
    assert Credits(app).verify()[0] == 0


def test_100_from_one_address_wait_after_the_first_20(app, server):
    server.ask("rewards", "add", "--app", app.branch_key, "--event", "install", "--reward", "actor", "--amount", "10")
    link, address = app.create_link(), iphone().address
    users = [app.install(iphone().at(address), universal_link_url=link).answer["identity_id"] for _ in range(100)]

    earned = [server.get(f"/v1/credits/{user}").json["default"] for user in users]
    assert earned == [10] * 20 + [0] * 80
    held = server.ask("rewards", "held", "--app", app.branch_key, "--limit", "1000")
    assert "fraud.rewards_per_address" in held[0]["reasons"][0]
    server.ask("rewards", "release", held[0]["id"], "--app", app.branch_key)
    assert server.get(f"/v1/credits/{users[20]}").json["default"] == 10

    # The rest is decided on together.
    assert server.ask("rewards", "held", "--app", app.branch_key, "--address", held[0]["address"], "--limit", "1000") == held[1:]
    assert server.ask("rewards", "held", "--app", app.branch_key, "--since", "2020-01-01", "--network", "192.0.2.0/24") == []
    unasked = server.command("rewards", "refuse", "--all", "--address", address, "--app", app.branch_key)
    assert unasked.status == 64 and "Refuse 79 held rewards?" in unasked.complaint
    refused = server.ask("rewards", "refuse", "--all", "--address", address, "--app", app.branch_key, "--yes")
    assert refused == {"refused": 79}
    assert server.ask("rewards", "held", "--app", app.branch_key) == []
    for wrong in (["1", "--all"], [], ["1", "--rule", "2"]):
        assert server.command("rewards", "release", *wrong, "--app", app.branch_key).status == 64


def test_the_doctor_says_what_is_open_and_how_to_close_it(app, server):
    def checks():
        return {row["check"]: row for row in server.ask("doctor", "app", app.app_id)["checks"]}

    assert checks()["security"]["status"] == "warning"
    assert f"linden apps update {app.app_id} --set security=strict" in checks()["security"]["detail"]
    assert checks()["credits.client_redeem"]["status"] == checks()["credits.claim_by_name"]["status"] == "warning"

    server.ask("apps", "update", app.app_id, "--set", "security=strict")
    closed = checks()
    assert {row["status"] for name, row in closed.items() if name == "security" or name.startswith("credits.")} == {"ok"}

    server.ask("apps", "update", app.app_id, "--set", "fraud.rewards_per_day=off")
    assert checks()["fraud.rewards_per_day"]["status"] == "warning"
