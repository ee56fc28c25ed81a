-- The source that used a value first, as 16 bits of a hash of its address or device: too few to identify it, enough to give each source a
-- share of the day's values.

ALTER TABLE rollup_values ADD COLUMN source BIGINT;
