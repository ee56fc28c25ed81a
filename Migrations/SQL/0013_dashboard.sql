-- Users of the dashboard, and their sessions.

CREATE TABLE dashboard_users (
    id BIGINT PRIMARY KEY,
    -- A sign-in name or an e-mail address: ASCII without spaces, so that LOWER is the same in all databases.
    name TEXT NOT NULL,
    -- admin, editor, analyst or support.
    role TEXT NOT NULL,
    -- The only app that the user may see. NULL for all apps.
    app_id BIGINT REFERENCES apps (id),
    -- An argon2id hash as a PHC string. NULL while the user is invited: created or reset, without a password since then.
    password_hash TEXT,
    -- The issuer of the OpenID provider, a space, and the user's subject there. NULL until the user signs in by the provider.
    provider_subject TEXT UNIQUE,
    -- The 20 bytes that the user's authenticator app has, too (RFC 6238): codes are made of them, so a hash would not do. NULL without a
    -- second factor.
    totp_secret BYTEA,
    -- The number of the half minute, since 1970, of the last code that was accepted. It and earlier ones are not accepted again.
    totp_last_step BIGINT,
    -- SHA-256 of the one-time secret with which the user sets a password, and when it expires. Both are NULL once it is used, and while
    -- the user is disabled.
    set_up_hash BYTEA UNIQUE,
    set_up_expires_at BIGINT,
    -- NULL unless the user is disabled. A disabled user has no sessions.
    disabled_at BIGINT,
    created_at BIGINT NOT NULL,
    -- NULL before the first time.
    last_sign_in_at BIGINT
);

-- Finds a user by name. Names that differ only in case are equal.
CREATE UNIQUE INDEX dashboard_users_by_name ON dashboard_users (LOWER(name));

-- The codes by which a user without the authenticator app signs in, each once. A used one is deleted.
CREATE TABLE dashboard_recovery_codes (
    user_id BIGINT NOT NULL REFERENCES dashboard_users (id),
    -- SHA-256 of the code without its hyphen.
    hash BYTEA NOT NULL,
    PRIMARY KEY (user_id, hash)
);

-- Questions about an app's figures with an address of their own, which answers them without a sign-in until it expires. A revoked one is
-- deleted, an expired one some time later.
CREATE TABLE shared_questions (
    id BIGINT PRIMARY KEY,
    app_id BIGINT NOT NULL REFERENCES apps (id),
    mode SMALLINT NOT NULL,
    title TEXT NOT NULL,
    -- The question and its parameters as in the query of an address, such as question=top&by=channel. They name no column that may name
    -- users of the app.
    query TEXT NOT NULL,
    -- SHA-256 of the secret in the address.
    hash BYTEA NOT NULL UNIQUE,
    -- Who shared it. NULL if the command line or an access token did.
    user_id BIGINT REFERENCES dashboard_users (id),
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);

-- Lists the questions of an app's side.
CREATE INDEX shared_questions_by_app ON shared_questions (app_id, mode, id);
-- Finds expired questions.
CREATE INDEX shared_questions_by_expiry ON shared_questions (expires_at);

-- Signed-in browsers. A session is deleted when it ends, or some time after it expired.
CREATE TABLE dashboard_sessions (
    id BIGINT PRIMARY KEY,
    user_id BIGINT NOT NULL REFERENCES dashboard_users (id),
    -- SHA-256 of the secret that the browser keeps.
    hash BYTEA NOT NULL UNIQUE,
    created_at BIGINT NOT NULL,
    -- At most a minute before the last use. A session that is idle for long expires.
    last_used_at BIGINT NOT NULL,
    -- When the session expires even if it is in use.
    expires_at BIGINT NOT NULL
);

-- Ends the sessions of a user.
CREATE INDEX dashboard_sessions_by_user ON dashboard_sessions (user_id, id);
-- Finds expired sessions.
CREATE INDEX dashboard_sessions_by_use ON dashboard_sessions (last_used_at);
CREATE INDEX dashboard_sessions_by_expiry ON dashboard_sessions (expires_at);
