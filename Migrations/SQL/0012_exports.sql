-- Reports and exports that were requested, and requests of data subjects. A report's or export's file is written when it is
-- fetched.

CREATE TABLE report_jobs (
    id BIGINT PRIMARY KEY,
    -- The public id, a UUID.
    handle TEXT NOT NULL UNIQUE,
    app_id BIGINT NOT NULL,
    mode SMALLINT NOT NULL,
    -- The query, a JSON object.
    request TEXT NOT NULL
);

CREATE TABLE export_jobs (
    id BIGINT PRIMARY KEY,
    -- The public id, a UUID.
    handle TEXT NOT NULL UNIQUE,
    app_id BIGINT NOT NULL,
    mode SMALLINT NOT NULL,
    -- The requested export, a JSON object.
    request TEXT NOT NULL,
    -- 0 running, 1 complete, 2 failed.
    state SMALLINT NOT NULL,
    -- The number of rows, and the last id that the export covers. Both are final once the job is complete.
    row_count BIGINT NOT NULL,
    through_id BIGINT NOT NULL,
    -- The number of attempts since the last turn that succeeded, and the time of the next one.
    attempts BIGINT NOT NULL,
    due_at BIGINT NOT NULL,
    -- The error of a failed job.
    failure TEXT
);

-- Finds the running exports that are due, and counts an app's.
CREATE INDEX export_jobs_by_state ON export_jobs (state, app_id, id, due_at);

-- Requests of data subjects for access or erasure.
CREATE TABLE subject_requests (
    id BIGINT PRIMARY KEY,
    -- The public id, a UUID.
    handle TEXT NOT NULL UNIQUE,
    app_id BIGINT NOT NULL,
    mode SMALLINT NOT NULL,
    -- access or erasure.
    kind TEXT NOT NULL,
    -- The data subjects, a JSON array of pairs of a kind and an id. Emptied once they are no longer needed.
    subjects TEXT NOT NULL,
    -- NULL while the request is pending.
    done_at BIGINT,
    -- The number of attempts at an erasure so far, and the time of the next one.
    attempts BIGINT NOT NULL,
    due_at BIGINT NOT NULL
);

-- Counts an app's requests of a day, each of which may have 64 KiB.
CREATE INDEX subject_requests_by_app ON subject_requests (app_id, id);
-- Finds the pending erasures that are due, and counts an app's.
CREATE INDEX pending_subject_requests ON subject_requests (app_id, id, due_at, attempts) WHERE done_at IS NULL;
-- Finds the completed requests of an app that still name their data subjects.
CREATE INDEX named_subject_requests ON subject_requests (app_id, mode, id, done_at) WHERE subjects <> '[]';
-- Finds those that are old enough to forget them.
CREATE INDEX named_subject_requests_by_age ON subject_requests (done_at) WHERE subjects <> '[]';
