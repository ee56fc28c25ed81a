-- Fingerprint signals of pending clicks, and clicks that name a device.

-- In addition to the OS version, which is empty if the browser hides it.
ALTER TABLE open_clicks ADD COLUMN model TEXT;
ALTER TABLE open_clicks ADD COLUMN language TEXT;
-- When the click was claimed by an install, in ms since 1970. The row stays until its match window ends, so that later installs can be
-- given the reason why they do not match.
ALTER TABLE open_clicks ADD COLUMN claimed_at BIGINT;

-- Clicks whose query named the advertising id of a device.
CREATE TABLE device_clicks (
    app_id BIGINT NOT NULL,
    mode SMALLINT NOT NULL,
    device_key TEXT NOT NULL,
    click_id BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    PRIMARY KEY (app_id, mode, device_key, click_id)
);

CREATE INDEX device_clicks_by_expiry ON device_clicks (expires_at);

-- The evidence of a session's attribution (JSON), so that it can be replayed.
ALTER TABLE sessions ADD COLUMN evidence TEXT;

-- For lists of an app's sessions, newest first.
CREATE INDEX sessions_by_scope ON sessions (app_id, mode, id);
