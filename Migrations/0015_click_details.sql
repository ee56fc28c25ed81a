-- Data of a click's visitor, and its outcome. Enumerated words and versions are short and stored inline; free text from the client is
-- a term (dictionary id). UTM parameters have no columns: they are in the query, which is stored verbatim.

ALTER TABLE clicks ADD COLUMN device TEXT;
ALTER TABLE clicks ADD COLUMN maker TEXT;
ALTER TABLE clicks ADD COLUMN model_id BIGINT;
ALTER TABLE clicks ADD COLUMN browser TEXT;
ALTER TABLE clicks ADD COLUMN browser_version TEXT;
ALTER TABLE clicks ADD COLUMN in_app_browser TEXT;
-- ISO 3166, two letters.
ALTER TABLE clicks ADD COLUMN country TEXT;
-- The host of the referrer: complete referrers may have too many values per day to be a dimension.
ALTER TABLE clicks ADD COLUMN referrer_host_id BIGINT;
ALTER TABLE clicks ADD COLUMN action TEXT;
-- The click that this one continues: its address (/c/ and the click's id) was visited.
ALTER TABLE clicks ADD COLUMN via_click BIGINT;
