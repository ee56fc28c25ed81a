"""Kills a server under load, again and again, and looks each time whether it kept its word."""

import random
import time
from dataclasses import dataclass, field

from .ledger import Findings, Ledger
from .load import Load, phone

# Clicks that are matched after each restart.
MATCHED = 40


@dataclass
class Proof:
    ledger: Ledger
    kills: int = 0
    findings: list[Findings] = field(default_factory=list)
    # What `PRAGMA integrity_check` and `linden verify` complain of.
    damages: list[str] = field(default_factory=list)
    refusals: dict[int, int] = field(default_factory=dict)
    # From the start of the process to the first answer.
    restarts: list[float] = field(default_factory=list)
    # Clicks on phones whose installs were started, and those whose installs did not match exactly once.
    matched: set[int] = field(default_factory=set)
    mismatched: list[int] = field(default_factory=list)

    @property
    def lost(self):
        return [entry for findings in self.findings for entry in findings.lost]

    @property
    def doubled(self):
        return [entry for findings in self.findings for entry in findings.doubled + findings.invented]

    @property
    def holds(self):
        return not (self.lost or self.doubled or self.damages or self.refusals or self.mismatched)


def prove(server, kills, seed=1, customers=16, longest=2.0, after_each=lambda proof: None):
    """Kills and restarts the server under load, each time after at most `longest` seconds; one in five starts is killed, too."""
    dice = random.Random(seed)
    app = server.create_app("Orchard", "--default-url", "https://orchard.example.com/")
    proof = Proof(Ledger())
    load = Load(app, proof.ledger, customers, seed)
    while proof.kills < kills:
        load.start()
        time.sleep(dice.uniform(0.05, longest))
        server.kill()
        load.join()
        proof.kills += 1
        if dice.random() < 0.2 and proof.kills < kills:
            server.launch()
            time.sleep(dice.uniform(0, 0.1))
            server.kill()
            proof.kills += 1
        begun = time.monotonic()
        server.start()
        proof.restarts.append(time.monotonic() - begun)
        examine(server, proof)
        match(app, proof, dice)
        proof.refusals = dict(load.refusals)
        after_each(proof)
    return proof


def examine(server, proof):
    proof.findings.append(proof.ledger.compare(server))
    integrity = server.query("PRAGMA integrity_check")
    if integrity != [("ok",)]:
        proof.damages.append(f"integrity_check: {integrity}")
    verified = server.command("verify", "--format", "json")
    if verified.status != 0:
        proof.damages.append(f"verify: {verified.out}{verified.err}")


def match(app, proof, dice):
    """Starts two installs for each of the newest acknowledged clicks on phones and some older ones: the first matches, the second not."""
    waiting = sorted(proof.ledger.acknowledged["phones"] - proof.matched)
    newest, older = waiting[-MATCHED:], waiting[:-MATCHED]
    for entry in newest + dice.sample(older, min(len(older), MATCHED)):
        proof.matched.add(entry)
        if [app.install(phone(entry)).data["+clicked_branch_link"] for _ in range(2)] != [True, False]:
            proof.mismatched.append(entry)
