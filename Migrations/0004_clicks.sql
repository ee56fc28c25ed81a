-- The click log, and the few clicks that an install may still be matched to.

-- Long texts that many rows share, written once each: user agents and referrers.
CREATE TABLE terms (
    id BIGINT PRIMARY KEY,
    kind SMALLINT NOT NULL,
    value TEXT NOT NULL,
    UNIQUE (kind, value)
);

-- Append-only, found by id alone: a secondary index would cost more than the rest of the click.
CREATE TABLE clicks (
    id BIGINT PRIMARY KEY,
    link_id BIGINT NOT NULL,
    app_id BIGINT NOT NULL,
    mode SMALLINT NOT NULL,
    platform TEXT NOT NULL,
    os TEXT,
    os_version TEXT,
    robot TEXT,
    address TEXT NOT NULL,
    user_agent_id BIGINT,
    referrer_id BIGINT,
    query TEXT,
    reason TEXT
);

-- A person's click until an install claims it or its window is over.
CREATE TABLE open_clicks (
    app_id BIGINT NOT NULL,
    mode SMALLINT NOT NULL,
    address TEXT NOT NULL,
    os TEXT NOT NULL,
    os_version TEXT NOT NULL,
    click_id BIGINT NOT NULL,
    link_id BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    PRIMARY KEY (app_id, mode, address, os, os_version, click_id)
);

CREATE INDEX open_clicks_by_expiry ON open_clicks (expires_at);
