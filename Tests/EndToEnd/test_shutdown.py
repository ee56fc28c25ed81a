"""Shutdown of a server during writes."""

import time

from support.ledger import Ledger
from support.load import Load


def test_a_server_stopped_under_load_acknowledges_what_it_has_written(own_server):
    load = Load(own_server.create_app("Orchard", "--default-url", "https://orchard.example.com/"), Ledger())
    load.start()
    time.sleep(0.5)

    begun = time.monotonic()
    own_server.stop()
    took = time.monotonic() - begun
    load.join()
    own_server.start()

    findings = load.ledger.compare(own_server)
    assert findings.is_clean, findings
    assert findings.unanswered == 0, "a write was stored without an acknowledgement"
    assert set(load.refusals) <= {503}
    assert took < 5
    assert own_server.query("PRAGMA integrity_check") == [("ok",)]
