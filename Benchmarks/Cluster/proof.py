"""Injects faults under load, one after another, and compares what the cluster acknowledged with what it has stored."""

import threading
import time

import psycopg
from faults import FAULTS, OF_NODES, OUTAGES
from load import LONGEST_CALL, Load
from processes import wait_until
from record import Record

# How long the cluster may take to be whole again after a fault, and the load goes on after that.
RECOVERY, CALM = 120, 4


class Proof:
    def __init__(self, cluster, options, say):
        self.cluster, self.options, self.say = cluster, options, say
        self.record = Record()
        self.faults, self.problems = [], []

    def run(self):
        load = Load(self.cluster, self.record, self.options.customers, self.options.pause, self.options.seed)
        reader = OrderReader(self.cluster)
        self.begun = time.monotonic()
        reader.start()
        load.start()
        time.sleep(CALM)
        try:
            for turn, name in enumerate(self.options.faults):
                self._inject(name, node=turn % len(self.cluster.nodes) + 1)
        finally:
            load.stop()
        self.ended = load.stopped_at
        self._check(load, reader)

    def _inject(self, name, node):
        subject = f"{name} {node}" if name in OF_NODES else name
        self.say(subject)
        begin = time.monotonic()
        try:
            remark = FAULTS[name](self.cluster, node)
            wait_until(self.cluster.is_whole, RECOVERY, f"the cluster is whole after {subject}")
        except (TimeoutError, RuntimeError, AssertionError) as error:
            self.problems.append(f"{subject}: {error}")
            remark = "did not recover"
        time.sleep(CALM)
        self.faults.append((name, subject, begin, time.monotonic(), remark))

    def _check(self, load, reader):
        query = self.cluster.query
        self.findings = self.record.compare(query)
        self.doubled_claims = len(query(
            "SELECT click_id FROM sessions WHERE click_id IS NOT NULL GROUP BY click_id HAVING COUNT(*) > 1"))
        for complaint, rows in {
            "entries of credits do not sum to 0": query("SELECT 1 FROM credit_entries HAVING SUM(amount) <> 0"),
            "balances differ from their entries": query(
                "SELECT account_id FROM credit_entries JOIN credit_accounts ON credit_accounts.id = account_id "
                "WHERE balance IS NOT NULL GROUP BY account_id, balance HAVING SUM(amount) <> balance"),
        }.items():
            if rows:
                self.problems.append(f"{complaint}: {len(rows)}")
        self.missed_by_order = len({id_ for (id_,) in query("SELECT id FROM clicks")} - reader.finish())
        verified = self.cluster.command("verify", "--format", "json")
        if verified.status != 0:
            self.problems.append(f"linden verify: {verified.out}{verified.err}"[:2000])
        self._count_totals(load)

    def _count_totals(self, load):
        """The totals of the link must be what the log of clicks has, and so aggregated once."""
        stored = self.cluster.query("SELECT COUNT(*) FROM clicks WHERE query LIKE 'entry=%' OR query LIKE 'phone=%'")[0][0]

        def total():
            return self.cluster.ask("links", "stats", load.link)["clicks"]

        try:
            wait_until(lambda: total() == stored, 30, "the totals are counted")
        except TimeoutError:
            self.problems.append(f"the totals of the link have {total()} clicks, its log {stored}")

    def report(self):
        gaps = self.record.longest_gaps(self.begun, self.ended)
        faults = []
        for name, subject, begin, end, remark in self.faults:
            seconds = self.record.longest_gaps(begin, end)
            # One node's fault stops all writes if there is no other.
            is_limited = name not in OF_NODES or len(self.cluster.nodes) > 1
            longest, allowed = max(seconds.values()), self.options.longest_gap + OUTAGES.get(name, 0)
            faults.append({
                "fault": subject, "seconds": end - begin, "gaps": seconds, "longest_gap": longest, "remark": remark,
                "is_too_long": is_limited and longest > allowed,
            } | self.record.count_between(begin, end))
        writes = {kind: findings | {"longest_gap": gaps[kind]} for kind, findings in self.findings.items()}
        holds = not (
            self.problems or self.doubled_claims or self.missed_by_order or self.record.mismatched or self.record.wrong_answers
            or self.record.longest_loss > LONGEST_CALL or any(fault["is_too_long"] for fault in faults)
            or any(findings["lost"] or findings["doubled"] or findings["never_sent"] for findings in writes.values()))
        return {
            "nodes": len(self.cluster.nodes), "customers": self.options.customers, "seed": self.options.seed,
            "seconds": self.ended - self.begun, "writes": writes, "faults": faults, "longest_gap_allowed": self.options.longest_gap,
            "claims": {"doubled": self.doubled_claims, "mismatched": len(self.record.mismatched)},
            "missed_by_order": self.missed_by_order, "wrong_answers": dict(self.record.wrong_answers),
            "answers": dict(sorted(self.record.answers.items())),
            "cut_off": {"calls": len(self.record.losses), "longest": self.record.longest_loss, "longest_allowed": LONGEST_CALL},
            "examples": self.record.examples, "problems": self.problems, "holds": holds,
        }


class OrderReader:
    """Reads the log of clicks by ascending id, as aggregation and exports do: a row that appears behind the last id is missed."""

    def __init__(self, cluster):
        self.cluster, self.ids, self.last = cluster, set(), 0
        self.stopping = threading.Event()
        self.thread = threading.Thread(target=self._run, daemon=True)

    def start(self):
        self.last = max((id_ for (id_,) in self.cluster.query("SELECT id FROM clicks")), default=0)
        self.ids = {id_ for (id_,) in self.cluster.query("SELECT id FROM clicks")}
        self.thread.start()

    def finish(self):
        self.stopping.set()
        self.thread.join()
        with psycopg.connect(self.cluster.database, autocommit=True) as database:
            self._read(database)
        return self.ids

    def _run(self):
        while not self.stopping.is_set():
            try:
                with psycopg.connect(self.cluster.database, connect_timeout=2, autocommit=True) as database:
                    while not self.stopping.wait(0.05):
                        self._read(database)
            except psycopg.Error:
                self.stopping.wait(0.2)

    def _read(self, database):
        for (id_,) in database.execute("SELECT id FROM clicks WHERE id > %s ORDER BY id", [self.last]).fetchall():
            self.ids.add(id_)
            self.last = id_
