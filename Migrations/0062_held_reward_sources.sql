-- Where the calls came from whose rewards are held, as hashes under the key of the day, so that they can be decided on together; and how
-- many were held on a day. What exceeds the limit of a day is counted and not stored.

ALTER TABLE held_rewards ADD COLUMN address TEXT;
ALTER TABLE held_rewards ADD COLUMN network TEXT;

CREATE TABLE held_reward_days (
    app_id BIGINT NOT NULL,
    mode SMALLINT NOT NULL,
    day BIGINT NOT NULL,
    held BIGINT NOT NULL,
    dropped BIGINT NOT NULL,
    PRIMARY KEY (app_id, mode, day)
);

CREATE INDEX held_reward_days_with_dropped ON held_reward_days (day) WHERE dropped > 0;
