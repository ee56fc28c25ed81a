-- Repairs Android users that restarts of the app split in two.
--
-- From 5.9 on, an Android open after a restart names no user. Earlier versions read that as a logout and gave the device a new anonymous
-- user; only an event says that a user logged out. An anonymous user is therefore the one before if an open began it on a device whose user
-- had a name, up to the first event on that device that reports a logout or another user.
--
-- Sessions, events, links, referrals, the device and the last click go to the named user. So do credits, reward counts, referral codes and
-- held rewards, unless such an event ended the anonymous user's time: from then on it was a user of its own, and keeps them. Entries of the
-- ledger stay as they are. An account moves whole where the named user has none for the bucket; otherwise a correction moves its balance,
-- unless the sum would pass the largest balance or one transaction gave expiring credits to both.

-- What events say about the login on their device: the user they name, or 0 for a logout.
CREATE TABLE login_reports (
    device_id BIGINT NOT NULL,
    event_id BIGINT NOT NULL,
    identity_id BIGINT NOT NULL,
    PRIMARY KEY (device_id, event_id)
);

INSERT INTO login_reports (device_id, event_id, identity_id)
SELECT device_id, id,
    CASE WHEN body LIKE '%"developer_identity":"bnc_no_value"%' THEN 0 ELSE COALESCE(identity_id, 0) END
FROM events
WHERE device_id IN (SELECT id FROM devices WHERE sdk LIKE 'android%') AND body LIKE '%"developer_identity":"%';

CREATE TABLE split_users (
    identity_id BIGINT PRIMARY KEY,
    device_id BIGINT NOT NULL,
    -- The user before.
    owner_id BIGINT NOT NULL,
    -- The first event that says that the owner is gone, or the highest number.
    until_id BIGINT NOT NULL
);

INSERT INTO split_users (identity_id, device_id, owner_id, until_id)
SELECT opens.identity_id, opens.device_id, opens.owner_id,
    COALESCE(
        MIN(CASE WHEN login.event_id > opens.id AND login.identity_id <> opens.owner_id THEN login.event_id END),
        9223372036854775807)
FROM (
    SELECT id, device_id, identity_id, kind,
        LAG(id) OVER (PARTITION BY device_id ORDER BY id) AS earlier_id,
        LAG(identity_id) OVER (PARTITION BY device_id ORDER BY id) AS owner_id
    FROM sessions
    WHERE device_id IN (SELECT id FROM devices WHERE sdk LIKE 'android%')
) AS opens
JOIN identities AS split ON split.id = opens.identity_id AND split.developer_identity IS NULL
JOIN identities AS owner ON owner.id = opens.owner_id AND owner.developer_identity IS NOT NULL
LEFT JOIN login_reports AS login ON login.device_id = opens.device_id AND login.event_id > opens.earlier_id
WHERE opens.kind = 1
GROUP BY opens.id, opens.identity_id, opens.device_id, opens.owner_id
-- Not where the last event before the open says that the owner had gone.
HAVING COALESCE(MAX(CASE WHEN login.event_id < opens.id AND login.identity_id <> opens.owner_id THEN login.event_id END), 0)
    <= COALESCE(MAX(CASE WHEN login.event_id < opens.id AND login.identity_id = opens.owner_id THEN login.event_id END), 0)
ON CONFLICT (identity_id) DO NOTHING;

UPDATE sessions SET identity_id = split_users.owner_id FROM split_users
WHERE sessions.device_id = split_users.device_id AND sessions.identity_id = split_users.identity_id
    AND sessions.id < split_users.until_id;

UPDATE events SET identity_id = split_users.owner_id FROM split_users
WHERE events.identity_id = split_users.identity_id AND events.id < split_users.until_id;

UPDATE links SET identity_id = split_users.owner_id FROM split_users
WHERE links.identity_id = split_users.identity_id AND links.id < split_users.until_id;

UPDATE devices SET identity_id = split_users.owner_id FROM split_users
WHERE devices.id = split_users.device_id AND devices.identity_id = split_users.identity_id
    AND split_users.until_id = 9223372036854775807;

-- The last click of either, unless it came after the anonymous user had become another.
UPDATE identities SET last_click_id = split.click_id
FROM (
    SELECT split_users.owner_id, MAX(identities.last_click_id) AS click_id
    FROM split_users JOIN identities ON identities.id = split_users.identity_id
    WHERE identities.last_click_id < split_users.until_id
    GROUP BY split_users.owner_id
) AS split
WHERE identities.id = split.owner_id AND COALESCE(identities.last_click_id, 0) < split.click_id;

-- Referrals by and of them; no user is its own referrer.
UPDATE sessions SET referring_identity_id = split_users.owner_id FROM split_users
WHERE sessions.referring_identity_id = split_users.identity_id;

UPDATE sessions SET referring_identity_id = NULL WHERE referring_identity_id = identity_id;

UPDATE identities SET referring_identity_id = split_users.owner_id FROM split_users
WHERE identities.referring_identity_id = split_users.identity_id;

UPDATE identities SET referring_identity_id = NULL WHERE referring_identity_id = id;

UPDATE referrals SET identity_id = split_users.owner_id FROM split_users
WHERE referrals.identity_id = split_users.identity_id AND referrals.session_id < split_users.until_id;

UPDATE referrals SET referring_identity_id = split_users.owner_id FROM split_users
WHERE referrals.referring_identity_id = split_users.identity_id;

DELETE FROM referrals WHERE referring_identity_id = identity_id;

-- From here on only users who were never another.
DELETE FROM split_users WHERE until_id < 9223372036854775807;

UPDATE referral_codes SET identity_id = split_users.owner_id FROM split_users
WHERE referral_codes.identity_id = split_users.identity_id;

UPDATE held_rewards SET identity_id = split_users.owner_id FROM split_users
WHERE held_rewards.identity_id = split_users.identity_id;

INSERT INTO reward_counts (rule_id, identity_id, day, rewards)
SELECT rule_id, owner_id, day, CAST(SUM(rewards) AS BIGINT)
FROM reward_counts JOIN split_users ON split_users.identity_id = reward_counts.identity_id
WHERE rewards > 0
GROUP BY rule_id, owner_id, day
ON CONFLICT (rule_id, identity_id, day) DO UPDATE SET rewards = reward_counts.rewards + excluded.rewards;

DELETE FROM reward_counts WHERE identity_id IN (SELECT identity_id FROM split_users);

-- Accounts that were opened and never used.
DELETE FROM credit_accounts
WHERE identity_id IN (SELECT identity_id FROM split_users UNION SELECT owner_id FROM split_users)
    AND NOT EXISTS (SELECT 1 FROM credit_entries WHERE credit_entries.account_id = credit_accounts.id);

-- The first account in each bucket of which the named user has none.
UPDATE credit_accounts SET identity_id = moved.owner_id
FROM (
    SELECT split_users.owner_id, MIN(accounts.id) AS account_id
    FROM split_users JOIN credit_accounts AS accounts ON accounts.identity_id = split_users.identity_id
    WHERE NOT EXISTS (
        SELECT 1 FROM credit_accounts AS owned WHERE owned.identity_id = split_users.owner_id AND owned.bucket = accounts.bucket)
    GROUP BY split_users.owner_id, accounts.bucket
) AS moved
WHERE credit_accounts.id = moved.account_id;

-- Balances of the other accounts, each moved by one transaction after all there are.
CREATE TABLE split_balances (
    transaction_id BIGINT PRIMARY KEY,
    account_id BIGINT NOT NULL,
    owner_account_id BIGINT NOT NULL,
    amount BIGINT NOT NULL,
    owner_balance BIGINT NOT NULL
);

INSERT INTO split_balances (transaction_id, account_id, owner_account_id, amount, owner_balance)
SELECT
    (SELECT MAX(id) FROM credit_transactions) + ROW_NUMBER() OVER (ORDER BY account_id), account_id, owner_account_id, amount,
    owner_balance
FROM (
    SELECT accounts.id AS account_id, owned.id AS owner_account_id, accounts.balance AS amount,
        CAST(owned.balance + SUM(accounts.balance) OVER (PARTITION BY owned.id ORDER BY accounts.id) AS BIGINT) AS owner_balance
    FROM split_users
    JOIN credit_accounts AS accounts ON accounts.identity_id = split_users.identity_id
    JOIN credit_accounts AS owned ON owned.identity_id = split_users.owner_id AND owned.bucket = accounts.bucket
    WHERE accounts.balance > 0 AND NOT EXISTS (
        SELECT 1 FROM expiring_credits AS lots JOIN expiring_credits AS other ON other.transaction_id = lots.transaction_id
        WHERE lots.account_id = accounts.id AND other.account_id <> accounts.id)
) AS balances
WHERE owner_balance <= 2147483647;

INSERT INTO credit_transactions (id, app_id, mode, kind, source)
SELECT split_balances.transaction_id, credit_accounts.app_id, credit_accounts.mode, 4, 'merge'
FROM split_balances JOIN credit_accounts ON credit_accounts.id = split_balances.account_id;

INSERT INTO credit_entries (transaction_id, account_id, amount, balance_after)
SELECT transaction_id, account_id, -amount, 0 FROM split_balances;

INSERT INTO credit_entries (transaction_id, account_id, amount, balance_after)
SELECT transaction_id, owner_account_id, amount, owner_balance FROM split_balances;

UPDATE credit_accounts SET balance = balance + (
    SELECT CAST(SUM(amount) AS BIGINT) FROM split_balances WHERE owner_account_id = credit_accounts.id)
WHERE id IN (SELECT owner_account_id FROM split_balances);

UPDATE credit_accounts SET balance = 0 WHERE id IN (SELECT account_id FROM split_balances);

UPDATE expiring_credits SET account_id = split_balances.owner_account_id FROM split_balances
WHERE expiring_credits.account_id = split_balances.account_id AND expiring_credits.remaining > 0;

DROP TABLE split_balances;

DROP TABLE login_reports;

DROP TABLE split_users;
