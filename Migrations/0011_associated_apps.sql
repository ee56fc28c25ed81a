-- Associated apps: further apps that can open a host's links.

CREATE TABLE associated_apps (
    host TEXT NOT NULL,
    app_id BIGINT NOT NULL REFERENCES apps (id),
    created_at BIGINT NOT NULL,
    PRIMARY KEY (host, app_id)
);
