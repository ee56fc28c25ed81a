"""A ledger of writes: what a server acknowledged, held against what its database says."""

import threading
from collections import Counter
from dataclasses import dataclass, field
from itertools import count

# For each kind of write, the numbers of its entries as the database has them, one row for each time it was done.
STORED = {
    "redirects": "SELECT CAST(SUBSTR(query, 7) AS INTEGER) FROM clicks WHERE query LIKE 'entry=%'",
    "phones": "SELECT CAST(SUBSTR(query, 7) AS INTEGER) FROM clicks WHERE query LIKE 'phone=%'",
    "creations": "SELECT JSON_EXTRACT(data, '$.entry') FROM links WHERE data LIKE '{\"entry\":%'",
    "sessions": "SELECT CAST(SUBSTR(hardware_id, 7) AS INTEGER) FROM sessions JOIN devices ON devices.id = device_id "
                "WHERE hardware_id LIKE 'entry-%'",
    "events": "SELECT JSON_EXTRACT(body, '$.custom_data.entry') FROM events WHERE name = 'entry'",
    # Entry 17 redeems 17 credits.
    "redemptions": "SELECT -amount FROM credit_entries JOIN credit_transactions ON credit_transactions.id = transaction_id "
                   "JOIN credit_accounts ON credit_accounts.id = account_id WHERE kind = 2 AND identity_id IS NOT NULL",
}


@dataclass
class Findings:
    """The deviations found, as kind and entry, and the number of writes that were done without being acknowledged."""

    lost: list = field(default_factory=list)
    doubled: list = field(default_factory=list)
    # Neither acknowledged nor under way.
    invented: list = field(default_factory=list)
    unanswered: int = 0

    @property
    def is_clean(self):
        return not (self.lost or self.doubled or self.invented)


class Ledger:
    def __init__(self):
        self.acknowledged = {kind: set() for kind in STORED}
        # Sent, with no answer or with one that says it was not done.
        self.open = {kind: set() for kind in STORED}
        self._numbers = count(1)
        self._lock = threading.Lock()

    def begin(self, kind, entry=None):
        """Records that a write is sent: a new one, or a retry of one without a response."""
        with self._lock:
            entry = entry or next(self._numbers)
            self.open[kind].add(entry)
            return entry

    def acknowledge(self, kind, entry):
        with self._lock:
            self.open[kind].discard(entry)
            self.acknowledged[kind].add(entry)

    @property
    def count(self):
        return sum(map(len, self.acknowledged.values()))

    def compare(self, server):
        """Checks that each acknowledged write is stored once, and each open one at most once. The result is the state from now on."""
        findings = Findings()
        for kind, sql in STORED.items():
            stored = Counter(entry for (entry,) in server.query(sql))
            acknowledged, open_ = self.acknowledged[kind], self.open[kind]
            findings.lost += [(kind, entry) for entry in sorted(acknowledged - stored.keys())]
            findings.doubled += [(kind, entry) for entry, times in stored.items() if times > 1]
            findings.invented += [(kind, entry) for entry in stored.keys() - acknowledged - open_]
            done = open_ & stored.keys()
            findings.unanswered += len(done)
            acknowledged |= done
            open_.clear()
        return findings
