"""Years of traffic, put into a database at once."""

import sqlite3
import time

EPOCH_MS = 1_735_689_600_000
DAYS = 30
# The cursors of the passes over the log, by name in `aggregation_cursors`.
CURSORS = ["link_days.clicks", "rollups.clicks", "rollup_devices.clicks", "pending_clicks.clicks"]


def fill(path, links, clicks):
    """Adds links, and clicks spread over the last month and over all links. The server must not run."""
    with sqlite3.connect(path) as database:
        database.execute("PRAGMA synchronous = OFF")
        database.execute("PRAGMA cache_size = -524288")
        now = int(time.time() * 1000) - EPOCH_MS
        begin = now - DAYS * 24 * 3_600_000
        copy_rows(database, "links", links, {
            "id": moment(begin, DAYS * 24 * 3_600_000, links), "path": "'stored' || number", "has_alias": "0"})
        (many,) = database.execute("SELECT COUNT(*) FROM links").fetchone()
        database.execute("CREATE TEMP TABLE known AS SELECT ROW_NUMBER() OVER (ORDER BY id) - 1 AS position, id FROM links")
        database.execute("CREATE UNIQUE INDEX temp.known_by_position ON known (position)")
        copy_rows(database, "clicks", clicks, {
            "id": moment(begin, DAYS * 24 * 3_600_000 - 60_000, clicks),
            "link_id": f"(SELECT id FROM known WHERE position = number * 7919 % {many})",
            "address": "'10.' || (number >> 16 & 255) || '.' || (number >> 8 & 255) || '.' || (number & 255)"})
        last = database.execute("SELECT MAX(id) FROM clicks").fetchone()[0]
        database.executemany(
            "INSERT INTO aggregation_cursors VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET through_id = excluded.through_id",
            [(name, last) for name in CURSORS])
    with sqlite3.connect(path) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def moment(begin, span, count):
    """An id of its own for each row, in the order of time."""
    return f"(({begin} + CAST(number * {span}.0 / {count} AS INTEGER)) << 22) | (1023 << 12) | (number % 4096)"


def copy_rows(database, table, count, changed):
    """Rows like the newest one, but for some columns."""
    columns = [name for _, name, *_ in database.execute(f"PRAGMA table_info({table})")]
    values = ", ".join(changed.get(name, "model." + name) for name in columns)
    database.execute(f"""
        WITH RECURSIVE numbers (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM numbers LIMIT {count})
        INSERT INTO {table} ({", ".join(columns)})
        SELECT {values} FROM numbers, (SELECT * FROM {table} ORDER BY id DESC LIMIT 1) AS model""")
