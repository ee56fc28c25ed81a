-- Browsers, which keep their own number and their last click in cookies, and what else ties a session to the one who shared a link.

ALTER TABLE clicks ADD COLUMN browser_id BIGINT;

-- A browser whose user is known to have the app.
CREATE TABLE browsers (
    app_id BIGINT NOT NULL,
    mode SMALLINT NOT NULL,
    browser_id BIGINT NOT NULL,
    device_id BIGINT NOT NULL,
    PRIMARY KEY (app_id, mode, browser_id)
);

-- What an app learned of the browser beside it, until its next session from the same address reads it. device_key is a hardware or
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

-- The user agent of the app that a link is shared through, whose visit does not count.
ALTER TABLE links ADD COLUMN ignored_user_agent TEXT;

-- Who brought a session's user.
ALTER TABLE sessions ADD COLUMN referring_identity_id BIGINT;
CREATE INDEX sessions_by_referrer ON sessions (referring_identity_id, kind) WHERE referring_identity_id IS NOT NULL;

-- The last click that led a device or user into the app.
ALTER TABLE devices ADD COLUMN last_click_id BIGINT;
ALTER TABLE identities ADD COLUMN last_click_id BIGINT;

-- A browser that the Web SDK runs in is a device too.
ALTER TABLE devices ADD COLUMN is_browser SMALLINT NOT NULL DEFAULT 0;

-- Known to every advertiser: good for counting, never for letting anybody in.
ALTER TABLE devices ADD COLUMN advertising_id TEXT;
CREATE INDEX devices_by_advertising_id ON devices (app_id, mode, advertising_id, id) WHERE advertising_id IS NOT NULL;
CREATE INDEX devices_by_identity ON devices (identity_id, id) WHERE is_browser = 0;
