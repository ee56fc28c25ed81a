-- Reward rules, referrals and referral codes.

CREATE TABLE reward_rules (
    id BIGINT PRIMARY KEY,
    app_id BIGINT NOT NULL,
    mode SMALLINT NOT NULL,
    event TEXT NOT NULL,
    -- The values that the event's metadata must have, a JSON object.
    filter TEXT NOT NULL,
    -- actor, referrer, actor-if-referred or both.
    recipient TEXT NOT NULL,
    first_only SMALLINT NOT NULL,
    amount BIGINT NOT NULL,
    bucket TEXT NOT NULL,
    cap_per_day BIGINT,
    cap_per_user BIGINT,
    days_valid BIGINT,
    paused_at BIGINT,
    removed_at BIGINT
);

CREATE INDEX reward_rules_by_event ON reward_rules (app_id, mode, event) WHERE removed_at IS NULL;

-- The number of a user's rewards by a rule. day: days since 1970-01-01 UTC, or -1 for the total.
CREATE TABLE reward_counts (
    rule_id BIGINT NOT NULL,
    identity_id BIGINT NOT NULL,
    day BIGINT NOT NULL,
    rewards BIGINT NOT NULL,
    PRIMARY KEY (rule_id, identity_id, day)
);

-- Sessions whose user has a referrer.
CREATE TABLE referrals (
    session_id BIGINT PRIMARY KEY,
    identity_id BIGINT NOT NULL,
    referring_identity_id BIGINT NOT NULL
);

CREATE INDEX referrals_by_user ON referrals (identity_id, session_id);

-- Finds whether a device ever had an identity.
CREATE INDEX sessions_by_device ON sessions (device_id, identity_id);

CREATE TABLE referral_codes (
    id BIGINT PRIMARY KEY,
    app_id BIGINT NOT NULL,
    mode SMALLINT NOT NULL,
    code TEXT NOT NULL,
    identity_id BIGINT NOT NULL,
    amount BIGINT NOT NULL,
    bucket TEXT NOT NULL,
    -- Branch's numbers: 0 any number of times per user, 1 once per user.
    calculation_type SMALLINT NOT NULL,
    -- Branch's numbers, the user who is rewarded: 0 the one who applies the code, 2 its creator, 3 both.
    location SMALLINT NOT NULL,
    expires_at BIGINT,
    UNIQUE (app_id, mode, code)
);
