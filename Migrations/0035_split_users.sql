-- Users whom opens of the Android SDK split in two, put together again.
--
-- From 5.9 on an open after a restart names no user. That was read as a logout, so the device got a new anonymous user. In truth only an event
-- says that the user logged out. An anonymous user is therefore the one before, if an open began it on a device whose user had a name, up to
-- the first event on that device that says otherwise. Users with a credit account stay as they are: the ledger is append-only. The next event
-- that names the user moves the device to that user, and nothing else.

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
    AND NOT EXISTS (SELECT 1 FROM credit_accounts WHERE credit_accounts.identity_id = opens.identity_id)
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

DROP TABLE login_reports;

DROP TABLE split_users;
