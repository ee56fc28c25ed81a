-- Apps, their keys, and access tokens.

CREATE TABLE apps (
    id BIGINT PRIMARY KEY,
    name TEXT NOT NULL,
    -- Settings, a JSON object. Settings that Linden does not know are stored and returned.
    configuration TEXT NOT NULL,
    -- Settings of the test mode that override the live ones, a JSON object.
    test_configuration TEXT NOT NULL DEFAULT '{}',
    -- The version of the signature of files' addresses. Increasing it revokes all earlier addresses.
    url_generation BIGINT NOT NULL DEFAULT 0,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    -- NULL unless the app was deleted. Its row stays, because its data refers to it.
    deleted_at BIGINT
);

-- Branch keys. Each app and mode has one current key, and replaced ones that stay valid for an overlap.
CREATE TABLE app_keys (
    -- Public, such as `key_live_…`.
    branch_key TEXT NOT NULL PRIMARY KEY,
    app_id BIGINT NOT NULL REFERENCES apps (id),
    mode SMALLINT NOT NULL,
    -- SHA-256 of the current branch secret, equal in all keys of an app and mode.
    secret_hash BYTEA NOT NULL,
    created_at BIGINT NOT NULL,
    -- When the key was replaced. NULL for the current key.
    replaced_at BIGINT,
    -- When calls with a replaced key are refused. NULL for never. Links with the key in their address continue to work.
    ends_at BIGINT
);

-- Lists an app's keys.
CREATE INDEX app_keys_by_app ON app_keys (app_id, mode);

-- Replaced branch secrets, which stay valid for an overlap.
CREATE TABLE former_secrets (
    app_id BIGINT NOT NULL REFERENCES apps (id),
    mode SMALLINT NOT NULL,
    -- SHA-256 of the secret.
    hash BYTEA NOT NULL,
    replaced_at BIGINT NOT NULL,
    -- When calls with the secret are refused. NULL for never.
    ends_at BIGINT,
    PRIMARY KEY (app_id, mode, hash)
);

-- Credentials for Linden's own calls, and for Branch's calls that require an `Access-Token`.
CREATE TABLE access_tokens (
    id BIGINT PRIMARY KEY,
    name TEXT NOT NULL,
    -- admin, editor, analyst, support or ingest.
    role TEXT NOT NULL,
    -- The only app that the token is valid for. NULL for all apps.
    app_id BIGINT REFERENCES apps (id),
    -- SHA-256 of the token's secret.
    hash BYTEA NOT NULL UNIQUE,
    -- SHA-256 of the secret before the last rotation, and when it is refused. Both NULL if it was refused at once, or there was none.
    former_hash BYTEA,
    former_ends_at BIGINT,
    created_at BIGINT NOT NULL,
    -- The last rotation. NULL for none.
    rotated_at BIGINT,
    -- When the token is refused. NULL for never.
    expires_at BIGINT,
    -- The last call with the token, stored at most once a minute. NULL for none.
    last_used_at BIGINT,
    -- NULL unless the token was revoked.
    revoked_at BIGINT
);

-- Counts an app's tokens.
CREATE INDEX access_tokens_by_app ON access_tokens (app_id, id);
-- Finds the token of a former secret.
CREATE UNIQUE INDEX access_tokens_by_former_hash ON access_tokens (former_hash) WHERE former_hash IS NOT NULL;
