"""Customers who write as fast as they are answered, each on a connection of its own, and keep a ledger of it."""

import random
import threading
from collections import Counter

from . import wire
from .visitors import android, desktop, iphone

MIX = {"redirects": 10, "phones": 4, "creations": 3, "sessions": 3, "events": 3, "redemptions": 1}
CREDITS = 2_000_000_000
# Writes that are repeated rather than retried: a visitor who taps again has clicked twice.
CLICKS = {"redirects", "phones"}


def phone(entry):
    """The only phone at its address, so that an install there matches the click of this entry or none."""
    return iphone().at(f"2001:db8:{entry >> 16:x}:{entry & 0xffff:x}::1")


class Load:
    """Customers of one app, who continue with the same ledger after each restart of the server."""

    def __init__(self, app, ledger, customers=16, seed=1):
        self.app, self.ledger = app, ledger
        self.link = app.create_link(data={"$desktop_url": "https://orchard.example.com/apples"})
        self.tokens = app.install(android()).tokens
        self.refusals = Counter()
        self.customers = [Customer(self, number, seed) for number in range(customers)]

    def start(self):
        self._stopping = threading.Event()
        self._threads = [threading.Thread(target=customer.run, args=[self._stopping]) for customer in self.customers]
        for thread in self._threads:
            thread.start()

    def join(self):
        """Waits until the server is gone for all customers."""
        for thread in self._threads:
            thread.join()

    def stop(self):
        """Stops the load after the responses that are still awaited."""
        self._stopping.set()
        self.join()


class Customer:
    def __init__(self, load, number, seed):
        self.app, self.ledger, self.refusals, self.link, self.tokens = load.app, load.ledger, load.refusals, load.link, load.tokens
        self.port, self.identity = load.app.server.port, f"customer-{number}"
        self.random = random.Random(f"{seed} {number}")
        self.browser, self.phone = desktop(), android()
        # What had no answer when the server went away, and is sent again as SDKs do.
        self.unanswered = None
        created = self.app.server.post("/v1/profile", {"branch_key": self.app.branch_key, "identity": self.identity}
                                       | self.app.install(android()).tokens)
        assert created.status == 200, created.text
        given = self.app.server.post("/v1/credits", self.app.secret | {"identity": self.identity, "amount": CREDITS})
        assert given.status == 200, given.text

    def run(self, stopping):
        try:
            with wire.connect(self.port) as connection:
                while not stopping.is_set():
                    self.write(connection)
        except wire.CUT_OFF:
            pass

    def write(self, connection):
        kind, entry = self.unanswered or (self.random.choices(list(MIX), MIX.values())[0], None)
        entry = self.ledger.begin(kind, entry)
        self.unanswered = None if kind in CLICKS else (kind, entry)
        connection.sendall(getattr(self, kind)(entry))
        answer = wire.read_answer(connection)
        self.unanswered = None
        if answer.status == (302 if kind in CLICKS else 200):
            self.ledger.acknowledge(kind, entry)
        else:
            self.refusals[answer.status] += 1
        if answer.headers.get("connection") == "close":
            raise ConnectionResetError("the server says good-bye")

    # MARK: The requests

    def redirects(self, entry):
        return self.click(f"entry={entry}", self.browser)

    def phones(self, entry):
        return self.click(f"phone={entry}", phone(entry))

    def creations(self, entry):
        return self.call("/v1/url", {"channel": "sms", "data": {"entry": entry}} | self.id(entry))

    def sessions(self, entry):
        device = self.phone.device | {"hardware_id": f"entry-{entry}", "is_hardware_id_real": True}
        return self.call("/v1/install", device | self.id(entry))

    def events(self, entry):
        return self.call("/v2/event/custom", {"name": "entry", "custom_data": {"entry": entry}} | self.tokens | self.id(entry))

    def redemptions(self, entry):
        fields = self.app.secret | {"identity": self.identity, "amount": entry}
        return self.call("/v1/redeem", fields, {"Idempotency-Key": f"entry-{entry}"})

    def id(self, entry):
        """The id by which the server recognizes a retry."""
        return {"branch_sdk_request_unique_id": f"entry-{entry}"}

    def click(self, query, visitor):
        target = "/" + self.link.rsplit("/", 1)[1] + "?" + query
        return wire.request(self.port, "GET", target, headers={"Connection": "keep-alive"} | visitor.headers)

    def call(self, target, fields, headers=None):
        return wire.request(
            self.port, "POST", target, {"branch_key": self.app.branch_key} | fields,
            {"Connection": "keep-alive", "X-Forwarded-For": self.phone.address} | (headers or {}))
