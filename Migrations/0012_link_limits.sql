-- Until when and how often a link leads where it says.

ALTER TABLE links ADD COLUMN expires_at BIGINT;
ALTER TABLE links ADD COLUMN expired_url TEXT;
ALTER TABLE links ADD COLUMN max_clicks BIGINT;
-- Counted for links with max_clicks alone.
ALTER TABLE links ADD COLUMN clicks_taken BIGINT NOT NULL DEFAULT 0;
-- When a one-time link was used up.
ALTER TABLE links ADD COLUMN used_at BIGINT;
