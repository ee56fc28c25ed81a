-- 1 if the link was created, or last changed, with the app's secret, with an access token or on the command line; 0 if with the public
-- key only, which every copy of the app has. Unknown for earlier links.

ALTER TABLE links ADD COLUMN is_authenticated SMALLINT NOT NULL DEFAULT 0;
