-- The links about a piece of content, and the content of an app, both by age: for sitemaps.

CREATE INDEX links_by_object ON links (object_id, id) WHERE object_id IS NOT NULL;
CREATE INDEX universal_objects_by_app ON universal_objects (app_id, mode, id);
