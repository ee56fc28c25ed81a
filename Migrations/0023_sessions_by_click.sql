-- Sessions by click: a replay must not match a click to a second device.

CREATE INDEX sessions_by_click ON sessions (click_id) WHERE click_id IS NOT NULL;
