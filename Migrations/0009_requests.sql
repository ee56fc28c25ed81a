-- Calls that were answered, so that a retry gets its first answer again and writes nothing twice.

CREATE TABLE requests (
    app_id BIGINT NOT NULL,
    mode SMALLINT NOT NULL,
    request_key TEXT NOT NULL,
    -- What the call made: a session, a link, an event.
    row_id BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (app_id, mode, request_key)
);

CREATE INDEX requests_by_age ON requests (created_at);
