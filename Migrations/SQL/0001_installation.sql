-- The installation as a whole: its key, node numbers, address keys, the string dictionary and the keys of
-- recent requests.
--
-- Conventions of all tables:
-- - id: a 63-bit integer ordered by time (41 bits of milliseconds since 2025-01-01 UTC, 10 bits of node, 12 bits of sequence), so
--   the time of a row is in its id. A column that ends in _id holds such an id.
-- - app_id and mode: the app's id, and 0 for its live or 1 for its test data, which are separate.
-- - _at: milliseconds since 1970-01-01 UTC. day and hour: days and hours since then, in UTC.
-- - is_ and has_: 0 or 1. JSON: TEXT. NULL: unknown, or none.
-- - Only the operator's configuration and the ledger have foreign keys. Rows of the logs are pruned by age, and outlive what they
--   refer to.

-- Values of the installation, by name: `public_id_key`, created once and never changed; `base_url`, the last server's
-- http.base_url; `schema_version`, the minor version whose schema the database has; and `audit_head`, position and hash of the newest
-- entry of the audit log.
CREATE TABLE installation (
    name TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
);

-- Node numbers, leased by each process that writes, so that ids are unique across processes.
CREATE TABLE nodes (
    -- 0 to 1023.
    node BIGINT PRIMARY KEY,
    -- A UUID of the process that has, or had, the lease.
    owner TEXT NOT NULL,
    -- The process makes no id after this time. Then another may take the number.
    leased_until BIGINT NOT NULL
);

-- Client addresses are stored as keyed hashes with one key per UTC day: `20833:kq3vW0nU5mJx1RZ2u8Yy9g`, the day of the key and the
-- first 128 bits of an HMAC-SHA256. Once a key is deleted, its hashes cannot be turned back into addresses.
CREATE TABLE address_keys (
    day BIGINT PRIMARY KEY,
    -- 32 random bytes.
    secret BYTEA NOT NULL,
    -- When the key is deleted: the end of the last match window that uses it.
    needed_until BIGINT NOT NULL
);

-- Problems of the addresses that proxies forward to the running server. At most 100 rows. Each server empties the table at its
-- start.
CREATE TABLE proxy_faults (
    -- The sender: an address, or a network such as 203.0.113.0/24.
    network TEXT NOT NULL,
    -- untrusted: not in http.trusted_proxies, and ignored. malformed: trusted, but forwarded no address.
    kind TEXT NOT NULL,
    requests BIGINT NOT NULL,
    first_at BIGINT NOT NULL,
    PRIMARY KEY (network, kind)
);

-- The string dictionary: texts that many rows share. A bounded number of new ones is accepted per day, then `other`.
CREATE TABLE strings (
    id BIGINT PRIMARY KEY,
    -- 1 user agent, 2 referrer, 3 host of a referrer, 4 model of a device.
    kind SMALLINT NOT NULL,
    -- At most 512 bytes of UTF-8.
    value TEXT NOT NULL,
    -- Finds the id of a text.
    UNIQUE (kind, value)
);

-- Recognizes retries of the SDKs' calls for 24 hours, by the id that an SDK gives a call or by a hash of its content: a retry gets the
-- first result and writes nothing. The idempotency keys of credit calls are kept forever, in credit_uniqueness_keys.
CREATE TABLE requests (
    app_id BIGINT NOT NULL,
    mode SMALLINT NOT NULL,
    -- Equal for all tries of one call.
    request_key TEXT NOT NULL,
    -- The id of the row that the call created: a session, a link, an event, a credit transaction.
    row_id BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (app_id, mode, request_key)
);

-- Finds expired keys.
CREATE INDEX requests_by_age ON requests (created_at);
