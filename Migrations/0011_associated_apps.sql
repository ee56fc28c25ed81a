-- Further apps that may open a host's links, beside the one whose links they are.

CREATE TABLE associated_apps (
    host TEXT NOT NULL,
    app_id BIGINT NOT NULL REFERENCES apps (id),
    created_at BIGINT NOT NULL,
    PRIMARY KEY (host, app_id)
);
