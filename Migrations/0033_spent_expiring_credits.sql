-- What a transaction took of credits that end, so that they are given back as they were.
CREATE TABLE spent_expiring_credits (
    transaction_id BIGINT NOT NULL,
    account_id BIGINT NOT NULL,
    -- The transaction that gave them.
    given_id BIGINT NOT NULL,
    amount BIGINT NOT NULL CHECK (amount > 0),
    expires_at BIGINT NOT NULL,
    PRIMARY KEY (transaction_id, account_id, given_id)
);

-- What a reward happens once for is claimed when it is held back.
ALTER TABLE held_rewards DROP COLUMN claims;

CREATE INDEX reward_counts_by_user ON reward_counts (identity_id);
