-- What probabilistic matching learns from an app's devices.

-- In points, as 390x844.
ALTER TABLE devices ADD COLUMN screen TEXT;

-- The kind of device behind an address, so that devices alike are counted without reading the others.
ALTER TABLE device_addresses ADD COLUMN os TEXT;
ALTER TABLE device_addresses ADD COLUMN os_version TEXT;
ALTER TABLE device_addresses ADD COLUMN model TEXT;

CREATE INDEX device_addresses_by_kind ON device_addresses (app_id, mode, address, os, os_version, seen_at);

-- How common a trait is among the newest devices of an app on one system, of a thousand. The languages that the app itself speaks are
-- one row, the most common first.
CREATE TABLE device_shares (
    app_id BIGINT NOT NULL,
    mode SMALLINT NOT NULL,
    os TEXT NOT NULL,
    trait TEXT NOT NULL,
    value TEXT NOT NULL,
    share BIGINT NOT NULL,
    PRIMARY KEY (app_id, mode, os, trait, value)
);

-- When they were counted.
CREATE TABLE device_profiles (
    app_id BIGINT NOT NULL,
    mode SMALLINT NOT NULL,
    learned_at BIGINT NOT NULL,
    PRIMARY KEY (app_id, mode)
);
