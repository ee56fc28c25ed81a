-- What a browser says of itself in its user agent, since the Web SDK says nothing else of the device it runs on.
ALTER TABLE devices ADD COLUMN browser TEXT;
-- A row of terms.
ALTER TABLE devices ADD COLUMN user_agent_id BIGINT;

-- When the app was first installed on the device; NULL for a browser, and for a device whose install came before there were records of it.
ALTER TABLE devices ADD COLUMN installed_at BIGINT;
UPDATE devices SET installed_at = installs.installed_at
FROM (
    SELECT device_id, (MIN(id) >> 22) + 1735689600000 AS installed_at FROM sessions WHERE kind IN (0, 5) GROUP BY device_id
) AS installs
WHERE installs.device_id = devices.id;
