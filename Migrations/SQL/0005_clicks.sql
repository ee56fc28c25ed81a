-- The click log, and the pending clicks that an install can still match.

-- Append-only and read by id. Without secondary indexes, which would cost more per click than the row itself. Enumerated words and
-- versions are stored inline, free text from the client as the id of a term. UTM parameters have no columns: they are in the query.
CREATE TABLE clicks (
    id BIGINT PRIMARY KEY,
    -- 0 for a long link, whose data is in the query.
    link_id BIGINT NOT NULL,
    app_id BIGINT NOT NULL,
    mode SMALLINT NOT NULL,
    -- The visitor: platform, operating system with its version, type, maker and model (a term) of the device, browser with its
    -- version, and the app whose in-app browser it is.
    platform TEXT NOT NULL,
    os TEXT,
    os_version TEXT,
    device TEXT,
    maker TEXT,
    model_id BIGINT,
    browser TEXT,
    browser_version TEXT,
    in_app_browser TEXT,
    -- ISO 3166, two letters.
    country TEXT,
    -- The robot, by its name. NULL for a person. Visits by robots are logged and not reported as clicks.
    robot TEXT,
    -- The visitor's address as privacy.addresses requires: hashed with the day's key, in full, or empty.
    address TEXT NOT NULL,
    -- The class of the address, determined before it was hashed: listed or owner. NULL for one that is not known to be shared.
    address_class TEXT,
    -- 16 bits of a hash of the day and the visitor's site (a /24 of IPv4, a /48 of IPv6), under a key that only the running server
    -- has. Gives each site one share of the day's values, and identifies no one.
    site BIGINT,
    -- The browser, by the id in its cookie.
    browser_id BIGINT,
    -- Terms. referrer_host_id: complete referrers may have too many values per day to be a dimension.
    user_agent_id BIGINT,
    referrer_id BIGINT,
    referrer_host_id BIGINT,
    -- The query appended to the link, not decoded.
    query TEXT,
    -- The response to the visitor and its reason. Both NULL if the link opened the app itself.
    action TEXT,
    reason TEXT,
    -- The click that this one continues, or the text message that it came from: the id in the visited address, /c/ and the id.
    via_click BIGINT,
    -- 1 for a click of a link that is excluded from counts, else NULL.
    is_uncounted SMALLINT
);

-- Pending clicks of persons (not robots), stored until an hour after the end of their match window. Claimed and expired ones stay
-- until then, so that later installs can be given the reason why they do not match.
CREATE TABLE open_clicks (
    -- The lookup key of probabilistic matching: app, mode, address, operating system and version. os_version: empty if the browser
    -- hides it.
    app_id BIGINT NOT NULL,
    mode SMALLINT NOT NULL,
    address TEXT NOT NULL,
    os TEXT NOT NULL,
    os_version TEXT NOT NULL,
    click_id BIGINT NOT NULL,
    link_id BIGINT NOT NULL,
    -- Further fingerprint signals. language: the primary language without its region. address_class: as in clicks.
    model TEXT,
    language TEXT,
    address_class TEXT,
    -- Signals reported by the script of the click's page in addition to the request, and when. screen: in points, as 390x844.
    screen TEXT,
    reported_os_version TEXT,
    reported_at BIGINT,
    -- A short hash of the items that the click appended to its link, so that clicks that lead to the same data are recognized
    -- without reading their queries. Empty for none.
    appended TEXT,
    -- The end of the match window.
    expires_at BIGINT NOT NULL,
    -- When an install claimed the click. At most one does.
    claimed_at BIGINT,
    PRIMARY KEY (app_id, mode, address, os, os_version, click_id)
);

-- Finds clicks to delete.
CREATE INDEX open_clicks_by_expiry ON open_clicks (expires_at);

-- Clicks whose query named the advertising id of a device.
CREATE TABLE device_clicks (
    app_id BIGINT NOT NULL,
    mode SMALLINT NOT NULL,
    -- The advertising id, in lower case.
    device_key TEXT NOT NULL,
    click_id BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    -- When a session claimed the click.
    claimed_at BIGINT,
    PRIMARY KEY (app_id, mode, device_key, click_id)
);

-- Finds clicks whose window has ended.
CREATE INDEX device_clicks_by_expiry ON device_clicks (expires_at);
