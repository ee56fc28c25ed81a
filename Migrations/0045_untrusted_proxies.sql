-- Senders of forwarded addresses that the running server ignores, because they are not in http.trusted_proxies. Each server empties the
-- table at its start.

CREATE TABLE untrusted_proxies (
    -- An address, or a network such as 203.0.113.0/24.
    network TEXT NOT NULL PRIMARY KEY,
    requests BIGINT NOT NULL,
    first_at BIGINT NOT NULL
);
