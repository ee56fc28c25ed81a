-- Exports that were ordered. They are written when they are fetched; here is what they hold and where they end.

CREATE TABLE export_jobs (
    id BIGINT PRIMARY KEY,
    handle TEXT NOT NULL UNIQUE,
    app_id BIGINT NOT NULL,
    mode SMALLINT NOT NULL,
    request TEXT NOT NULL,
    state SMALLINT NOT NULL,
    row_count BIGINT NOT NULL,
    through_id BIGINT NOT NULL
);
