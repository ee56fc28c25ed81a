"""Credits, reward rules and verification of the ledger on the command line."""

import sqlite3
import time

import pytest

from support.credits import Credits
from support.visitors import android
from support.waiting import eventually


@pytest.fixture
def credits(app):
    return Credits(app)


def test_an_operator_gives_takes_and_undoes(credits):
    grant = credits.ask("grant", "ann", "10", "--bucket", "gold")
    assert (grant["kind"], grant["amount"], grant["balance"]) == ("grant", 10, 10)
    redemption = credits.ask("redeem", "ann", "4", "--bucket", "gold")
    assert credits.ask("balance", "ann") == {"default": 0, "gold": 6}
    assert credits.ask("balance", "ann", "--bucket", "gold") == {"gold": 6}

    reversal = credits.ask("reverse", redemption["transaction"])
    assert (reversal["amount"], reversal["balance"]) == (4, 10)
    refused = credits.command("reverse", redemption["transaction"])
    assert refused.status == 1 and "reversed before" in refused.complaint
    lines = credits.ask("history", "ann")
    assert [line["amount"] for line in lines] == [4, -4, 10]
    assert lines[0]["reverses"] == redemption["transaction"]
    assert credits.verify()[0] == 0


def test_a_key_makes_a_command_safe_to_be_tried_again(credits):
    first = credits.ask("grant", "ann", "10", "--idempotency-key", "bonus")
    assert credits.ask("grant", "ann", "10", "--idempotency-key", "bonus") == first
    refused = credits.command("redeem", "ann", "10", "--idempotency-key", "bonus")
    assert refused.status == 1 and "another call" in refused.complaint
    assert credits.ask("balance", "ann") == {"default": 10}


@pytest.mark.parametrize(("arguments", "complaint"), [
    (["grant", "ann", "0"], "amount must be"), (["grant", "ann", "-5"], "amount must be"), (["grant", "ann", "1.5"], "amount must be"),
    (["grant", "ann", "99999999999"], "amount must be"), (["grant", "ann", "1", "--bucket", "x" * 64], "bucket must have"),
    (["grant", "ann", "1", "--expires-at", "2001-01-01T00:00:00Z"], "must be in the future"),
    (["redeem", "stranger", "1"], "no such identity"), (["balance", "stranger"], "no such identity"),
    (["history", "stranger"], "no such identity"), (["balance", "ann", "--bucket", "never"], "no bucket never"),
    (["redeem", "ann", "6"], "only 5 credits"), (["reverse", "12345"], "no transaction 12345"),
])
def test_a_wrong_command_says_why_and_writes_nothing(credits, server, arguments, complaint):
    credits.ask("grant", "ann", "5")
    before = server.rows()
    done = credits.command(*arguments)
    assert done.status == 1 and complaint in done.complaint
    assert server.rows() == before


def test_an_invalid_amount_is_distinguished_from_an_option(credits, server, app):
    rule = ["rewards", "add", "--app", app.branch_key, "--event", "play", "--reward", "actor", "--amount"]
    refused = server.command(*rule, "-1")
    assert refused.status == 1 and "amount must be" in refused.complaint
    refused = server.command(*rule, "1", "--cap-per-day", "-1")
    assert refused.status == 1 and "cap per day must be" in refused.complaint
    for arguments, complaint in [
        (["grant", "ann", "5", "--bukcet", "gold"], "Unknown option '--bukcet'"), (["grant", "ann", "5", "6"], "one amount"),
        (["grant", "ann"], "amount"),
    ]:
        refused = credits.command(*arguments)
        assert refused.status == 64 and complaint in refused.err
    assert credits.ask("grant", "ann", "5", "--bucket", "gold")["balance"] == 5


def test_a_rule_that_is_added_again_is_the_one_that_is_there(server, app):
    rule = [
        "rewards", "add", "--app", app.branch_key, "--event", "purchase", "--reward", "actor", "--idempotency-key", "purchases",
        "--amount"]
    first = server.ask(*rule, "5")
    assert server.ask(*rule, "5") == first
    refused = server.command(*rule, "6")
    assert refused.status == 1 and "another call" in refused.complaint
    assert server.ask("rewards", "list", "--app", app.branch_key) == [first]


def test_rules_are_listed_paused_and_removed(server, app):
    rule = server.ask(
        "rewards", "add", "--app", app.branch_key, "--event", "purchase", "--reward", "referrer", "--amount", "5",
        "--filter", "plan=gold", "--first-only", "--cap-per-day", "3")
    assert (rule["event"], rule["reward"], rule["filter"]) == ("PURCHASE", "referrer", {"plan": "gold"})
    assert (rule["first_only"], rule["cap_per_day"], rule["paused"]) == (True, 3, False)
    assert server.ask("rewards", "list", "--app", app.branch_key) == [rule]
    server.ask("rewards", "pause", rule["id"], "--app", app.branch_key)
    assert server.ask("rewards", "list", "--app", app.branch_key)[0]["paused"] is True
    server.ask("rewards", "resume", rule["id"], "--app", app.branch_key)
    server.ask("rewards", "remove", rule["id"], "--app", app.branch_key, "--yes")
    assert server.ask("rewards", "list", "--app", app.branch_key) == []
    assert server.command("rewards", "remove", rule["id"], "--app", app.branch_key).status == 1


def test_credits_that_end_are_taken_back_by_the_server(credits):
    end = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + 2))
    credits.ask("grant", "eve", "7", "--expires-at", end)
    eventually(lambda: credits.of("eve") == {"default": 0}, within=6)
    assert [line["source"] for line in credits.ask("history", "eve")] == ["expiry", "operator"]


def test_rewards_that_something_speaks_against_wait_for_the_operator(server, app):
    server.ask("apps", "update", app.branch_key, "--set", "fraud.emulators=true")
    server.ask("rewards", "add", "--app", app.branch_key, "--event", "install", "--reward", "actor", "--amount", "5")
    users = [
        app.install(android(), model="sdk_gphone64_x86_64", android_app_link_url=app.create_link()).answer["identity_id"] for _ in range(2)]
    held = server.ask("rewards", "held", "--app", app.branch_key)
    shown = [server.ask("identities", "show", user, "--app", app.branch_key)["identity_id"] for user in users]
    assert [each["identity"] for each in held] == shown
    assert held[0]["reasons"] == ["It is an emulator."] and held[0]["amount"] == 5

    server.ask("rewards", "release", held[0]["id"], "--app", app.branch_key)
    server.ask("rewards", "refuse", held[1]["id"], "--app", app.branch_key, "--yes")
    assert [server.get(f"/v1/credits/{user}").json["default"] for user in users] == [5, 0]
    assert server.ask("rewards", "held", "--app", app.branch_key) == []
    (given,) = Credits(app).ask("history", users[0])
    assert Credits(app).ask("reverse", given["transaction"], "--fraud")["balance"] == 0
    assert [line["kind"] for line in Credits(app).ask("history", users[0])] == ["fraud", "reward"]
    refused = server.command("apps", "update", app.branch_key, "--set", "fraud.installs_per_address=many")
    assert refused.status == 1 and "whole number" in refused.complaint


@pytest.mark.parametrize(("damage", "check"), [
    ("UPDATE credit_accounts SET balance = balance + 1 WHERE identity_id IS NOT NULL", "credits.balances"),
    ("UPDATE credit_entries SET amount = amount + 1 WHERE balance_after IS NULL", "credits.transactions"),
    ("DELETE FROM credit_entries WHERE balance_after = 6", "credits.transactions"),
    ("UPDATE credit_entries SET balance_after = 9 WHERE balance_after = 10", "credits.order"),
    ("UPDATE expiring_credits SET remaining = 99", "credits.expiring"),
])
def test_verify_finds_a_ledger_that_was_changed(own_server, damage, check):
    credits = Credits(own_server.create_app())
    credits.ask("grant", "ann", "10", "--expires-at", "2040-01-01T00:00:00Z")
    credits.ask("redeem", "ann", "4")
    assert credits.verify()[0] == 0
    with sqlite3.connect(own_server.path, timeout=10) as database:
        assert database.execute(damage).rowcount > 0

    status, report = credits.verify()
    assert status == 1 and report["ok"] is False
    (found,) = [each for each in report["checks"] if each["check"] == check]
    assert found["ok"] is False and found["problems"]


def test_the_doctor_names_what_an_app_leaves_open(server, app):
    def open_settings():
        report = server.ask("doctor", "app", app.branch_key)
        warnings = [check["check"] for check in report["checks"] if check["status"] == "warning"]
        return [name for name in warnings if not name.startswith("attribution.")]

    closable = ["credits.read_by_key", "credits.claim_by_name", "credits.client_redeem", "credits.client_apply"]
    assert open_settings() == ["security", *closable]
    for setting in closable:
        server.ask("apps", "update", app.branch_key, "--set", setting + "=false")
    assert open_settings() == []
    refused = server.command("apps", "update", app.branch_key, "--set", "credits.read_by_key=perhaps")
    assert refused.status == 1 and "true or false" in refused.complaint
