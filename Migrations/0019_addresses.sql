-- Device counts of addresses, and Apple's attribution tokens.

-- The class of the address, determined before it was hashed; NULL for an ordinary one.
ALTER TABLE clicks ADD COLUMN address_class TEXT;
ALTER TABLE open_clicks ADD COLUMN address_class TEXT;

-- The devices with a session from an address, and the last time; kept for a day.
CREATE TABLE device_addresses (
    app_id BIGINT NOT NULL,
    mode SMALLINT NOT NULL,
    address TEXT NOT NULL,
    device_id BIGINT NOT NULL,
    seen_at BIGINT NOT NULL,
    PRIMARY KEY (app_id, mode, address, device_id)
);

CREATE INDEX device_addresses_by_age ON device_addresses (seen_at);

-- The token for Apple's attribution API, valid for a day.
ALTER TABLE devices ADD COLUMN apple_attribution_token TEXT;
