-- Requested exports. A file is written when it is fetched; a row has the request and the last id that it covers.

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

-- Requests of data subjects for access or erasure.
CREATE TABLE subject_requests (
    id BIGINT PRIMARY KEY,
    handle TEXT NOT NULL UNIQUE,
    app_id BIGINT NOT NULL,
    mode SMALLINT NOT NULL,
    -- access or erasure
    kind TEXT NOT NULL,
    -- The data subjects, a JSON array; emptied once they are no longer needed.
    subjects TEXT NOT NULL,
    done_at BIGINT
);
