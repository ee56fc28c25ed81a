-- What the script of a click's page reported about the phone, in addition to the request, and when.
ALTER TABLE open_clicks ADD COLUMN screen TEXT;
ALTER TABLE open_clicks ADD COLUMN told_os_version TEXT;
ALTER TABLE open_clicks ADD COLUMN reported_at BIGINT;

-- When the click that named the device was claimed by a session.
ALTER TABLE device_clicks ADD COLUMN claimed_at BIGINT;
