-- What the page of a click told of the phone it was on, beside what the request said, and when.
ALTER TABLE open_clicks ADD COLUMN screen TEXT;
ALTER TABLE open_clicks ADD COLUMN told_os_version TEXT;
ALTER TABLE open_clicks ADD COLUMN reported_at BIGINT;

-- When a session was given the click that named its device.
ALTER TABLE device_clicks ADD COLUMN claimed_at BIGINT;
