"""Customers who write through HAProxy, each on a connection of its own, and repeat what had no answer as SDKs do."""

import random
import threading
import time

from support import wire
from support.app import Session, click_id
from support.visitors import android, desktop, iphone

MIX = {"clicks": 6, "installs": 4, "links": 2, "events": 4, "credits": 2}
CREDITS = 2_000_000_000
# The time after which an SDK gives up an attempt.
PATIENCE = 5.5
# The time after which a call must have ended, with an answer or without.
LONGEST_CALL = PATIENCE + 5
# The time between two attempts, and how long after the end of the load an open call is repeated.
RETRY, GRACE = 0.2, 30


def phone(entry):
    """The only phone at its address, so that an install there matches the click of this entry or none."""
    return iphone().at(f"2001:db8:{entry >> 16:x}:{entry & 0xffff:x}::1")


class Load:
    def __init__(self, cluster, record, customers, pause, seed):
        self.cluster, self.record, self.pause = cluster, record, pause
        self.app = cluster.create_app("Orchard", "--default-url", "https://orchard.example.com/")
        self.link = self.app.create_link(data={"$desktop_url": "https://orchard.example.com/apples"})
        self.tokens = self.app.install(android()).tokens
        self.stopping = threading.Event()
        self.customers = [Customer(self, number, seed) for number in range(customers)]
        self._threads = [threading.Thread(target=customer.run, daemon=True) for customer in self.customers]

    def start(self):
        for thread in self._threads:
            thread.start()

    def stop(self):
        """Stops after the answers that are still awaited. What has none by the end of the grace stays open."""
        self.stopped_at = time.monotonic()
        self.stopping.set()
        for thread in self._threads:
            thread.join()


class Customer:
    def __init__(self, load, number, seed):
        self.load, self.app, self.record = load, load.app, load.record
        self.client, self.identity = load.cluster.client, f"customer-{number}"
        self.random = random.Random(f"{seed} {number}")
        self.browser, self.phone = desktop(), android()
        self.connection = None
        created = self.client.post("/v1/profile", {"branch_key": self.app.branch_key, "identity": self.identity}
                                   | self.app.install(android()).tokens)
        assert created.status == 200, created.text
        granted = self.client.post("/v1/credits", self.app.secret | {"identity": self.identity, "amount": CREDITS})
        assert granted.status == 200, granted.text

    def run(self):
        while not self.load.stopping.is_set():
            getattr(self, self.random.choices(list(MIX), MIX.values())[0])()
            time.sleep(self.load.pause * self.random.uniform(0.5, 1.5))
        self._close()

    # MARK: The writes

    def clicks(self):
        self._click("entry", self.record.begin("clicks"), self.browser)

    def installs(self):
        entry = self.record.begin("clicks")
        visitor = phone(entry)
        clicked = self._click("phone", entry, visitor)
        device = visitor.device | {"hardware_id": f"entry-{entry}", "is_hardware_id_real": True}
        answer = self._call("installs", entry, "/v1/install", device | self._id(entry), {"X-Forwarded-For": visitor.address})
        if answer and clicked and Session(answer.json).answer.get("link_click_id") != click_id(clicked):
            self.record.mismatched.append(entry)

    def links(self):
        entry = self.record.begin("links")
        self._call("links", entry, "/v1/url", {"channel": "sms", "data": {"entry": entry}} | self._id(entry))

    def events(self):
        entry = self.record.begin("events")
        fields = {"name": "entry", "custom_data": {"entry": entry}} | self.load.tokens | self._id(entry)
        self._call("events", entry, "/v2/event/custom", fields)

    def credits(self):
        entry = self.record.begin("credits")
        fields = self.app.secret | {"identity": self.identity, "amount": entry}
        self._call("credits", entry, "/v1/redeem", fields, {"Idempotency-Key": f"entry-{entry}"})

    @staticmethod
    def _id(entry):
        """The id by which a node recognizes a retry, also of a call to another node."""
        return {"branch_sdk_request_unique_id": f"entry-{entry}"}

    # MARK: The exchange

    def _click(self, name, entry, visitor):
        """A click is not repeated: a visitor who taps again has clicked twice."""
        target = f"/{self.load.link.rsplit('/', 1)[1]}?{name}={entry}"
        return self._attempt("clicks", entry, self.client.request("GET", target, headers=visitor.headers), 302)[0]

    def _call(self, kind, entry, target, fields, headers=None):
        self.record.begin(kind, entry)
        body = {"branch_key": self.app.branch_key} | fields
        message = self.client.request("POST", target, body, {"X-Forwarded-For": self.phone.address} | (headers or {}))
        while True:
            answer, may_succeed = self._attempt(kind, entry, message, 200)
            if answer or not may_succeed:
                return answer
            if self.load.stopping.is_set() and time.monotonic() > self.load.stopped_at + GRACE:
                return None
            time.sleep(RETRY)

    def _attempt(self, kind, entry, message, expected):
        """The answer if it acknowledges the write, and otherwise whether a retry may succeed.

        Without a primary, nodes and HAProxy answer 503 with Retry-After, or the connection ends. Any other answer is wrong.
        """
        begun = time.monotonic()
        try:
            if self.connection is None:
                self.connection = self.client.connect()
                self.connection.settimeout(PATIENCE)
            self.connection.sendall(message)
            answer = wire.read_answer(self.connection)
        except wire.CUT_OFF:
            self.record.lose(begun)
            self._close()
            return None, True
        self.record.answered(answer.status)
        if answer.headers.get("connection") == "close":
            self._close()
        if answer.status == expected:
            self.record.acknowledge(kind, entry)
            return answer, False
        if answer.status == 503 and "retry-after" in answer.headers:
            self.record.refusals.append(time.monotonic())
            return None, True
        self.record.wrong(kind, answer)
        return None, False

    def _close(self):
        if self.connection:
            self.connection.close()
            self.connection = None
