-- Whether the app itself described the content, with its secret or on the server. Such content is changed by no other caller. Rows from
-- before this migration have 0, since any caller may have described them.
ALTER TABLE universal_objects ADD COLUMN is_authenticated SMALLINT NOT NULL DEFAULT 0;

-- Sitemaps list the app's own links about such content alone.
CREATE INDEX authenticated_universal_objects ON universal_objects (app_id, mode, id) WHERE is_authenticated = 1;
DROP INDEX links_by_object;
CREATE INDEX authenticated_links_by_object ON links (object_id, id) WHERE object_id IS NOT NULL AND is_authenticated = 1;
