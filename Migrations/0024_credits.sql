-- The double-entry ledger of credits. Transactions and entries are append-only; errors are corrected by further transactions. The
-- amounts of a transaction's entries sum to 0.

-- Accounts: one per user and bucket, and accounts of the app. Only users' accounts have a balance; that of an app account would be a
-- row for which all transactions compete.
CREATE TABLE credit_accounts (
    id BIGINT PRIMARY KEY,
    app_id BIGINT NOT NULL,
    mode SMALLINT NOT NULL,
    bucket TEXT NOT NULL,
    identity_id BIGINT,
    -- An account of the app: issued, redeemed or withdrawn.
    purpose TEXT,
    balance BIGINT CHECK (balance >= 0),
    CHECK ((identity_id IS NULL) = (balance IS NULL) AND (identity_id IS NULL) <> (purpose IS NULL))
);

CREATE UNIQUE INDEX credit_accounts_by_user ON credit_accounts (identity_id, bucket) WHERE identity_id IS NOT NULL;
CREATE UNIQUE INDEX credit_accounts_of_apps ON credit_accounts (app_id, mode, bucket, purpose) WHERE identity_id IS NULL;

-- Transactions with their cause.
CREATE TABLE credit_transactions (
    id BIGINT PRIMARY KEY,
    app_id BIGINT NOT NULL,
    mode SMALLINT NOT NULL,
    -- Branch's numbers: 0 rewarded, 1 granted, 2 redeemed, 3 reversed as fraud, 4 corrected.
    kind SMALLINT NOT NULL,
    -- The source: rule, code, operator, server, sdk, reversal, expiry, merge.
    source TEXT NOT NULL,
    rule_id BIGINT,
    session_id BIGINT,
    event_id BIGINT,
    event_name TEXT,
    metadata TEXT,
    -- The counterparty: the user's referrer, or a user whom this one referred.
    referrer_id BIGINT,
    referree_id BIGINT,
    -- The transaction that this one reverses.
    undone_id BIGINT
);

CREATE TABLE credit_entries (
    transaction_id BIGINT NOT NULL REFERENCES credit_transactions (id),
    account_id BIGINT NOT NULL REFERENCES credit_accounts (id),
    amount BIGINT NOT NULL CHECK (amount <> 0),
    -- The user's balance after the entry.
    balance_after BIGINT CHECK (balance_after >= 0),
    PRIMARY KEY (transaction_id, account_id)
);

CREATE INDEX credit_entries_by_account ON credit_entries (account_id, transaction_id);

-- Uniqueness keys of what can happen only once: a call with an idempotency key, the reversal of a transaction, a user's first reward by
-- a rule.
CREATE TABLE credit_claims (
    app_id BIGINT NOT NULL,
    mode SMALLINT NOT NULL,
    claim TEXT NOT NULL,
    transaction_id BIGINT NOT NULL,
    -- Fingerprint of the request. The same key with another fingerprint is a conflict.
    asked TEXT,
    PRIMARY KEY (app_id, mode, claim)
);

-- Lots of credits that expire: the remaining amounts.
CREATE TABLE expiring_credits (
    transaction_id BIGINT NOT NULL,
    account_id BIGINT NOT NULL,
    remaining BIGINT NOT NULL CHECK (remaining >= 0),
    expires_at BIGINT NOT NULL,
    PRIMARY KEY (transaction_id, account_id)
);

CREATE INDEX expiring_credits_by_account ON expiring_credits (account_id, expires_at) WHERE remaining > 0;
CREATE INDEX expiring_credits_by_expiry ON expiring_credits (expires_at) WHERE remaining > 0;
