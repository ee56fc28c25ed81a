-- What the page of a click told of the phone it was on, beside what the request said.
ALTER TABLE open_clicks ADD COLUMN screen TEXT;
ALTER TABLE open_clicks ADD COLUMN told_os_version TEXT;
