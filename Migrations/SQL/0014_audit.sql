-- The audit log: what operators changed.

-- Entries, one for each row that an operator created, changed or deleted, written in the transaction of the change. Append-only, and never
-- pruned. They form a hash chain: `linden verify` finds an entry that was altered, removed or inserted later. The newest one is also named by
-- `audit_head` in installation, changed in the same transaction, so that its removal is found. That all hashes were made again cannot be
-- found; for that, an operator keeps a hash elsewhere.
CREATE TABLE audit_entries (
    -- 1, 2, 3 …, without gaps, in the order of the commits.
    position BIGINT PRIMARY KEY,
    created_at BIGINT NOT NULL,
    -- The app that the row belongs to. NULL for rows of no app. mode is NULL for rows of both sides.
    app_id BIGINT,
    mode SMALLINT,
    -- Who: token, user (of the dashboard), secret (of an app) or command, and the id of the token, the user or the secret's app.
    actor_kind TEXT NOT NULL,
    actor_id BIGINT,
    -- By which way: api, mcp, dashboard or command, and the route or the command, such as `PATCH /api/v1/links/{link_id}`.
    interface TEXT NOT NULL,
    action TEXT NOT NULL,
    -- What: the kind of row, such as link, its id, and created, changed or deleted. subject is NULL for a number of rows, and for an
    -- identity.
    noun TEXT NOT NULL,
    subject TEXT,
    change TEXT NOT NULL,
    -- 1 if the values are about an identity, and may be erased with it. 0 otherwise.
    is_personal SMALLINT NOT NULL,
    -- The identity that the values are about. NULL for none, and after its erasure.
    identity_id BIGINT,
    -- The actor's name and address, and the values before and after the change: a JSON object of about 20 kilobytes at most. NULL, with its
    -- salt, after the erasure of the identity.
    details TEXT,
    salt TEXT,
    -- SHA-256 of the salt and the details. The hash of the entry covers it, so the chain can be checked without the details.
    details_hash BYTEA NOT NULL,
    -- SHA-256 of all of the above except identity_id, details and salt, and of the hash of the entry before.
    hash BYTEA NOT NULL,
    CHECK ((details IS NULL) = (salt IS NULL) AND (details IS NOT NULL OR is_personal = 1))
);

-- Lists the entries of an app, and the history of a row.
CREATE INDEX audit_entries_by_app ON audit_entries (app_id, position);
CREATE INDEX audit_entries_by_subject ON audit_entries (noun, subject, position) WHERE subject IS NOT NULL;
-- Lists what an actor changed.
CREATE INDEX audit_entries_by_actor ON audit_entries (actor_kind, actor_id, position) WHERE actor_id IS NOT NULL;
-- Finds the entries of a range of time.
CREATE INDEX audit_entries_by_age ON audit_entries (created_at);
-- Finds the details to erase with an identity.
CREATE INDEX audit_entries_by_identity ON audit_entries (identity_id) WHERE identity_id IS NOT NULL;
