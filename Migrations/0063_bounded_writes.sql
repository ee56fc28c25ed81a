-- What a click appended to its link, as a short hash, so that clicks that lead to the same data are recognized
-- without reading their queries. NULL for clicks made before this migration.
ALTER TABLE open_clicks ADD COLUMN appended TEXT;

-- The metadata of the event of a held reward, for the transaction when it is released.
ALTER TABLE held_rewards ADD COLUMN metadata TEXT;

-- A transaction id is unique per user or device that reports it (0 for none), so that a report of another user's transaction has no
-- effect on it; a claim by a call with the app's secret is the app's.
ALTER TABLE event_transactions RENAME TO app_wide_event_transactions;

CREATE TABLE event_transactions (
    app_id BIGINT NOT NULL,
    mode SMALLINT NOT NULL,
    name TEXT NOT NULL,
    transaction_id TEXT NOT NULL,
    claimant_id BIGINT NOT NULL,
    event_id BIGINT NOT NULL,
    is_authenticated SMALLINT NOT NULL,
    PRIMARY KEY (app_id, mode, name, transaction_id, claimant_id)
);

INSERT INTO event_transactions (app_id, mode, name, transaction_id, claimant_id, event_id, is_authenticated)
SELECT claimed.app_id, claimed.mode, claimed.name, claimed.transaction_id,
    COALESCE(events.identity_id, events.device_id, 0), claimed.event_id, 0
FROM app_wide_event_transactions AS claimed LEFT JOIN events ON events.id = claimed.event_id;

DROP TABLE app_wide_event_transactions;
