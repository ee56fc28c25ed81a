-- Hosts in links' queries to which visitors were not redirected, because the app does not allow them.

CREATE TABLE refused_urls (
    app_id BIGINT NOT NULL,
    mode SMALLINT NOT NULL,
    host TEXT NOT NULL,
    visits BIGINT NOT NULL,
    first_at BIGINT NOT NULL,
    last_at BIGINT NOT NULL,
    PRIMARY KEY (app_id, mode, host)
);
