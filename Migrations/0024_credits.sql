-- The ledger of credits, in double entry. Transactions and entries are only ever added: what was wrong is set right by a further
-- transaction.

-- Where credits are: in a user's bucket, or with the app that issued them or took them back. Only users have a balance; the app's
-- accounts would otherwise be a row that everybody waits for.
CREATE TABLE credit_accounts (
    id BIGINT PRIMARY KEY,
    app_id BIGINT NOT NULL,
    mode SMALLINT NOT NULL,
    bucket TEXT NOT NULL,
    identity_id BIGINT,
    -- issued, redeemed or withdrawn: an account of the app.
    purpose TEXT,
    balance BIGINT CHECK (balance >= 0),
    CHECK ((identity_id IS NULL) = (balance IS NULL) AND (identity_id IS NULL) <> (purpose IS NULL))
);

CREATE UNIQUE INDEX credit_accounts_by_user ON credit_accounts (identity_id, bucket) WHERE identity_id IS NOT NULL;
CREATE UNIQUE INDEX credit_accounts_of_apps ON credit_accounts (app_id, mode, bucket, purpose) WHERE identity_id IS NULL;

-- What happened, and why.
CREATE TABLE credit_transactions (
    id BIGINT PRIMARY KEY,
    app_id BIGINT NOT NULL,
    mode SMALLINT NOT NULL,
    -- As Branch numbers them: 0 rewarded, 1 granted, 2 redeemed, 3 taken back as fraud, 4 corrected.
    kind SMALLINT NOT NULL,
    -- Who or what caused it: rule, code, operator, server, sdk, reversal, expiry, merge.
    source TEXT NOT NULL,
    rule_id BIGINT,
    session_id BIGINT,
    event_id BIGINT,
    event_name TEXT,
    metadata TEXT,
    -- The other party: who brought the user, or whom the user brought.
    referrer_id BIGINT,
    referree_id BIGINT,
    -- The transaction that this one undoes.
    undone_id BIGINT
);

CREATE TABLE credit_entries (
    transaction_id BIGINT NOT NULL REFERENCES credit_transactions (id),
    account_id BIGINT NOT NULL REFERENCES credit_accounts (id),
    amount BIGINT NOT NULL CHECK (amount <> 0),
    -- A user's balance after it.
    balance_after BIGINT CHECK (balance_after >= 0),
    PRIMARY KEY (transaction_id, account_id)
);

CREATE INDEX credit_entries_by_account ON credit_entries (account_id, transaction_id);

-- What may happen once: a call with an idempotency key, the reversal of a transaction, a user's first reward by a rule.
CREATE TABLE credit_claims (
    app_id BIGINT NOT NULL,
    mode SMALLINT NOT NULL,
    claim TEXT NOT NULL,
    transaction_id BIGINT NOT NULL,
    -- Fingerprint of the request. The same key with another fingerprint is a conflict.
    asked TEXT,
    PRIMARY KEY (app_id, mode, claim)
);

-- What is left of credits that end.
CREATE TABLE expiring_credits (
    transaction_id BIGINT NOT NULL,
    account_id BIGINT NOT NULL,
    remaining BIGINT NOT NULL CHECK (remaining >= 0),
    expires_at BIGINT NOT NULL,
    PRIMARY KEY (transaction_id, account_id)
);

CREATE INDEX expiring_credits_by_account ON expiring_credits (account_id, expires_at) WHERE remaining > 0;
CREATE INDEX expiring_credits_by_expiry ON expiring_credits (expires_at) WHERE remaining > 0;
