-- Settings of an app's test mode that override the live ones.

ALTER TABLE apps ADD COLUMN test_configuration TEXT NOT NULL DEFAULT '{}';
