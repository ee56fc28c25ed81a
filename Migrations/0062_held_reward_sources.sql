-- The sources of held rewards, as hashes under the key of the day, so that rewards of a source can be decided together; and the number
-- of held rewards per day. Rewards above a day's limit are counted and not stored.

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
