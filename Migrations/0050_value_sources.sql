-- Which visitors brought a value first, as 16 bits of a hash of their address or device: too few to tell who it was, enough to give each
-- of them a share of the day's values.

ALTER TABLE rollup_values ADD COLUMN source BIGINT;
