-- How many rewards were earned on a day by calls that anyone with the public key can make: by where they came from and, where `source`
-- is empty, in all. Sources are deleted when their day is over.

CREATE TABLE reward_sources (
    app_id BIGINT NOT NULL,
    mode SMALLINT NOT NULL,
    source TEXT NOT NULL,
    day BIGINT NOT NULL,
    rewards BIGINT NOT NULL,
    PRIMARY KEY (app_id, mode, source, day)
);

CREATE INDEX reward_sources_by_day ON reward_sources (day) WHERE source <> '';
