-- Settings that an app's test side has of its own, in place of the live side's.

ALTER TABLE apps ADD COLUMN test_configuration TEXT NOT NULL DEFAULT '{}';
