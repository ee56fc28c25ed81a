-- Devices and their sessions.

CREATE TABLE devices (
    id BIGINT PRIMARY KEY,
    app_id BIGINT NOT NULL REFERENCES apps (id),
    mode SMALLINT NOT NULL,
    identity_id BIGINT NOT NULL,
    hardware_id TEXT,
    os TEXT,
    os_version TEXT,
    brand TEXT,
    model TEXT,
    app_version TEXT,
    sdk TEXT,
    country TEXT,
    language TEXT,
    first_seen_at BIGINT NOT NULL,
    last_seen_at BIGINT NOT NULL
);

CREATE INDEX devices_by_hardware ON devices (app_id, mode, hardware_id);

CREATE TABLE sessions (
    id BIGINT PRIMARY KEY,
    app_id BIGINT NOT NULL,
    mode SMALLINT NOT NULL,
    device_id BIGINT NOT NULL,
    identity_id BIGINT NOT NULL,
    kind SMALLINT NOT NULL,
    link_id BIGINT,
    click_id BIGINT,
    data TEXT NOT NULL,
    explanation TEXT NOT NULL,
    closed_at BIGINT
);
