-- Keys and secrets that were replaced and go on for a while, and signed addresses that can be revoked.

-- When a newer key took its place; null for the present key.
ALTER TABLE app_keys ADD COLUMN replaced_at BIGINT;
-- When calls with a replaced key end; null for never. Links that have it in their address go on for good.
ALTER TABLE app_keys ADD COLUMN ends_at BIGINT;

-- Part of what signs the addresses of files; a higher one revokes those of before.
ALTER TABLE apps ADD COLUMN address_generation BIGINT NOT NULL DEFAULT 0;

CREATE TABLE former_secrets (
    app_id BIGINT NOT NULL REFERENCES apps (id),
    mode SMALLINT NOT NULL,
    hash BYTEA NOT NULL,
    replaced_at BIGINT NOT NULL,
    -- Null for never.
    ends_at BIGINT,
    PRIMARY KEY (app_id, mode, hash)
);
