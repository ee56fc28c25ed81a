-- Links, their content (universal objects), and the users who own them.

-- A user of an app; developer_identity is null while anonymous.
CREATE TABLE identities (
    id BIGINT PRIMARY KEY,
    app_id BIGINT NOT NULL REFERENCES apps (id),
    mode SMALLINT NOT NULL,
    developer_identity TEXT,
    created_at BIGINT NOT NULL,
    UNIQUE (app_id, mode, developer_identity)
);

CREATE TABLE universal_objects (
    id BIGINT PRIMARY KEY,
    app_id BIGINT NOT NULL REFERENCES apps (id),
    mode SMALLINT NOT NULL,
    canonical_identifier TEXT NOT NULL,
    data TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    UNIQUE (app_id, mode, canonical_identifier)
);

-- host: empty for links on the base URL's host. path: NULL once the path of a deleted link was released.
CREATE TABLE links (
    id BIGINT PRIMARY KEY,
    app_id BIGINT NOT NULL REFERENCES apps (id),
    mode SMALLINT NOT NULL,
    host TEXT NOT NULL,
    path TEXT,
    has_alias SMALLINT NOT NULL,
    type SMALLINT NOT NULL,
    duration BIGINT,
    identity_id BIGINT,
    channel TEXT,
    feature TEXT,
    campaign TEXT,
    stage TEXT,
    tags TEXT,
    data TEXT NOT NULL,
    object_id BIGINT,
    creation_source SMALLINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    deleted_at BIGINT,
    UNIQUE (host, path)
);

CREATE INDEX links_by_app ON links (app_id, mode, id);
