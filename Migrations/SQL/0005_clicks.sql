-- The click log, and the pending clicks that an install can still match.

-- Append-only and read by id. Without secondary indexes, which would cost more per click than the row itself. Enumerated words and
-- versions are stored inline, free text from the client as the id of a string. UTM parameters have no columns: they are in the query.
CREATE TABLE clicks (
    id BIGINT PRIMARY KEY,
    -- 0 for a long link, whose data is in the query.
    link_id BIGINT NOT NULL,
    app_id BIGINT NOT NULL,
    mode SMALLINT NOT NULL,
    -- The visitor: platform, operating system with its version, type, maker and model (a string) of the device, browser with its
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
    -- Strings. referrer_host_id: complete referrers may have too many values per day to be a dimension.
    user_agent_id BIGINT,
    referrer_id BIGINT,
    referrer_host_id BIGINT,
    -- The labels of a long link, as JSON: channel, campaign, feature. NULL for a stored link, and where the query is erased.
    link_labels TEXT,
    -- The query appended to the link, not decoded.
    query TEXT,
    -- The response to the visitor and its reason. Both NULL if the link opened the app itself.
    action TEXT,
    reason TEXT,
    -- The click that this one continues, or the text message that it came from: the id in the visited address, /c/ and the id.
    via_click BIGINT,
    -- 1 for a click of a link that is excluded from counts, else NULL.
    is_uncounted SMALLINT,
    -- For a pending click: the visitor's primary language without its region, and the length of the match window in seconds from the
    -- time of the click's id. match_seconds: NULL for a click that is not pending.
    language TEXT,
    match_seconds BIGINT,
    -- A hash of what the query of a pending click appends to its link, without click ids of ad networks, in any order: clicks with the same
    -- one lead to the same data. NULL if it appends nothing.
    appended_hash TEXT,
    -- The own attribution windows of a long link, in days: install, session start and conversion, as `7.0;;1.5`. NULL if it sets none,
    -- and for stored links, see link_status.
    link_windows TEXT
);

-- Pending clicks of persons (not robots) by their match key, stored until an hour after the end of their match window. Claimed and expired
-- ones stay until then, so that later installs can be given the reason why they do not match. A running server has new pending clicks
-- in memory first and writes many at once; the row pending_clicks.clicks of aggregation_cursors is the last click written. A click that
-- is reported on has its row from then on. The rest of a pending click is in clicks.
CREATE TABLE pending_clicks (
    -- 40 bits of a hash of app, mode and address, then 24 bits of a hash of operating system and version.
    match_key BIGINT NOT NULL,
    click_id BIGINT NOT NULL,
    -- The end of the match window.
    expires_at BIGINT NOT NULL,
    -- Signals reported by the script of the click's page in addition to the request, and when. screen: in points, as 390x844.
    screen TEXT,
    reported_model TEXT,
    reported_os_version TEXT,
    reported_at BIGINT,
    PRIMARY KEY (match_key, click_id)
);

-- Finds clicks to delete.
CREATE INDEX pending_clicks_by_expiry ON pending_clicks (expires_at);

-- The pending clicks that an install has claimed: at most one install each. Ordered by time like their ids, so that an install changes
-- no page at a random place. Stored longer than any match window.
CREATE TABLE click_claims (
    click_id BIGINT PRIMARY KEY,
    claimed_at BIGINT NOT NULL
);

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

-- Finds the newest click that no session has claimed: an id may name very many that are claimed.
CREATE INDEX device_clicks_unclaimed ON device_clicks (app_id, mode, device_key, click_id) WHERE claimed_at IS NULL;
-- Finds clicks whose window has ended.
CREATE INDEX device_clicks_by_expiry ON device_clicks (expires_at);
