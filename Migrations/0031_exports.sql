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

-- What people, or whoever answers for them, asked to be shown or erased.
CREATE TABLE subject_requests (
    id BIGINT PRIMARY KEY,
    handle TEXT NOT NULL UNIQUE,
    app_id BIGINT NOT NULL,
    mode SMALLINT NOT NULL,
    -- access or erasure
    kind TEXT NOT NULL,
    -- Whom it is about, a JSON array; empty once nobody needs to know any more.
    subjects TEXT NOT NULL,
    done_at BIGINT
);
