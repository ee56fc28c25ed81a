-- State of the installation. In all tables, times are in milliseconds since 1970-01-01 UTC unless stated otherwise.

-- Values that are created once and never change: the key of all public ids.
CREATE TABLE installation (
    name TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
);

-- Node numbers, leased by each process that writes, so that ids are unique across processes.
CREATE TABLE nodes (
    node BIGINT PRIMARY KEY,
    owner TEXT NOT NULL,
    leased_until BIGINT NOT NULL
);

-- The cursor of each aggregation: the last id of the log that it has read.
CREATE TABLE folds (
    name TEXT NOT NULL PRIMARY KEY,
    through_id BIGINT NOT NULL
);
