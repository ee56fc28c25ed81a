-- What belongs to the installation as a whole.

-- Values made once and never changed: the key behind all public ids.
CREATE TABLE installation (
    name TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
);

-- Node numbers, leased by each process that writes, so that no two make the same id.
CREATE TABLE nodes (
    node BIGINT PRIMARY KEY,
    owner TEXT NOT NULL,
    leased_until BIGINT NOT NULL
);

-- How far each fold has read its log.
CREATE TABLE folds (
    name TEXT NOT NULL PRIMARY KEY,
    through_id BIGINT NOT NULL
);
