-- The click log, and the pending clicks that an install can still match.

-- Dictionary of long texts that many rows share: user agents and referrers.
CREATE TABLE terms (
    id BIGINT PRIMARY KEY,
    kind SMALLINT NOT NULL,
    value TEXT NOT NULL,
    UNIQUE (kind, value)
);

-- Append-only and read by id. Without secondary indexes, which would cost more per click than the row itself.
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

-- Pending clicks of persons (not robots), until an install claims them or their match window ends.
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
