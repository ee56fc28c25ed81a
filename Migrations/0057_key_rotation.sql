-- Replaced keys and secrets, which stay valid for an overlap, and revocation of signed addresses.

-- When the key was replaced; NULL for the current key.
ALTER TABLE app_keys ADD COLUMN replaced_at BIGINT;
-- When calls with a replaced key are refused; NULL for never. Links with the key in their address continue to work.
ALTER TABLE app_keys ADD COLUMN ends_at BIGINT;

-- The version of the signature of files' addresses; increasing it revokes all earlier addresses.
ALTER TABLE apps ADD COLUMN address_generation BIGINT NOT NULL DEFAULT 0;

CREATE TABLE former_secrets (
    app_id BIGINT NOT NULL REFERENCES apps (id),
    mode SMALLINT NOT NULL,
    hash BYTEA NOT NULL,
    replaced_at BIGINT NOT NULL,
    -- NULL for never.
    ends_at BIGINT,
    PRIMARY KEY (app_id, mode, hash)
);
