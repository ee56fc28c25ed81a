-- Rules by which users earn credits, whom they brought, and codes that they pass on.

CREATE TABLE reward_rules (
    id BIGINT PRIMARY KEY,
    app_id BIGINT NOT NULL,
    mode SMALLINT NOT NULL,
    event TEXT NOT NULL,
    -- What the event's metadata must hold, a JSON object.
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

-- How often a rule has rewarded a user: on a day (since 1970, UTC), and on day -1 ever.
CREATE TABLE reward_counts (
    rule_id BIGINT NOT NULL,
    identity_id BIGINT NOT NULL,
    day BIGINT NOT NULL,
    rewards BIGINT NOT NULL,
    PRIMARY KEY (rule_id, identity_id, day)
);

-- Sessions whose user was brought by another.
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
    -- As Branch numbers them: 0 as often as a user likes, 1 once by each user.
    calculation_type SMALLINT NOT NULL,
    -- As Branch numbers them: 0 who applies it, 2 who made it, 3 both.
    location SMALLINT NOT NULL,
    expires_at BIGINT,
    UNIQUE (app_id, mode, code)
);
