-- Daily totals per link, aggregated from the logs.

-- day: days since 1970-01-01 UTC.
CREATE TABLE link_days (
    link_id BIGINT NOT NULL,
    day BIGINT NOT NULL,
    clicks BIGINT NOT NULL,
    robots BIGINT NOT NULL,
    sessions BIGINT NOT NULL,
    installs BIGINT NOT NULL,
    PRIMARY KEY (link_id, day)
);
