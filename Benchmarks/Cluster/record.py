"""A record of writes through the cluster: what was acknowledged and when, held against what the database has."""

import threading
import time
from collections import Counter
from itertools import count, pairwise

# For each kind of write, the numbers of its entries as PostgreSQL has them, one row for each time it was done.
STORED = {
    "clicks": "SELECT CAST(SUBSTR(query, 7) AS BIGINT) FROM clicks WHERE query LIKE 'entry=%' OR query LIKE 'phone=%'",
    "links": "SELECT CAST(data::json ->> 'entry' AS BIGINT) FROM links WHERE data LIKE '{\"entry\":%'",
    "installs": "SELECT CAST(SUBSTR(hardware_id, 7) AS BIGINT) FROM sessions JOIN devices ON devices.id = device_id "
                "WHERE hardware_id LIKE 'entry-%'",
    "events": "SELECT CAST(body::json -> 'custom_data' ->> 'entry' AS BIGINT) FROM events WHERE name = 'entry'",
    # Entry 17 redeems 17 credits.
    "credits": "SELECT -amount FROM credit_entries JOIN credit_transactions ON credit_transactions.id = transaction_id "
               "JOIN credit_accounts ON credit_accounts.id = account_id WHERE kind = 2 AND identity_id IS NOT NULL",
}


class Record:
    def __init__(self):
        # The moment of each acknowledgement, by kind and entry.
        self.acknowledged = {kind: {} for kind in STORED}
        # Sent, and so far without an answer that says whether it was done.
        self.open = {kind: set() for kind in STORED}
        # Moments of answers with 503, and of connections that ended without an answer.
        self.refusals, self.losses = [], []
        # The longest time after which a connection ended without an answer, in seconds.
        self.longest_loss = 0.0
        # The number of answers by status.
        self.answers = Counter()
        # Other answers, with an example each. There must be none.
        self.wrong_answers, self.examples = Counter(), {}
        # Installs whose click was acknowledged and that were given another click, or none.
        self.mismatched = []
        self._numbers, self._lock = count(1), threading.Lock()

    def begin(self, kind, entry=None):
        with self._lock:
            entry = entry or next(self._numbers)
            self.open[kind].add(entry)
            return entry

    def acknowledge(self, kind, entry):
        with self._lock:
            self.open[kind].discard(entry)
            self.acknowledged[kind][entry] = time.monotonic()

    def answered(self, status):
        with self._lock:
            self.answers[status] += 1

    def lose(self, begun):
        with self._lock:
            self.losses.append(time.monotonic())
            self.longest_loss = max(self.longest_loss, time.monotonic() - begun)

    def wrong(self, kind, answer):
        with self._lock:
            self.wrong_answers[f"{kind}: {answer.status}"] += 1
            self.examples.setdefault(f"{kind}: {answer.status}", answer.text[:300])

    def compare(self, query):
        """What became of each kind of write, by a function that runs a query."""
        findings = {}
        for kind, sql in STORED.items():
            stored = Counter(entry for (entry,) in query(sql))
            acknowledged, open_ = self.acknowledged[kind].keys(), self.open[kind]
            findings[kind] = {
                "acknowledged": len(acknowledged), "stored": sum(stored.values()),
                "lost": len(acknowledged - stored.keys()), "doubled": sum(times - 1 for times in stored.values()),
                "unanswered": len(open_ & stored.keys()), "never_sent": len(stored.keys() - acknowledged - open_),
            }
        return findings

    def longest_gaps(self, begin, end):
        """For each kind, the longest time without an acknowledgement between two moments, in seconds."""
        return {kind: longest(begin, end, moments.values()) for kind, moments in self.acknowledged.items()}

    def count_between(self, begin, end):
        def within(moments):
            return sum(begin <= moment <= end for moment in moments)

        return {
            "acknowledged": sum(within(moments.values()) for moments in self.acknowledged.values()),
            "refused": within(self.refusals), "cut_off": within(self.losses),
        }


def longest(begin, end, moments):
    marks = [begin, *sorted(moment for moment in moments if begin < moment < end), end]
    return max(after - before for before, after in pairwise(marks))
