-- What happened in each app, counted once by the hour and by the day, so that a question about a month reads thousands of rows and not
-- millions.

-- dimension is empty in the rows that count everything; value is empty where a row had none. name is that of an event.
CREATE TABLE rollups (
    app_id BIGINT NOT NULL,
    mode SMALLINT NOT NULL,
    topic TEXT NOT NULL,
    dimension TEXT NOT NULL,
    -- 1, or 24 for a day in UTC.
    hours SMALLINT NOT NULL,
    -- The first one, since 1970 in UTC.
    hour BIGINT NOT NULL,
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    count BIGINT NOT NULL,
    -- In millionths.
    revenue BIGINT NOT NULL,
    PRIMARY KEY (app_id, mode, topic, dimension, hours, hour, name, value)
);

-- The values that a day has rows of its own for; whatever comes after so many is counted as other.
CREATE TABLE rollup_values (
    app_id BIGINT NOT NULL,
    mode SMALLINT NOT NULL,
    dimension TEXT NOT NULL,
    day BIGINT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (app_id, mode, dimension, day, value)
);

-- What was counted and then deleted, or given to another link: by so much may the rows differ from the counts.
CREATE TABLE rollup_changes (
    app_id BIGINT NOT NULL,
    mode SMALLINT NOT NULL,
    topic TEXT NOT NULL,
    hour BIGINT NOT NULL,
    removed BIGINT NOT NULL,
    moved BIGINT NOT NULL,
    PRIMARY KEY (app_id, mode, topic, hour)
);

-- How many devices there were on each day that is over. all_names is 1 where the events of all names are taken together; name is empty then.
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
