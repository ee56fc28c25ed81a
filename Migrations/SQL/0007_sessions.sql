-- The session log: launches of an app, with their attribution.

CREATE TABLE sessions (
    id BIGINT PRIMARY KEY,
    app_id BIGINT NOT NULL,
    mode SMALLINT NOT NULL,
    device_id BIGINT NOT NULL,
    identity_id BIGINT NOT NULL,
    -- 0 install, 1 open, 2 web, 3 change of the device's identity (not a launch), 4 reinstall, 5 full app after an App Clip or
    -- instant app. 0 and 5 count as installs.
    kind SMALLINT NOT NULL,
    -- The link that the session is attributed to, and the click that led to it. Both NULL for an organic session. If the link opted
    -- out of attribution, only the click is set. link_id 0: a long link.
    link_id BIGINT,
    click_id BIGINT,
    -- 1 if the session is attributed to an App Store ad instead of a link.
    is_by_ad SMALLINT NOT NULL DEFAULT 0,
    -- The referrer: the identity that shared the link, unless it is the session's own.
    referring_identity_id BIGINT,
    -- The parameters returned to the app, a JSON object.
    data TEXT NOT NULL,
    -- The attribution decision with its reasons, JSON (StoredDecision).
    explanation TEXT NOT NULL,
    -- The evidence of the decision, JSON, with which it can be replayed. NULL for a change of identity.
    evidence TEXT,
    -- NULL until the app reports the end.
    closed_at BIGINT
);

-- Counts the installs or opens that an identity brought.
CREATE INDEX sessions_by_referrer ON sessions (referring_identity_id, kind, identity_id) WHERE referring_identity_id IS NOT NULL;
-- Finds the sessions that were given a click, and the first of them of a kind: a replay must not match a click to a second device, and a
-- click refers the user of one device only. Covers the search for one device or identity among very many opens of one click.
CREATE INDEX sessions_by_click ON sessions (click_id, kind, id, device_id, identity_id) WHERE click_id IS NOT NULL;
-- Finds whether a device ever had an identity, and covers the count of an identity's sessions.
CREATE INDEX sessions_by_identity ON sessions (identity_id, device_id);
-- Covers the installs of funnels, cohorts and lifetime values.
CREATE INDEX installs_by_scope ON sessions (app_id, mode, id, device_id, kind, link_id, click_id) WHERE kind IN (0, 5);
-- Lists an app's sessions, newest first, and covers the launches of funnels and cohorts.
CREATE INDEX sessions_by_scope ON sessions (app_id, mode, id, device_id, kind);

-- Pending exchanges of Apple's attribution tokens for the ad of a session. Deleted a day after the session at the latest.
CREATE TABLE token_exchanges (
    session_id BIGINT PRIMARY KEY,
    app_id BIGINT NOT NULL,
    token TEXT NOT NULL,
    -- The number of requests to Apple so far.
    attempts BIGINT NOT NULL,
    -- The time of the next request.
    due_at BIGINT NOT NULL
);

-- Finds the exchanges that are due, without their tokens.
CREATE INDEX token_exchanges_by_due ON token_exchanges (due_at, app_id, session_id);
