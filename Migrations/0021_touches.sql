-- The environment of sessions, the referrer of a user, and the touch to which a user's events are attributed.

-- The kind of app that the device ran last: `FULL_APP`, `APP_CLIP`, `INSTANT_APP` or `IMESSAGE_APP`.
ALTER TABLE devices ADD COLUMN environment TEXT;

-- The referrer: the user whose link led this one to the app. Never changed.
ALTER TABLE identities ADD COLUMN referring_identity_id BIGINT;

-- 1 for a click of a link that is excluded from counts, else NULL.
ALTER TABLE clicks ADD COLUMN is_uncounted SMALLINT;

-- The click, and its link, to which an event was attributed when it was recorded; NULL for none.
ALTER TABLE events ADD COLUMN touch_click_id BIGINT;
ALTER TABLE events ADD COLUMN touch_link_id BIGINT;

-- Pending exchanges of Apple tokens for the ad of a session.
CREATE TABLE token_exchanges (
    session_id BIGINT PRIMARY KEY,
    token TEXT NOT NULL,
    tries SMALLINT NOT NULL,
    due_at BIGINT NOT NULL
);

CREATE INDEX token_exchanges_by_due ON token_exchanges (due_at);
