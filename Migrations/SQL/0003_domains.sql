-- Domains of links, the apps that open their links, app routes, and redirect targets that were refused.

-- A host belongs to one app and mode, and serves only their links. The hosts of a deleted app are deleted.
CREATE TABLE domains (
    -- A host name in lower case, in ASCII.
    host TEXT NOT NULL PRIMARY KEY,
    app_id BIGINT NOT NULL REFERENCES apps (id),
    mode SMALLINT NOT NULL,
    created_at BIGINT NOT NULL,
    -- Redirect targets for requests without a valid link: of the host itself, of an unknown link, and of an expired one. NULL for
    -- the built-in page.
    root_url TEXT,
    not_found_url TEXT,
    expired_url TEXT
);

-- Lists an app's domains, oldest first.
CREATE INDEX domains_by_app ON domains (app_id, mode, created_at, host);

-- Associated apps: further apps that can open a host's links.
CREATE TABLE associated_apps (
    host TEXT NOT NULL,
    app_id BIGINT NOT NULL REFERENCES apps (id),
    created_at BIGINT NOT NULL,
    PRIMARY KEY (host, app_id)
);

-- Finds the associations of an app that is deleted.
CREATE INDEX associated_apps_by_app ON associated_apps (app_id);

-- Routes: URL patterns and the screens that they open. The first match is used.
CREATE TABLE app_routes (
    app_id BIGINT NOT NULL REFERENCES apps (id),
    -- The order of the app's routes, from 1. Negative only within a transaction that inserts routes before others.
    position BIGINT NOT NULL,
    -- The id that the operator gave the route.
    id TEXT NOT NULL,
    -- The pattern language: roots or waapp.
    syntax TEXT NOT NULL,
    -- The App Links property of a Roots filter. Empty for WAAppRouting, so that the pattern stays unique.
    link_key TEXT NOT NULL,
    pattern TEXT NOT NULL,
    -- The name of the screen.
    target TEXT NOT NULL,
    is_modal SMALLINT NOT NULL,
    is_enabled SMALLINT NOT NULL,
    -- Parameters that the pattern does not set, a JSON object.
    defaults TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (app_id, position),
    UNIQUE (app_id, id),
    UNIQUE (app_id, syntax, link_key, pattern)
);

-- Hosts in visited URLs to which visitors were not redirected, because the app does not allow them. At most 100 per app and mode,
-- each for 30 days after its last visit.
CREATE TABLE refused_urls (
    app_id BIGINT NOT NULL,
    mode SMALLINT NOT NULL,
    -- Empty for a URL without a valid host.
    host TEXT NOT NULL,
    visits BIGINT NOT NULL,
    first_at BIGINT NOT NULL,
    last_at BIGINT NOT NULL,
    PRIMARY KEY (app_id, mode, host)
);
