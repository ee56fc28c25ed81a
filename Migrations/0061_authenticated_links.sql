-- Whether the app itself made a link, or changed it last: with its secret, with an access token or on the command line. 0 where the public
-- key was enough, which every copy of the app holds. Of links of before that is unknown.

ALTER TABLE links ADD COLUMN is_authenticated SMALLINT NOT NULL DEFAULT 0;
