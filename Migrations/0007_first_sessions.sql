-- What a user's first session was answered with, kept for good.

ALTER TABLE identities ADD COLUMN first_session_data TEXT;
