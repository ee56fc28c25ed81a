-- Statistics of an app's devices for probabilistic matching.

-- In points, as 390x844.
ALTER TABLE devices ADD COLUMN screen TEXT;

-- The kind of device behind an address, so that equal devices are counted without reading others.
ALTER TABLE device_addresses ADD COLUMN os TEXT;
ALTER TABLE device_addresses ADD COLUMN os_version TEXT;
ALTER TABLE device_addresses ADD COLUMN model TEXT;

CREATE INDEX device_addresses_by_kind ON device_addresses (app_id, mode, address, os, os_version, seen_at);

-- The share of a trait among the newest devices of an app on one OS, in thousandths. The languages of the app are one row, the most
-- common first.
CREATE TABLE device_shares (
    app_id BIGINT NOT NULL,
    mode SMALLINT NOT NULL,
    os TEXT NOT NULL,
    trait TEXT NOT NULL,
    value TEXT NOT NULL,
    share BIGINT NOT NULL,
    PRIMARY KEY (app_id, mode, os, trait, value)
);

-- When the shares were computed.
CREATE TABLE device_profiles (
    app_id BIGINT NOT NULL,
    mode SMALLINT NOT NULL,
    learned_at BIGINT NOT NULL,
    PRIMARY KEY (app_id, mode)
);
