-- What is wrong with the addresses that proxies forward to the running server. Emptied by each server that starts.

DROP TABLE untrusted_proxies;

CREATE TABLE proxy_faults (
    -- An address, or a network such as 203.0.113.0/24.
    network TEXT NOT NULL,
    -- untrusted or malformed.
    kind TEXT NOT NULL,
    requests BIGINT NOT NULL,
    first_at BIGINT NOT NULL,
    PRIMARY KEY (network, kind)
);
