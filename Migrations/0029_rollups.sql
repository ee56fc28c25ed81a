-- Rollups: totals of each app by hour and by day, so that a query of a month reads thousands of rows instead of millions.

-- dimension: empty in rows that count everything. value: empty for rows without one. name: the event's name.
CREATE TABLE rollups (
    app_id BIGINT NOT NULL,
    mode SMALLINT NOT NULL,
    topic TEXT NOT NULL,
    dimension TEXT NOT NULL,
    -- The bucket's length in hours: 1, or 24 for a day in UTC.
    hours SMALLINT NOT NULL,
    -- The first hour of the bucket, in hours since 1970-01-01 UTC.
    hour BIGINT NOT NULL,
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    count BIGINT NOT NULL,
    -- Millionths of the reporting currency.
    revenue BIGINT NOT NULL,
    PRIMARY KEY (app_id, mode, topic, dimension, hours, hour, name, value)
);

-- The values of a dimension that have their own rows on a day. Above a limit, further values are counted as other.
CREATE TABLE rollup_values (
    app_id BIGINT NOT NULL,
    mode SMALLINT NOT NULL,
    dimension TEXT NOT NULL,
    day BIGINT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (app_id, mode, dimension, day, value)
);

-- Counted rows that were later deleted or attributed to another link: the allowed difference between rows and totals.
CREATE TABLE rollup_changes (
    app_id BIGINT NOT NULL,
    mode SMALLINT NOT NULL,
    topic TEXT NOT NULL,
    hour BIGINT NOT NULL,
    removed BIGINT NOT NULL,
    moved BIGINT NOT NULL,
    PRIMARY KEY (app_id, mode, topic, hour)
);

-- Distinct devices of each completed day. all_names: 1 for the events of all names together; name is empty then.
CREATE TABLE rollup_devices (
    app_id BIGINT NOT NULL,
    mode SMALLINT NOT NULL,
    topic TEXT NOT NULL,
    dimension TEXT NOT NULL,
    all_names SMALLINT NOT NULL,
    day BIGINT NOT NULL,
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    devices BIGINT NOT NULL,
    -- The smallest hashes of the devices' ids (bottom-k sketch), which estimate the distinct devices of several days.
    sketch BYTEA NOT NULL,
    PRIMARY KEY (app_id, mode, topic, dimension, all_names, day, name, value)
);
