-- Who was given a click: a replay must not give it to another device as well.

CREATE INDEX sessions_by_click ON sessions (click_id) WHERE click_id IS NOT NULL;
