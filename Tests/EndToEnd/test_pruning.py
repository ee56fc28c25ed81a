"""Old sessions and events are deleted, and their totals are kept."""

import sqlite3
from contextlib import closing

from support.visitors import iphone

DAY = 86_400_000


def test_sessions_and_events_that_are_old_are_pruned_and_still_counted(own_server):
    app = own_server.create_app("Orchard", "--default-url", "https://orchard.example.com/")
    link, visitor = app.create_link(), iphone()
    app.click(link, visitor)
    session = app.install(visitor, identity="ann")
    app.open(visitor, **session.tokens)
    for name in ["PURCHASE", "LOGIN"]:
        body = {"branch_key": app.branch_key, "name": name} | session.tokens
        assert own_server.post("/v2/event/standard", body).status == 200
    own_server.stop()
    # Counts all; nothing is old yet.
    assert own_server.ask("prune", "--sessions-days", "7", "--events-days", "7", "--yes")["sessions"] == 0
    before = app.statistics(link)
    # The install and the purchase are made a month older, as if the server had been there then.
    with closing(sqlite3.connect(own_server.path)) as database:
        for log in ["sessions", "events"]:
            database.execute(f"UPDATE {log} SET id = id - ? WHERE id = (SELECT MIN(id) FROM {log})", (30 * DAY << 22,))
        database.commit()

    pruned = own_server.ask("prune", "--sessions-days", "7", "--events-days", "7", "--yes")

    assert (pruned["sessions"], pruned["events"], pruned["clicks"]) == (1, 1, None)
    rows = own_server.rows()
    assert (rows["sessions"], rows["events"], rows["clicks"]) == (1, 1, 1)
    assert app.statistics(link) == before
    assert before["installs"] == 1
