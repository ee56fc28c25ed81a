-- How many people share an address, and what Apple tells of an installation.

-- The class of the address, worked out while it was whole: NULL for a plain one.
ALTER TABLE clicks ADD COLUMN address_class TEXT;
ALTER TABLE open_clicks ADD COLUMN address_class TEXT;

-- Which devices had a session from an address, and when last; for a day.
CREATE TABLE device_addresses (
    app_id BIGINT NOT NULL,
    mode SMALLINT NOT NULL,
    address TEXT NOT NULL,
    device_id BIGINT NOT NULL,
    seen_at BIGINT NOT NULL,
    PRIMARY KEY (app_id, mode, address, device_id)
);

CREATE INDEX device_addresses_by_age ON device_addresses (seen_at);

-- By which Apple would say whether an ad brought the device, within a day of its being made.
ALTER TABLE devices ADD COLUMN apple_attribution_token TEXT;
