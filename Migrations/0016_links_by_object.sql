-- Indexes for sitemaps: the links of a universal object, and the objects of an app, by age.

CREATE INDEX links_by_object ON links (object_id, id) WHERE object_id IS NOT NULL;
CREATE INDEX universal_objects_by_app ON universal_objects (app_id, mode, id);
