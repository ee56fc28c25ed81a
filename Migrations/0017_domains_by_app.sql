-- Indexes of domains and associated apps by app. Deletes both for deleted apps.

DELETE FROM associated_apps
WHERE app_id IN (SELECT id FROM apps WHERE deleted_at IS NOT NULL)
    OR host IN (SELECT host FROM domains WHERE app_id IN (SELECT id FROM apps WHERE deleted_at IS NOT NULL));
DELETE FROM domains WHERE app_id IN (SELECT id FROM apps WHERE deleted_at IS NOT NULL);

CREATE INDEX domains_by_app ON domains (app_id, mode, created_at, host);
CREATE INDEX associated_apps_by_app ON associated_apps (app_id);
