"""Kills a server under load, again and again, and looks each time whether it kept its word."""

import random
import time
from dataclasses import dataclass, field

from .ledger import Findings, Ledger
from .load import Load


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

    @property
    def lost(self):
        return [entry for findings in self.findings for entry in findings.lost]

    @property
    def doubled(self):
        return [entry for findings in self.findings for entry in findings.doubled + findings.invented]

    @property
    def holds(self):
        return not (self.lost or self.doubled or self.damages or self.refusals)


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
