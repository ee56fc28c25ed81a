-- Client addresses are stored as keyed hashes with one key per UTC day. The day is stored in front of the hash, so that a row names its
-- key. Once a key is deleted, its hashes cannot be turned back into addresses.

-- day: days since 1970-01-01 UTC. needed_until: the end of the last match window that uses the key, in ms since 1970.
CREATE TABLE address_keys (
    day BIGINT PRIMARY KEY,
    secret BYTEA NOT NULL,
    needed_until BIGINT NOT NULL
);
