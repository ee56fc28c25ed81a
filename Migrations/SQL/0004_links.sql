-- Links, the content that they are about, and text messages with them.

-- Universal objects: content of an app, by the app's own identifier.
CREATE TABLE universal_objects (
    id BIGINT PRIMARY KEY,
    app_id BIGINT NOT NULL REFERENCES apps (id),
    mode SMALLINT NOT NULL,
    canonical_identifier TEXT NOT NULL,
    -- The content's description, a JSON object.
    data TEXT NOT NULL,
    -- 1 if the app itself described the content, with its secret or on the server. No other caller changes such content.
    is_authenticated SMALLINT NOT NULL DEFAULT 0,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    UNIQUE (app_id, mode, canonical_identifier)
);

-- Lists an app's content, newest first.
CREATE INDEX universal_objects_by_app ON universal_objects (app_id, mode, id);
-- Lists content for sitemaps, which include only what the app itself described.
CREATE INDEX authenticated_universal_objects ON universal_objects (app_id, mode, id) WHERE is_authenticated = 1;

CREATE TABLE links (
    id BIGINT PRIMARY KEY,
    app_id BIGINT NOT NULL REFERENCES apps (id),
    mode SMALLINT NOT NULL,
    -- Empty for links on the base URL's host, so that they follow a change of the base URL.
    host TEXT NOT NULL,
    -- The slug or alias, decoded, without the leading slash, in Unicode normalization form C. NULL once the path of a deleted link
    -- was released.
    path TEXT,
    -- 1 if the path is an alias, 0 if it is a random slug.
    has_alias SMALLINT NOT NULL,
    -- Branch's numbers: 0 standard, 1 one-time, 2 marketing.
    type SMALLINT NOT NULL,
    -- The match window in seconds. NULL for the default.
    duration BIGINT,
    -- The identity that created or shares the link.
    identity_id BIGINT,
    -- Analytics labels. tags: a JSON array of strings.
    channel TEXT,
    feature TEXT,
    campaign TEXT,
    stage TEXT,
    tags TEXT,
    -- The folder in which operators keep the link. NULL for none.
    folder TEXT,
    -- 1 for a link that lists leave out unless they are asked for such links. It leads where it led.
    is_archived SMALLINT NOT NULL DEFAULT 0,
    -- The link data, a JSON object, exactly as received.
    data TEXT NOT NULL,
    -- Read by attribution for every click, session and event, so that it need not parse the data. is_one_time_use: 1 for a link that is
    -- consumed by the first session with its data. The others: the link's own attribution windows in days, decimal numbers.
    is_one_time_use SMALLINT NOT NULL DEFAULT 0,
    install_days TEXT,
    session_start_days TEXT,
    conversion_days TEXT,
    -- The universal object that the link is about.
    object_id BIGINT,
    -- Branch's numbers: 0 API, 1 quick link, 2 SDK, 3 iOS, 4 Android, 5 Web, 6 dynamic.
    creation_source SMALLINT NOT NULL,
    -- 1 if the link was created, or last changed, with the app's secret, with an access token or on the command line. 0 if with the
    -- public key only, which every copy of the app has.
    is_authenticated SMALLINT NOT NULL DEFAULT 0,
    -- The user agent of the app with which the link is shared. Its visit just after the link was created is not counted.
    ignored_user_agent TEXT,
    -- When the link expires. NULL for never.
    expires_at BIGINT,
    -- The redirect target once the link has expired or reached max_clicks. NULL for the domain's.
    expired_url TEXT,
    -- The maximum number of clicks. NULL for no limit.
    max_clicks BIGINT,
    -- The number of clicks. Maintained only for links with max_clicks, and never above it.
    clicks_taken BIGINT NOT NULL DEFAULT 0,
    -- When a one-time link was consumed.
    used_at BIGINT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    -- A deleted link is answered like an unknown one. Its address stays reserved until the path is released.
    deleted_at BIGINT,
    -- Finds the link of a visit.
    UNIQUE (host, path)
);

-- Lists an app's links, newest first.
CREATE INDEX links_by_app ON links (app_id, mode, id);
-- Lists an app's folders.
CREATE INDEX links_by_folder ON links (app_id, mode, folder) WHERE folder IS NOT NULL AND deleted_at IS NULL;
-- Finds the newest link about content for a sitemap.
CREATE INDEX authenticated_links_by_object ON links (object_id, id) WHERE object_id IS NOT NULL AND is_authenticated = 1;

-- Named sets of labels and data that new links can begin with.
CREATE TABLE link_templates (
    app_id BIGINT NOT NULL REFERENCES apps (id),
    mode SMALLINT NOT NULL,
    name TEXT NOT NULL,
    -- As in links.
    channel TEXT,
    feature TEXT,
    campaign TEXT,
    stage TEXT,
    tags TEXT,
    data TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (app_id, mode, name)
);

-- Links sent to a phone as a text message. The address in the message contains the row's id, so that a visit is matched with the
-- number.
CREATE TABLE text_messages (
    id BIGINT PRIMARY KEY,
    app_id BIGINT NOT NULL,
    mode SMALLINT NOT NULL,
    -- 0 for a long link.
    link_id BIGINT NOT NULL,
    -- The query that was appended to the link when the message was requested. The complete query of a long link.
    query TEXT,
    -- Digits, with an optional leading plus sign.
    phone TEXT NOT NULL
);
