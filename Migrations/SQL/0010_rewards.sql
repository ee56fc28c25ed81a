-- Reward rules, referrals and referral codes, fraud signals, and held rewards.

CREATE TABLE reward_rules (
    id BIGINT PRIMARY KEY,
    app_id BIGINT NOT NULL,
    mode SMALLINT NOT NULL,
    -- install, open or an event's name. Names of standard events are in upper case.
    event TEXT NOT NULL,
    -- The values that the event's metadata must have, a JSON object.
    filter TEXT NOT NULL,
    -- actor, referrer, actor-if-referred or both.
    recipient TEXT NOT NULL,
    -- 1 if only the first action of each identity and each device is rewarded.
    first_only SMALLINT NOT NULL,
    -- Credits per reward, and their bucket.
    amount BIGINT NOT NULL,
    bucket TEXT NOT NULL,
    -- The maximum number of rewards per identity: on a day, and in total. NULL for no limit.
    cap_per_day BIGINT,
    cap_per_user BIGINT,
    -- The lifetime of the credits in days. NULL if they do not expire.
    days_valid BIGINT,
    -- NULL for a rule in effect.
    paused_at BIGINT,
    removed_at BIGINT
);

-- Finds the rules for an event.
CREATE INDEX reward_rules_by_event ON reward_rules (app_id, mode, event) WHERE removed_at IS NULL;

-- The number of an identity's rewards by a rule.
CREATE TABLE reward_counts (
    rule_id BIGINT NOT NULL,
    identity_id BIGINT NOT NULL,
    -- -1 for the total.
    day BIGINT NOT NULL,
    rewards BIGINT NOT NULL,
    PRIMARY KEY (rule_id, identity_id, day)
);

-- Finds the counts of an identity that is merged into another.
CREATE INDEX reward_counts_by_user ON reward_counts (identity_id);

-- The number of rewards and referrals per day by calls with only the public key, by source. Rows of a source are deleted after their
-- day.
CREATE TABLE reward_sources (
    app_id BIGINT NOT NULL,
    mode SMALLINT NOT NULL,
    -- `address` or `network`, a space, and the hash of the address or network under the key of the day. Empty for all sources
    -- together.
    source TEXT NOT NULL,
    day BIGINT NOT NULL,
    rewards BIGINT NOT NULL DEFAULT 0,
    -- The number of users who were referred.
    referrals BIGINT NOT NULL DEFAULT 0,
    -- The number of rewards that were held, so that one source cannot use up the day's limit. 0 for all sources: see
    -- held_reward_days.
    held BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (app_id, mode, source, day)
);

-- Finds outdated rows of sources.
CREATE INDEX reward_sources_by_day ON reward_sources (day) WHERE source <> '';

-- Sessions whose identity has a referrer.
CREATE TABLE referrals (
    session_id BIGINT PRIMARY KEY,
    identity_id BIGINT NOT NULL,
    referring_identity_id BIGINT NOT NULL,
    -- The device of the session.
    device_id BIGINT NOT NULL,
    -- The reasons for holding its rewards: sentences, a JSON array. NULL if they are granted.
    held_reasons TEXT,
    -- 1 if a later referral of the identity on the device stands for it in the counts of reward_sources.
    is_replaced SMALLINT NOT NULL DEFAULT 0
);

-- Finds an identity's last referral on a device.
CREATE INDEX referrals_by_user ON referrals (identity_id, device_id, session_id);

-- Codes that an identity shares. Applying one earns credits.
CREATE TABLE referral_codes (
    id BIGINT PRIMARY KEY,
    app_id BIGINT NOT NULL,
    mode SMALLINT NOT NULL,
    code TEXT NOT NULL,
    -- The identity that created the code.
    identity_id BIGINT NOT NULL,
    amount BIGINT NOT NULL,
    bucket TEXT NOT NULL,
    -- Branch's numbers: 0 any number of times per identity, 1 once per identity.
    calculation_type SMALLINT NOT NULL,
    -- Branch's numbers, the identity that is rewarded: 0 the one that applies the code, 2 its creator, 3 both.
    location SMALLINT NOT NULL,
    -- NULL for never.
    expires_at BIGINT,
    UNIQUE (app_id, mode, code)
);

-- Fraud signals of devices.
CREATE TABLE fraud_signals (
    device_id BIGINT PRIMARY KEY,
    -- Sentences, a JSON array.
    signals TEXT NOT NULL
);

-- Held rewards, on which the operator decides. The uniqueness keys of a reward are claimed when it is held.
CREATE TABLE held_rewards (
    id BIGINT PRIMARY KEY,
    app_id BIGINT NOT NULL,
    mode SMALLINT NOT NULL,
    rule_id BIGINT NOT NULL,
    -- The identity that would receive the reward.
    identity_id BIGINT NOT NULL,
    -- The cause, for the transaction when the reward is released: as in credit_transactions.
    session_id BIGINT,
    event_id BIGINT,
    event_name TEXT,
    metadata TEXT,
    referrer_id BIGINT,
    referree_id BIGINT,
    -- Sentences, a JSON array.
    reasons TEXT NOT NULL,
    -- The source of the call, as hashes under the key of the day, so that rewards of a source can be decided together. NULL for a
    -- server's call, and if the address is unknown or not stored.
    address TEXT,
    network TEXT,
    -- When the operator released or refused the reward, or a server's report of the same action was rewarded in its place.
    decided_at BIGINT,
    -- The reward of the same action that was held first and has the uniqueness keys; NULL for that one.
    first_id BIGINT,
    -- 1 if it was released.
    is_granted SMALLINT NOT NULL DEFAULT 0
);

-- Lists the rewards that wait for a decision.
CREATE INDEX held_rewards_waiting ON held_rewards (app_id, mode, id) WHERE decided_at IS NULL;

-- Finds the second reward of an action.
CREATE INDEX held_rewards_by_first ON held_rewards (first_id) WHERE first_id IS NOT NULL;

-- The number of held rewards per day. Rewards above the day's limit are counted as dropped and not stored.
CREATE TABLE held_reward_days (
    app_id BIGINT NOT NULL,
    mode SMALLINT NOT NULL,
    day BIGINT NOT NULL,
    held BIGINT NOT NULL,
    dropped BIGINT NOT NULL,
    PRIMARY KEY (app_id, mode, day)
);

-- Finds the days with dropped rewards, of all apps.
CREATE INDEX held_reward_days_with_dropped ON held_reward_days (day) WHERE dropped > 0;
