-- Problems of the addresses that proxies forward to the running server. Each server empties the table at its start.

DROP TABLE untrusted_proxies;

CREATE TABLE proxy_faults (
    -- An address, or a network such as 203.0.113.0/24.
    network TEXT NOT NULL,
    -- The problem: untrusted or malformed.
    kind TEXT NOT NULL,
    requests BIGINT NOT NULL,
    first_at BIGINT NOT NULL,
    PRIMARY KEY (network, kind)
);
