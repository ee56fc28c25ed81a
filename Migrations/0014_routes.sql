-- Routes: URL patterns and the screens that they open, in order; the first match is used.

CREATE TABLE app_routes (
    app_id BIGINT NOT NULL REFERENCES apps (id),
    position BIGINT NOT NULL,
    -- The id that the operator gave the route.
    id TEXT NOT NULL,
    syntax TEXT NOT NULL,
    -- The App Links property of a Roots filter; empty for WAAppRouting, so that the path stays unique.
    link_key TEXT NOT NULL,
    pattern TEXT NOT NULL,
    target TEXT NOT NULL,
    is_modal SMALLINT NOT NULL,
    is_enabled SMALLINT NOT NULL,
    defaults TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (app_id, position),
    UNIQUE (app_id, id),
    UNIQUE (app_id, syntax, link_key, pattern)
);
