-- Identities (users of an app), their devices and browsers, and statistics of an app's devices.

CREATE TABLE identities (
    id BIGINT PRIMARY KEY,
    app_id BIGINT NOT NULL REFERENCES apps (id),
    mode SMALLINT NOT NULL,
    -- The id that the developer gave the user. NULL while anonymous.
    developer_identity TEXT,
    created_at BIGINT NOT NULL,
    -- The parameters that the identity's first session received, a JSON object. Replaced if that session is attributed again, and,
    -- if it had no link and opens count as well, by those of the first session with one.
    first_session_data TEXT,
    -- The last touch: the last click that led the identity to the app.
    last_click_id BIGINT,
    -- The referrer: the identity whose link led this one to the app. Set once.
    referring_identity_id BIGINT,
    -- The first device that had the identity, browsers included; instead of a browser, the one of the first session by which a server named
    -- the user. One that is logged in later by the user's name, which others may know, is not it. NULL as long as only servers have named
    -- the user, and no session.
    first_device_id BIGINT,
    UNIQUE (app_id, mode, developer_identity)
);

-- Installations of an app, and browsers with the Web SDK.
CREATE TABLE devices (
    id BIGINT PRIMARY KEY,
    app_id BIGINT NOT NULL REFERENCES apps (id),
    mode SMALLINT NOT NULL,
    -- The identity that uses the device now.
    identity_id BIGINT NOT NULL,
    -- 1 for a browser with the Web SDK.
    is_browser SMALLINT NOT NULL DEFAULT 0,
    -- An id that survives a reinstall and is not widely known.
    hardware_id TEXT,
    -- Known to every advertiser: used for counting and matching, never as proof of identity.
    advertising_id TEXT,
    -- When the device reported its id first: the app that did so before all others stands for the id, since anybody can report it.
    hardware_since BIGINT NOT NULL,
    advertising_since BIGINT NOT NULL,
    -- The description that the SDK reported last. country: ISO 3166. screen: in points, as 390x844.
    os TEXT,
    os_version TEXT,
    brand TEXT,
    model TEXT,
    screen TEXT,
    app_version TEXT,
    sdk TEXT,
    country TEXT,
    language TEXT,
    -- The variant of the app that ran last: `FULL_APP`, `APP_CLIP`, `INSTANT_APP` or `IMESSAGE_APP`.
    environment TEXT,
    -- The browser's name, and its user agent (a string). NULL for an app.
    browser TEXT,
    user_agent_id BIGINT,
    -- The site of the session that created the row, as in clicks.
    site BIGINT,
    -- The token for Apple's attribution API, valid for a day.
    apple_attribution_token TEXT,
    -- The last touch: the last click that led the device to the app.
    last_click_id BIGINT,
    -- When the app was first installed on the device. NULL for a browser, and for a device whose install was not recorded.
    installed_at BIGINT,
    first_seen_at BIGINT NOT NULL,
    last_seen_at BIGINT NOT NULL
);

-- Find a device by its ids, such as that of a reinstalled app. Anybody can report an id for any number of browsers, so apps are apart from them.
CREATE INDEX devices_by_hardware ON devices (app_id, mode, hardware_id, is_browser, hardware_since, id);
CREATE INDEX devices_by_advertising_id ON devices (app_id, mode, advertising_id, is_browser, advertising_since, id)
    WHERE advertising_id IS NOT NULL;
-- Finds an identity's newest app, and lists its devices.
CREATE INDEX devices_by_identity ON devices (identity_id, is_browser, id);
-- Counts an app's new devices of one model, a fraud signal.
CREATE INDEX devices_by_model ON devices (app_id, mode, model, id) WHERE model IS NOT NULL;

-- Browsers whose user is known to have the app, by the id in their cookie.
CREATE TABLE browsers (
    app_id BIGINT NOT NULL,
    mode SMALLINT NOT NULL,
    browser_id BIGINT NOT NULL,
    -- The device with the app.
    device_id BIGINT NOT NULL,
    -- 1 if only a guess led the app to the browser's click: the browser may be another person's.
    is_guessed SMALLINT NOT NULL,
    PRIMARY KEY (app_id, mode, browser_id)
);

-- The click that a browser on the device reported, until the next session from the same address reads it.
CREATE TABLE strong_matches (
    app_id BIGINT NOT NULL,
    mode SMALLINT NOT NULL,
    -- A hardware or advertising id.
    device_key TEXT NOT NULL,
    -- As in clicks. Required because other clients may know the ids of a device.
    address TEXT NOT NULL,
    browser_id BIGINT NOT NULL,
    -- NULL if the browser had no click within its window.
    click_id BIGINT,
    expires_at BIGINT NOT NULL,
    PRIMARY KEY (app_id, mode, device_key, address)
);

-- Finds expired reports.
CREATE INDEX strong_matches_by_expiry ON strong_matches (expires_at);

-- The devices with a session from an address, kept for a day: the more share an address, the less a match by it says.
CREATE TABLE device_addresses (
    app_id BIGINT NOT NULL,
    mode SMALLINT NOT NULL,
    -- As in clicks, never empty.
    address TEXT NOT NULL,
    device_id BIGINT NOT NULL,
    -- The last session.
    seen_at BIGINT NOT NULL,
    -- The kind of device, so that equal devices are counted without reading others.
    os TEXT,
    os_version TEXT,
    model TEXT,
    PRIMARY KEY (app_id, mode, address, device_id)
);

-- Finds outdated rows.
CREATE INDEX device_addresses_by_age ON device_addresses (seen_at);
-- Counts the devices of one kind at an address.
CREATE INDEX device_addresses_by_kind ON device_addresses (app_id, mode, address, os, os_version, seen_at);

-- The frequency of a trait among the newest devices of an app on one operating system. Agreement in a rare trait says more than in
-- a common one.
CREATE TABLE device_shares (
    app_id BIGINT NOT NULL,
    mode SMALLINT NOT NULL,
    os TEXT NOT NULL,
    -- os_version, model or screen. languages: one row with the app's languages in value, separated by spaces, most common first.
    trait TEXT NOT NULL,
    value TEXT NOT NULL,
    -- Thousandths of the devices. For languages, the number of devices.
    share BIGINT NOT NULL,
    PRIMARY KEY (app_id, mode, os, trait, value)
);

-- When the shares of an app were computed.
CREATE TABLE device_profiles (
    app_id BIGINT NOT NULL,
    mode SMALLINT NOT NULL,
    learned_at BIGINT NOT NULL,
    PRIMARY KEY (app_id, mode)
);
