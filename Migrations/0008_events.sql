-- Events of apps, pages and servers, with their complete bodies.

CREATE TABLE events (
    id BIGINT PRIMARY KEY,
    app_id BIGINT NOT NULL,
    mode SMALLINT NOT NULL,
    endpoint TEXT NOT NULL,
    name TEXT NOT NULL,
    device_id BIGINT,
    identity_id BIGINT,
    session_id BIGINT,
    body TEXT NOT NULL
);
