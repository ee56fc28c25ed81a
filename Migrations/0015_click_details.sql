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
-- Beside the whole referrer, of which there may be too many in a day to keep each.
ALTER TABLE clicks ADD COLUMN referrer_host_id BIGINT;
ALTER TABLE clicks ADD COLUMN action TEXT;
-- The click whose own address (/c/ and its id) was visited.
ALTER TABLE clicks ADD COLUMN via_click BIGINT;
