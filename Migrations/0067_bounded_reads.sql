-- Counters and keys that keep the cost of a row independent of what others wrote.

-- The number of rewards of a source that were held on a day, so that one source cannot use up the day's places.
ALTER TABLE reward_sources ADD COLUMN held BIGINT NOT NULL DEFAULT 0;

-- Finds the values of a day that one source introduced, without reading those of others.
CREATE INDEX rollup_values_by_source ON rollup_values (app_id, mode, dimension, day, source);

-- What attribution reads of a link for every click and event, without parsing its data: whether it is a one-time link, and its own
-- conversion window in days. `is_one_time_use` is NULL for links written before this migration, whose data is read instead.
ALTER TABLE links ADD COLUMN is_one_time_use SMALLINT;
ALTER TABLE links ADD COLUMN conversion_days TEXT;
