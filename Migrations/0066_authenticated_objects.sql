-- Whether the app itself described the content, with its secret or on the server: then nobody else changes that. What is known of content
-- until now may be anybody's word.
ALTER TABLE universal_objects ADD COLUMN is_authenticated SMALLINT NOT NULL DEFAULT 0;

-- Sitemaps list the app's own links about such content alone.
CREATE INDEX authenticated_universal_objects ON universal_objects (app_id, mode, id) WHERE is_authenticated = 1;
DROP INDEX links_by_object;
CREATE INDEX authenticated_links_by_object ON links (object_id, id) WHERE object_id IS NOT NULL AND is_authenticated = 1;
