"""Nothing that was acknowledged is lost, and nothing is done twice, whenever the server is killed."""

import pytest

from support.crash import prove


@pytest.mark.parametrize("seed", [1, 2])
def test_a_server_killed_under_load_has_every_acknowledged_write_exactly_once(own_server, seed):
    proof = prove(own_server, kills=3, seed=seed, customers=8, longest=1)

    assert proof.findings and all(findings.is_clean for findings in proof.findings), proof.findings
    assert proof.damages == []
    assert proof.refusals == {}
    assert all(proof.ledger.acknowledged.values()), "each kind of write is to be acknowledged at least once"
