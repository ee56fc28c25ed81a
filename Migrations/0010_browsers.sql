-- Browsers, which have their id and their last click in cookies, and further references from sessions to clicks and referrers.

ALTER TABLE clicks ADD COLUMN browser_id BIGINT;

-- A browser whose user is known to have the app.
CREATE TABLE browsers (
    app_id BIGINT NOT NULL,
    mode SMALLINT NOT NULL,
    browser_id BIGINT NOT NULL,
    device_id BIGINT NOT NULL,
    PRIMARY KEY (app_id, mode, browser_id)
);

-- The click that a browser on the device reported, until the next session from the same address reads it. device_key: a hardware or
-- advertising id.
CREATE TABLE strong_matches (
    app_id BIGINT NOT NULL,
    mode SMALLINT NOT NULL,
    device_key TEXT NOT NULL,
    address TEXT NOT NULL,
    browser_id BIGINT NOT NULL,
    click_id BIGINT,
    expires_at BIGINT NOT NULL,
    PRIMARY KEY (app_id, mode, device_key, address)
);

CREATE INDEX strong_matches_by_expiry ON strong_matches (expires_at);

-- The user agent of the app with which a link is shared. Its visits just after the link was created are not counted.
ALTER TABLE links ADD COLUMN ignored_user_agent TEXT;

-- The referrer of a session's user.
ALTER TABLE sessions ADD COLUMN referring_identity_id BIGINT;
CREATE INDEX sessions_by_referrer ON sessions (referring_identity_id, kind) WHERE referring_identity_id IS NOT NULL;

-- The last click that led the device or user to the app.
ALTER TABLE devices ADD COLUMN last_click_id BIGINT;
ALTER TABLE identities ADD COLUMN last_click_id BIGINT;

-- 1 for a browser with the Web SDK, which is a device too.
ALTER TABLE devices ADD COLUMN is_browser SMALLINT NOT NULL DEFAULT 0;

-- Known to every advertiser: used for counting and matching, never as proof of identity.
ALTER TABLE devices ADD COLUMN advertising_id TEXT;
CREATE INDEX devices_by_advertising_id ON devices (app_id, mode, advertising_id, id) WHERE advertising_id IS NOT NULL;
CREATE INDEX devices_by_identity ON devices (identity_id, id) WHERE is_browser = 0;
