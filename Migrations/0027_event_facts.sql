-- What is read out of the bodies of events, so that it can be counted, and what they did to content.

-- 0 custom, 1 commerce, 2 content, 3 lifecycle, 4 page view, 5 dismissal, 6 text message.
ALTER TABLE events ADD COLUMN kind SMALLINT NOT NULL DEFAULT 0;
-- Millionths of the app's reporting currency; NULL where there is none, or none that could be converted.
ALTER TABLE events ADD COLUMN revenue BIGINT;
-- As it was reported, with its currency (ISO 4217).
ALTER TABLE events ADD COLUMN revenue_text TEXT;
ALTER TABLE events ADD COLUMN currency TEXT;
ALTER TABLE events ADD COLUMN transaction_id TEXT;

UPDATE events SET kind = CASE
    WHEN endpoint = 'v1/pageview' THEN 4
    WHEN endpoint = 'v1/dismiss' THEN 5
    WHEN endpoint = 'c' THEN 6
    WHEN endpoint = 'v1/register-view' THEN 2
    WHEN name IN ('ADD_TO_CART', 'ADD_TO_WISHLIST', 'VIEW_CART', 'INITIATE_PURCHASE', 'ADD_PAYMENT_INFO', 'CLICK_AD', 'PURCHASE',
        'SPEND_CREDITS', 'VIEW_AD', 'RESERVE') THEN 1
    WHEN name IN ('SEARCH', 'VIEW_ITEM', 'VIEW_ITEMS', 'RATE', 'SHARE', 'INITIATE_STREAM', 'COMPLETE_STREAM') THEN 2
    WHEN name IN ('COMPLETE_REGISTRATION', 'COMPLETE_TUTORIAL', 'ACHIEVE_LEVEL', 'UNLOCK_ACHIEVEMENT', 'INVITE', 'LOGIN',
        'START_TRIAL', 'SUBSCRIBE', 'OPT_IN', 'OPT_OUT') THEN 3
    ELSE 0 END;

-- The transactions of apps that want each of them recorded once.
CREATE TABLE event_transactions (
    app_id BIGINT NOT NULL,
    mode SMALLINT NOT NULL,
    name TEXT NOT NULL,
    transaction_id TEXT NOT NULL,
    event_id BIGINT NOT NULL,
    PRIMARY KEY (app_id, mode, name, transaction_id)
);

-- What was wrong with events, by problem and standard name; the name is empty for all others.
CREATE TABLE event_problems (
    app_id BIGINT NOT NULL,
    mode SMALLINT NOT NULL,
    problem TEXT NOT NULL,
    name TEXT NOT NULL,
    events BIGINT NOT NULL,
    last_at BIGINT NOT NULL,
    PRIMARY KEY (app_id, mode, problem, name)
);

-- Daily figures per universal object: clicks are folded from the log with those of links, the rest is counted as it comes.
-- day counts days since 1970-01-01 in UTC; revenue is in millionths.
CREATE TABLE object_days (
    object_id BIGINT NOT NULL,
    day BIGINT NOT NULL,
    views BIGINT NOT NULL,
    shares BIGINT NOT NULL,
    clicks BIGINT NOT NULL,
    purchases BIGINT NOT NULL,
    revenue BIGINT NOT NULL,
    PRIMARY KEY (object_id, day)
);
