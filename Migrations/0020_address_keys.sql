-- Addresses are kept as keyed hashes, each under the key of its day (UTC) and with that day before it, so that a row tells which key it
-- needs. Once a key is gone, nobody can tell an address from its hash any more.

-- day counts days since 1970-01-01 in UTC. needed_until is when the last window is over that rests on the key.
CREATE TABLE address_keys (
    day BIGINT PRIMARY KEY,
    secret BYTEA NOT NULL,
    needed_until BIGINT NOT NULL
);
