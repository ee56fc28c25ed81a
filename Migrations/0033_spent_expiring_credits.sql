-- Consumed lots: what a transaction took of expiring credits, so that a reversal restores them with their expiry.
CREATE TABLE spent_expiring_credits (
    transaction_id BIGINT NOT NULL,
    account_id BIGINT NOT NULL,
    -- The transaction that granted the lot.
    given_id BIGINT NOT NULL,
    amount BIGINT NOT NULL CHECK (amount > 0),
    expires_at BIGINT NOT NULL,
    PRIMARY KEY (transaction_id, account_id, given_id)
);

-- The uniqueness keys of a reward are claimed when it is held.
ALTER TABLE held_rewards DROP COLUMN claims;

CREATE INDEX reward_counts_by_user ON reward_counts (identity_id);
