-- The event log, and exchange rates.

-- Events of apps, pages and servers.
CREATE TABLE events (
    id BIGINT PRIMARY KEY,
    app_id BIGINT NOT NULL,
    mode SMALLINT NOT NULL,
    -- The endpoint of the call, such as v2/event/standard.
    endpoint TEXT NOT NULL,
    name TEXT NOT NULL,
    -- 0 custom, 1 commerce, 2 content, 3 lifecycle, 4 page view, 5 dismissal, 6 text message.
    kind SMALLINT NOT NULL DEFAULT 0,
    device_id BIGINT,
    identity_id BIGINT,
    session_id BIGINT,
    -- The touch that the event was attributed to when it was recorded: a click and its link (0 for a long link). Both NULL for
    -- none.
    touch_click_id BIGINT,
    touch_link_id BIGINT,
    -- Millionths of the app's reporting currency, converted when the event was recorded. NULL if there is none, or it could not be
    -- converted.
    revenue BIGINT,
    -- The amount as reported, with its currency (ISO 4217).
    revenue_text TEXT,
    currency TEXT,
    -- The app's own id of the purchase.
    transaction_id TEXT,
    -- The complete body, a JSON object.
    body TEXT NOT NULL
);

-- Covers the events of funnels and cohorts by name, and lists the names.
CREATE INDEX events_by_name ON events (app_id, mode, name, id, device_id);
-- Covers the revenue of lifetime values.
CREATE INDEX events_with_revenue ON events (app_id, mode, id, device_id, revenue) WHERE revenue IS NOT NULL;

-- Uniqueness keys of events with a transaction id, for apps that record each only once (events.unique_transactions). A transaction
-- id is unique per identity or device that reports it, so that a report of another identity's transaction has no effect on it.
CREATE TABLE event_transactions (
    app_id BIGINT NOT NULL,
    mode SMALLINT NOT NULL,
    name TEXT NOT NULL,
    transaction_id TEXT NOT NULL,
    -- The identity, or without one the device, or 0 without either.
    claimant_id BIGINT NOT NULL,
    event_id BIGINT NOT NULL,
    -- 1 if reported with the app's secret. Such a report takes over the key of one without it, unless both have the same revenue.
    is_authenticated SMALLINT NOT NULL,
    PRIMARY KEY (app_id, mode, name, transaction_id, claimant_id)
);

-- Finds the key of an event that is removed: thousands may report one transaction.
CREATE INDEX event_transactions_by_event ON event_transactions (event_id);

-- Counts of problems of events.
CREATE TABLE event_problems (
    app_id BIGINT NOT NULL,
    mode SMALLINT NOT NULL,
    -- Such as revenue.malformed.
    problem TEXT NOT NULL,
    -- The standard event. Empty for custom events.
    name TEXT NOT NULL,
    events BIGINT NOT NULL,
    last_at BIGINT NOT NULL,
    PRIMARY KEY (app_id, mode, problem, name)
);

-- Exchange rates, with which revenue is converted when its event is recorded. A rate is valid until a later day has one.
CREATE TABLE rates (
    -- ISO 4217.
    currency TEXT NOT NULL,
    day BIGINT NOT NULL,
    -- The same currency in all rows.
    base TEXT NOT NULL,
    -- Units of the currency per unit of the base, a positive decimal number.
    rate TEXT NOT NULL,
    PRIMARY KEY (currency, day)
);
