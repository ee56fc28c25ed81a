-- The number of rewards per day that were earned by calls with only the public key: by source, and in total if `source` is empty.
-- Sources are deleted at the end of their day.

CREATE TABLE reward_sources (
    app_id BIGINT NOT NULL,
    mode SMALLINT NOT NULL,
    source TEXT NOT NULL,
    day BIGINT NOT NULL,
    rewards BIGINT NOT NULL,
    PRIMARY KEY (app_id, mode, source, day)
);

CREATE INDEX reward_sources_by_day ON reward_sources (day) WHERE source <> '';
