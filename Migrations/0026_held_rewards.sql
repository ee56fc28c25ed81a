-- Fraud signals of devices, and held rewards, on which the operator decides.

CREATE TABLE suspicions (
    device_id BIGINT PRIMARY KEY,
    -- The reasons as texts, a JSON array.
    reasons TEXT NOT NULL
);

CREATE TABLE held_rewards (
    id BIGINT PRIMARY KEY,
    app_id BIGINT NOT NULL,
    mode SMALLINT NOT NULL,
    rule_id BIGINT NOT NULL,
    identity_id BIGINT NOT NULL,
    session_id BIGINT,
    event_id BIGINT,
    event_name TEXT,
    referrer_id BIGINT,
    referree_id BIGINT,
    -- The uniqueness keys, a JSON array.
    claims TEXT NOT NULL,
    reasons TEXT NOT NULL,
    -- When the operator released or refused the reward.
    decided_at BIGINT
);

CREATE INDEX held_rewards_waiting ON held_rewards (app_id, mode, id) WHERE decided_at IS NULL;
CREATE INDEX devices_by_model ON devices (app_id, mode, model, id) WHERE model IS NOT NULL;
