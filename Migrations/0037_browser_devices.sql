-- The browser's user agent, since the Web SDK reports nothing else about its device.
ALTER TABLE devices ADD COLUMN browser TEXT;
-- The id of a term.
ALTER TABLE devices ADD COLUMN user_agent_id BIGINT;

-- When the app was first installed on the device; NULL for a browser, and for a device whose install was not recorded.
ALTER TABLE devices ADD COLUMN installed_at BIGINT;
UPDATE devices SET installed_at = installs.installed_at
FROM (
    SELECT device_id, (MIN(id) >> 22) + 1735689600000 AS installed_at FROM sessions WHERE kind IN (0, 5) GROUP BY device_id
) AS installs
WHERE installs.device_id = devices.id;
