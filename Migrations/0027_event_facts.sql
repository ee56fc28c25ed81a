-- Facts extracted from events' bodies for analytics, and daily totals of content.

-- Kind: 0 custom, 1 commerce, 2 content, 3 lifecycle, 4 page view, 5 dismissal, 6 text message.
ALTER TABLE events ADD COLUMN kind SMALLINT NOT NULL DEFAULT 0;
-- Millionths of the app's reporting currency; NULL if there is none or it could not be converted.
ALTER TABLE events ADD COLUMN revenue BIGINT;
-- The amount as reported, with its currency (ISO 4217).
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

-- Transaction ids of events, for apps that record each only once (events.unique_transactions).
CREATE TABLE event_transactions (
    app_id BIGINT NOT NULL,
    mode SMALLINT NOT NULL,
    name TEXT NOT NULL,
    transaction_id TEXT NOT NULL,
    event_id BIGINT NOT NULL,
    PRIMARY KEY (app_id, mode, name, transaction_id)
);

-- Counts of problems of events, by problem and standard event; name is empty for custom events.
CREATE TABLE event_problems (
    app_id BIGINT NOT NULL,
    mode SMALLINT NOT NULL,
    problem TEXT NOT NULL,
    name TEXT NOT NULL,
    events BIGINT NOT NULL,
    last_at BIGINT NOT NULL,
    PRIMARY KEY (app_id, mode, problem, name)
);

-- Daily totals per universal object. Clicks are aggregated from the log with those of links, the others are updated on each event.
-- day: days since 1970-01-01 UTC. revenue: millionths of the reporting currency.
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
