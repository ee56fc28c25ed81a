-- The double-entry ledger of credits. Amounts are whole credits, at most 2147483647. Transactions and entries are append-only:
-- errors are corrected by further transactions.

-- Accounts: one per identity and bucket, and accounts of the app. Only an identity's account has a balance: that of an app's
-- account would be a row for which all transactions compete.
CREATE TABLE credit_accounts (
    id BIGINT PRIMARY KEY,
    app_id BIGINT NOT NULL,
    mode SMALLINT NOT NULL,
    bucket TEXT NOT NULL,
    -- NULL for an account of the app.
    identity_id BIGINT,
    -- An account of the app: issued, redeemed or withdrawn.
    purpose TEXT,
    -- The sum of the account's entries.
    balance BIGINT CHECK (balance >= 0),
    CHECK ((identity_id IS NULL) = (balance IS NULL) AND (identity_id IS NULL) <> (purpose IS NULL))
);

CREATE UNIQUE INDEX credit_accounts_by_user ON credit_accounts (identity_id, bucket) WHERE identity_id IS NOT NULL;
CREATE UNIQUE INDEX credit_accounts_of_apps ON credit_accounts (app_id, mode, bucket, purpose) WHERE identity_id IS NULL;

-- Transactions with their cause. The amounts of a transaction's entries sum to 0.
CREATE TABLE credit_transactions (
    id BIGINT PRIMARY KEY,
    app_id BIGINT NOT NULL,
    mode SMALLINT NOT NULL,
    -- Branch's numbers: 0 rewarded, 1 granted, 2 redeemed, 3 reversed as fraud, 4 corrected (reconciled, reversed, expired or
    -- merged).
    kind SMALLINT NOT NULL,
    -- rule, code, operator, server, sdk, reversal, expiry or merge.
    source TEXT NOT NULL,
    -- The reward rule.
    rule_id BIGINT,
    -- The session or the event that was rewarded.
    session_id BIGINT,
    event_id BIGINT,
    -- The event's name, install or open, or a name chosen by a server.
    event_name TEXT,
    -- Metadata of the cause, a JSON object of at most 8192 bytes.
    metadata TEXT,
    -- The counterparty, at most one: the identity's referrer, or an identity that it referred.
    referrer_id BIGINT,
    referree_id BIGINT,
    -- The transaction that this one reverses.
    undone_id BIGINT
);

-- Entries: the amount that a transaction adds to an account, or takes from it if negative.
CREATE TABLE credit_entries (
    transaction_id BIGINT NOT NULL REFERENCES credit_transactions (id),
    account_id BIGINT NOT NULL REFERENCES credit_accounts (id),
    amount BIGINT NOT NULL CHECK (amount <> 0),
    -- The account's balance after the entry. NULL for an account of the app.
    balance_after BIGINT CHECK (balance_after >= 0),
    PRIMARY KEY (transaction_id, account_id)
);

-- Lists the history of an account.
CREATE INDEX credit_entries_by_account ON credit_entries (account_id, transaction_id);

-- Uniqueness keys of what happens only once, kept forever.
CREATE TABLE credit_uniqueness_keys (
    app_id BIGINT NOT NULL,
    mode SMALLINT NOT NULL,
    -- The key, by its kind: of a call with an idempotency key, of the reversal of a transaction, of the merge of an identity, of
    -- the first reward by a rule or code.
    claim TEXT NOT NULL,
    transaction_id BIGINT NOT NULL,
    -- Fingerprint of the request, if the caller chose the key. The same key with another fingerprint is a conflict.
    asked TEXT,
    PRIMARY KEY (app_id, mode, claim)
);

-- Lots of credits that expire.
CREATE TABLE expiring_credits (
    -- The transaction that granted the lot, and the account that has it now.
    transaction_id BIGINT NOT NULL,
    account_id BIGINT NOT NULL,
    -- What was not consumed yet.
    remaining BIGINT NOT NULL CHECK (remaining >= 0),
    expires_at BIGINT NOT NULL,
    PRIMARY KEY (transaction_id, account_id)
);

-- Finds the lots of an account, earliest expiry first.
CREATE INDEX expiring_credits_by_account ON expiring_credits (account_id, expires_at, transaction_id) WHERE remaining > 0;
-- Finds expired lots.
CREATE INDEX expiring_credits_by_expiry ON expiring_credits (expires_at) WHERE remaining > 0;

-- Consumed lots: what a transaction took of expiring credits, so that a reversal restores them with their expiry.
CREATE TABLE spent_expiring_credits (
    transaction_id BIGINT NOT NULL,
    account_id BIGINT NOT NULL,
    -- The transaction that granted the lot.
    given_id BIGINT NOT NULL,
    amount BIGINT NOT NULL CHECK (amount > 0),
    -- The lot's expiry.
    expires_at BIGINT NOT NULL,
    PRIMARY KEY (transaction_id, account_id, given_id)
);
