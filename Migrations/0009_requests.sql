-- Executed calls by retry key, so that a retry gets the first result and writes nothing.

CREATE TABLE requests (
    app_id BIGINT NOT NULL,
    mode SMALLINT NOT NULL,
    request_key TEXT NOT NULL,
    -- The id of the row that the call created: a session, a link, an event.
    row_id BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (app_id, mode, request_key)
);

CREATE INDEX requests_by_age ON requests (created_at);
