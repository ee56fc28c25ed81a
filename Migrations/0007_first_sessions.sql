-- The parameters that a user's first session received. Never changed.

ALTER TABLE identities ADD COLUMN first_session_data TEXT;
