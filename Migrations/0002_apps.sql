-- Apps, their keys and domains, and access tokens.

CREATE TABLE apps (
    id BIGINT PRIMARY KEY,
    name TEXT NOT NULL,
    configuration TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    deleted_at BIGINT
);

CREATE TABLE app_keys (
    branch_key TEXT NOT NULL PRIMARY KEY,
    app_id BIGINT NOT NULL REFERENCES apps (id),
    mode SMALLINT NOT NULL,
    secret_hash BYTEA NOT NULL,
    created_at BIGINT NOT NULL
);

CREATE INDEX app_keys_by_app ON app_keys (app_id, mode);

-- A host belongs to one app and mode, and serves only their links.
CREATE TABLE domains (
    host TEXT NOT NULL PRIMARY KEY,
    app_id BIGINT NOT NULL REFERENCES apps (id),
    mode SMALLINT NOT NULL,
    created_at BIGINT NOT NULL
);

CREATE TABLE access_tokens (
    id BIGINT PRIMARY KEY,
    name TEXT NOT NULL,
    role TEXT NOT NULL,
    app_id BIGINT REFERENCES apps (id),
    hash BYTEA NOT NULL UNIQUE,
    created_at BIGINT NOT NULL,
    revoked_at BIGINT
);
