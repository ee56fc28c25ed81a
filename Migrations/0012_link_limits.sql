-- Limits of links: expiry time and maximum number of clicks.

ALTER TABLE links ADD COLUMN expires_at BIGINT;
ALTER TABLE links ADD COLUMN expired_url TEXT;
ALTER TABLE links ADD COLUMN max_clicks BIGINT;
-- Maintained only for links with max_clicks.
ALTER TABLE links ADD COLUMN clicks_taken BIGINT NOT NULL DEFAULT 0;
-- When a one-time link was consumed.
ALTER TABLE links ADD COLUMN used_at BIGINT;
