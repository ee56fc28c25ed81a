-- Aggregates of the logs. Sums of money are two columns that are added separately, because ten of the largest amounts exceed
-- 64 bits: revenue_thousands, whole thousands of the reporting currency, rounded down, and revenue_millionths, the sum of the
-- amounts' remainders of 0 to 999,999,999 millionths each, never carried over.

-- Cursors of the passes over the logs (clicks, sessions, events): link_days.* and rollups.* (counters), rollup_devices.* (sketches),
-- pruned.* (deletion of rows for their age).
CREATE TABLE aggregation_cursors (
    name TEXT NOT NULL PRIMARY KEY,
    -- The last id of the log that was read.
    through_id BIGINT NOT NULL
);

-- The number of changes to rows of a log that the rollups do not count yet. A change invalidates a batch in preparation.
CREATE TABLE uncounted_changes (
    log TEXT NOT NULL PRIMARY KEY,
    changes BIGINT NOT NULL
);

-- Daily totals per link. Without long links.
CREATE TABLE link_days (
    link_id BIGINT NOT NULL,
    day BIGINT NOT NULL,
    -- Clicks of persons, and visits of robots.
    clicks BIGINT NOT NULL,
    robots BIGINT NOT NULL,
    -- Sessions attributed to the link, and the installs among them.
    sessions BIGINT NOT NULL,
    installs BIGINT NOT NULL,
    PRIMARY KEY (link_id, day)
);

-- Visits of robots by app and hour, counted with the clicks of links; those on long links too.
CREATE TABLE robot_hours (
    app_id BIGINT NOT NULL,
    mode SMALLINT NOT NULL,
    -- Hours since 1970 in UTC.
    hour BIGINT NOT NULL,
    visits BIGINT NOT NULL,
    PRIMARY KEY (app_id, mode, hour)
);

-- Daily totals per universal object. Clicks are aggregated from the log with those of links, the others are updated on each event.
CREATE TABLE object_days (
    object_id BIGINT NOT NULL,
    day BIGINT NOT NULL,
    views BIGINT NOT NULL,
    shares BIGINT NOT NULL,
    clicks BIGINT NOT NULL,
    purchases BIGINT NOT NULL,
    -- The revenue of the purchases, see above.
    revenue_thousands BIGINT NOT NULL DEFAULT 0,
    revenue_millionths BIGINT NOT NULL,
    PRIMARY KEY (object_id, day)
);

-- Rollups: totals of each app by hour and by day, so that a query of a month reads thousands of rows instead of millions.
CREATE TABLE rollups (
    app_id BIGINT NOT NULL,
    mode SMALLINT NOT NULL,
    -- Such as click, install or commerce_event.
    topic TEXT NOT NULL,
    -- Empty in rows that count everything.
    dimension TEXT NOT NULL,
    -- The bucket's length in hours: 1, or 24 for a day in UTC.
    hours SMALLINT NOT NULL,
    -- The first hour of the bucket.
    hour BIGINT NOT NULL,
    -- The event's name. Empty for other topics.
    name TEXT NOT NULL,
    -- The value of the dimension. Empty for none.
    value TEXT NOT NULL,
    count BIGINT NOT NULL,
    -- See above.
    revenue_thousands BIGINT NOT NULL DEFAULT 0,
    revenue_millionths BIGINT NOT NULL,
    PRIMARY KEY (app_id, mode, topic, dimension, hours, hour, name, value)
);

-- The values of a dimension that have their own rollups on a day. Above a limit, further values are counted as `other`.
CREATE TABLE rollup_values (
    app_id BIGINT NOT NULL,
    mode SMALLINT NOT NULL,
    dimension TEXT NOT NULL,
    day BIGINT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (app_id, mode, dimension, day, value)
);

-- The combinations of an event's name and a value of a dimension that have their own rollups on a day. Above a limit, the value is
-- counted under the name `other`.
CREATE TABLE rollup_combinations (
    app_id BIGINT NOT NULL,
    mode SMALLINT NOT NULL,
    dimension TEXT NOT NULL,
    day BIGINT NOT NULL,
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (app_id, mode, dimension, day, name, value)
);

-- How many of the values and combinations of a day each visitor and each site introduced, so that each has a share of the limits.
CREATE TABLE rollup_shares (
    app_id BIGINT NOT NULL,
    mode SMALLINT NOT NULL,
    dimension TEXT NOT NULL,
    day BIGINT NOT NULL,
    -- What is numbered: 0 the values, 1 the combinations.
    kind SMALLINT NOT NULL,
    -- Who introduced them: 0 all, 1 all but the app itself by its links, 2 a visitor, 3 visitors who are not distinguished, 4 a site.
    owner_kind SMALLINT NOT NULL,
    -- The visitor, as 16 bits of a hash of its stored address or device: too few to identify it. Or the site, as in clicks. Otherwise 0.
    owner BIGINT NOT NULL,
    number BIGINT NOT NULL,
    PRIMARY KEY (app_id, mode, dimension, day, kind, owner_kind, owner)
);

-- Counted rows that were later deleted, or attributed to another link: the allowed difference between the rows of an hour and its
-- totals.
CREATE TABLE rollup_changes (
    app_id BIGINT NOT NULL,
    mode SMALLINT NOT NULL,
    topic TEXT NOT NULL,
    hour BIGINT NOT NULL,
    removed BIGINT NOT NULL,
    moved BIGINT NOT NULL,
    PRIMARY KEY (app_id, mode, topic, hour)
);

-- Distinct devices of each completed day.
CREATE TABLE rollup_devices (
    app_id BIGINT NOT NULL,
    mode SMALLINT NOT NULL,
    topic TEXT NOT NULL,
    -- As in rollups.
    dimension TEXT NOT NULL,
    -- 1 for the events of all names together. Then name is empty.
    all_names SMALLINT NOT NULL,
    day BIGINT NOT NULL,
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    -- The exact number of the day.
    devices BIGINT NOT NULL,
    -- The smallest hashes of the devices' ids under the installation's key (a bottom-k sketch of at most 1024 hashes of 8 bytes),
    -- which estimate the distinct devices of several days.
    sketch BYTEA NOT NULL,
    PRIMARY KEY (app_id, mode, topic, dimension, all_names, day, name, value)
);
