-- The site (a /24 of IPv4, a /48 of IPv6) behind a click and a device, and behind the first use of a value, as 16 bits of a hash under a key
-- that only the running server has. They give one provider's customer one share of the values of a day, and identify no one.

ALTER TABLE clicks ADD COLUMN site BIGINT;
ALTER TABLE devices ADD COLUMN site BIGINT;
ALTER TABLE rollup_values ADD COLUMN site BIGINT;

-- Finds the values of a day that one site introduced, without reading those of others.
CREATE INDEX rollup_values_by_site ON rollup_values (app_id, mode, dimension, day, site) WHERE site IS NOT NULL;
