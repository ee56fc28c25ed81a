"""Credits over real sockets: concurrent calls, and a crash."""

import threading
import time

import pytest

from support import wire
from support.credits import Credits
from support.visitors import android, iphone


def test_64_who_redeem_at_once_never_overdraw(app):
    credits = Credits(app)
    credits.give("ann", 1000)
    taken, start = [], threading.Barrier(64)

    def redeem(number):
        start.wait()
        for step in range(5):
            amount = 3 + (number + step) % 7
            answer = credits.redeem("ann", amount)
            assert answer.status in (200, 402), answer.text
            if answer.status == 200:
                taken.append(amount)

    threads = [threading.Thread(target=redeem, args=[number]) for number in range(64)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    left = credits.of("ann")["default"]
    assert sum(taken) + left == 1000
    assert left < 9, "a redemption was refused although the balance sufficed"
    assert credits.verify()[0] == 0


class Spender(threading.Thread):
    """Redeems one credit after another until the server is gone, and counts the acknowledged ones."""

    def __init__(self, credits, identity):
        super().__init__()
        self.credits, self.identity, self.acknowledged = credits, identity, 0

    def run(self):
        try:
            while True:
                answer = self.credits.redeem(self.identity, 1, {"Idempotency-Key": f"{self.identity} {self.acknowledged}"})
                assert answer.status == 200, answer.text
                self.acknowledged += 1
        except Exception as error:
            self.end = error


@pytest.mark.parametrize("seconds", [0.3, 0.9])
def test_a_killed_server_has_lost_no_redemption_and_its_books_are_right(own_server, seconds):
    credits = Credits(own_server.create_app())
    spenders = [Spender(credits, f"user-{number}") for number in range(8)]
    for spender in spenders:
        credits.give(spender.identity, 100_000)

    for spender in spenders:
        spender.start()
    time.sleep(seconds)
    own_server.kill()
    for spender in spenders:
        spender.join()
    own_server.start()

    assert all(isinstance(spender.end, wire.CUT_OFF) for spender in spenders)
    assert all(spender.acknowledged for spender in spenders)
    status, report = credits.verify()
    assert status == 0, report
    for spender in spenders:
        # The one that was under way may have been done or not. Trying it again does not do it twice.
        left = credits.of(spender.identity)["default"]
        assert left in (100_000 - spender.acknowledged, 100_000 - spender.acknowledged - 1)
        retry = credits.redeem(spender.identity, 1, {"Idempotency-Key": f"{spender.identity} {spender.acknowledged}"})
        assert retry.status == 200
        assert credits.of(spender.identity)["default"] == 100_000 - spender.acknowledged - 1


def test_the_story_of_an_old_sdk(app, server):
    server.ask("rewards", "add", "--app", app.branch_key, "--event", "install", "--reward", "both", "--amount", "10")
    old = {"sdk": "ios0.25.9"}
    ann = app.install(iphone(), **old, identity="ann").answer
    link = app.create_link(identity_id=ann["identity_id"], channel="sms")
    phone = iphone()
    app.click(link, phone)
    bob = app.install(phone, **old).answer
    server.post("/v1/profile", {"branch_key": app.branch_key, "identity": "bob"} | {
        name: bob[name] for name in ("identity_id", "device_fingerprint_id", "session_id")})

    def load_rewards(user):
        return server.get(f"/v1/credits/{user['identity_id']}?sdk=ios0.25.9&retryNumber=0&branch_key={app.branch_key}").json

    assert load_rewards(ann) == load_rewards(bob) == {"default": 10}
    tokens = {"branch_key": app.branch_key} | {
        name: ann[name] for name in ("identity_id", "device_fingerprint_id", "session_id")}
    redeem = {"bucket": "default", "amount": 4, "retryNumber": 0}
    assert server.post("/v1/redeem", tokens | redeem).status == 200
    assert server.post("/v1/redeem", tokens | redeem | {"amount": 7}).refusal(402).startswith("There are only 6")
    spent, earned = server.post("/v1/credithistory", tokens | {"length": 100, "direction": "desc"}).json
    assert (spent["transaction"]["type"], spent["transaction"]["amount"]) == (2, -4)
    assert (earned["transaction"]["type"], earned["transaction"]["amount"]) == (0, 10)
    assert (earned["referrer"], earned["referree"]) == (None, "bob")
    assert earned["event"]["name"] == "install"


def test_an_install_on_android_is_rewarded_while_the_server_runs(app, server):
    """The running server applies a rule of the command line at once."""

    def install():
        """Reports an install from a link and returns its user's credits."""
        user = app.install(android(), android_app_link_url=app.create_link()).answer["identity_id"]
        return server.get(f"/v1/credits/{user}").json

    assert install() == {"default": 0}
    rule = server.ask(
        "rewards", "add", "--app", app.branch_key, "--event", "install", "--reward", "actor", "--amount", "5", "--bucket", "gold")
    assert install() == {"default": 0, "gold": 5}
    server.ask("rewards", "pause", rule["id"], "--app", app.branch_key)
    assert install() == {"default": 0}
