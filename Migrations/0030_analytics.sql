-- Covering indexes for funnels, cohorts and lifetime values.

CREATE INDEX events_by_name ON events (app_id, mode, name, id, device_id);
CREATE INDEX events_with_revenue ON events (app_id, mode, id, device_id, revenue) WHERE revenue IS NOT NULL;
CREATE INDEX installs_by_scope ON sessions (app_id, mode, id, device_id, kind, link_id, click_id) WHERE kind IN (0, 5);
DROP INDEX sessions_by_scope;
CREATE INDEX sessions_by_scope ON sessions (app_id, mode, id, device_id, kind);

-- Requested reports. A file is written when it is fetched; a row has the query.
CREATE TABLE report_jobs (
    id BIGINT PRIMARY KEY,
    handle TEXT NOT NULL UNIQUE,
    app_id BIGINT NOT NULL,
    mode SMALLINT NOT NULL,
    request TEXT NOT NULL
);
