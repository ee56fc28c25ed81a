import Linden
import LindenKernel

extension SQLTransaction {
    package func link(_ id: Link.ID) throws -> Link? {
        try connection.first(Self.findLink, { $0.bind(id) }, Link.init(row:))
    }

    package func storedLink(_ id: Link.ID) throws -> StoredLink? {
        try connection.first(Self.findLink, { $0.bind(id) }, StoredLink.init(row:))
    }

    private static let findLink = StaticSQL("SELECT \(Link.columns) FROM links WHERE id = $1")

    package func storedLink(at address: LinkAddress) throws -> StoredLink? {
        try connection.first(
            "SELECT \(raw: Link.columns) FROM links WHERE host = \(address.host) AND path = \(address.path)",
            StoredLink.init(row:))
    }

    package func linkStatus(_ id: Link.ID) throws -> LinkStatus? {
        try connection.first(Self.findStatus, { $0.bind(id) }) { row in
            LinkStatus(
                isDeleted: !row.isNull(0), isOneTimeUse: row.bool(2), isUsedUp: row.bool(2) && !row.isNull(1),
                hasClickLimit: !row.isNull(3),
                windows: LinkWindows(
                    install: row.optionalText(4), sessionStart: row.optionalText(5), conversion: row.optionalText(6)))
        }
    }

    private static let findStatus = StaticSQL(
        """
        SELECT deleted_at, used_at, is_one_time_use, max_clicks, install_days, session_start_days, conversion_days FROM links
        WHERE id = $1
        """)

    package func link(at address: LinkAddress) throws -> Link? {
        try connection.first(
            "SELECT \(raw: Link.columns) FROM links WHERE host = \(address.host) AND path = \(address.path)", Link.init(row:))
    }

    package func openLink(about object: UniversalObject.ID, on host: String, before: Link.ID?) throws -> (
        link: Link, updatedAt: Timestamp
    )? {
        let newest = try connection.first(
            """
            SELECT id, updated_at FROM links
            WHERE object_id = \(object) AND is_authenticated = 1 AND id < \(before?.rawValue ?? Int64.max) AND host = \(host) AND path IS NOT NULL
                AND deleted_at IS NULL AND used_at IS NULL AND (expires_at IS NULL OR expires_at > \(now))
                AND (max_clicks IS NULL OR clicks_taken < max_clicks)
            ORDER BY id DESC LIMIT 1
            """
        ) { (id: Link.ID(rawValue: $0.integer(0)), updatedAt: $0.time(1)) }
        guard let newest, let link = try link(newest.id) else { return nil }
        return (link, newest.updatedAt)
    }

    package func insert(_ link: Link, data: String) throws -> Bool {
        let (labels, limits, windows) = (link.labels, link.limits, link.windows)
        return try connection.changedRows(by: Self.insertLink) { row in
            row.bind(link.id.rawValue)
            row.bind(link.scope.app.rawValue)
            row.bind(link.scope.mode.rawValue)
            row.bind(link.address.host)
            row.bind(link.address.path)
            row.bind(link.hasAlias)
            row.bind(link.kind.rawValue)
            row.bind(link.duration)
            row.bind(link.owner?.rawValue)
            row.bind(labels.channel)
            row.bind(labels.feature)
            row.bind(labels.campaign)
            row.bind(labels.stage)
            row.bind(labels.tagsText)
            row.bind(data)
            row.bind(link.object?.rawValue)
            row.bind(link.source.rawValue)
            row.bind(link.isAuthenticated)
            row.bind(link.createdAt.milliseconds)
            row.bind(link.createdAt.milliseconds)
            row.bind(link.ignoredUserAgent)
            row.bind(limits.expiresAt?.milliseconds)
            row.bind(limits.expiredURL)
            row.bind(limits.maxClicks)
            row.bind(link.isOneTimeUse)
            row.bind(windows.install)
            row.bind(windows.sessionStart)
            row.bind(windows.conversion)
            row.bind(link.folder)
            row.bind(link.isArchived)
        } > 0
    }

    private static let insertLink = StaticSQL(
        insertInto: "links",
        """
        id, app_id, mode, host, path, has_alias, type, duration, identity_id, channel, feature, campaign, stage, tags, data, object_id,
        creation_source, is_authenticated, created_at, updated_at, ignored_user_agent, expires_at, expired_url, max_clicks, is_one_time_use,
        install_days, session_start_days, conversion_days, folder, is_archived
        """,
        "ON CONFLICT (host, path) DO NOTHING")

    package func update(_ link: Link, data: String, at time: Timestamp) throws {
        let (labels, windows) = (link.labels, link.windows)
        try connection.execute(
            """
            UPDATE links SET duration = \(link.duration), channel = \(labels.channel), feature = \(labels.feature),
                campaign = \(labels.campaign), stage = \(labels.stage), tags = \(labels.tagsText),
                data = \(data), object_id = \(link.object), expires_at = \(link.limits.expiresAt),
                expired_url = \(link.limits.expiredURL), max_clicks = \(link.limits.maxClicks),
                is_authenticated = \(link.isAuthenticated), updated_at = \(time), is_one_time_use = \(link.isOneTimeUse),
                install_days = \(windows.install), session_start_days = \(windows.sessionStart),
                conversion_days = \(windows.conversion), folder = \(link.folder), is_archived = \(link.isArchived)
            WHERE id = \(link.id)
            """)
    }

    package func hasClicksLeft(_ id: Link.ID) throws -> Bool {
        try connection.hasRows("SELECT 1 FROM links WHERE id = \(id) AND (max_clicks IS NULL OR clicks_taken < max_clicks)")
    }

    package func takeClick(of id: Link.ID) throws -> Bool {
        try connection.changesRows(
            """
            UPDATE links SET clicks_taken = clicks_taken + 1
            WHERE id = \(id) AND (max_clicks IS NULL OR clicks_taken < max_clicks)
            """)
    }

    package func useUp(_ id: Link.ID, at time: Timestamp) throws -> Bool {
        try connection.changesRows("UPDATE links SET used_at = \(time) WHERE id = \(id) AND used_at IS NULL")
    }

    package func deleteLink(_ id: Link.ID, at time: Timestamp) throws {
        try connection.execute("UPDATE links SET deleted_at = \(time) WHERE id = \(id) AND deleted_at IS NULL")
    }

    package func freeAddress(of id: Link.ID) throws {
        try connection.execute("UPDATE links SET path = NULL WHERE id = \(id) AND deleted_at IS NOT NULL")
    }
}

extension Labels {
    /// The tags as a JSON array; nil if there are none.
    var tagsText: String? { tags.isEmpty ? nil : JSON(tags).text }

    /// Decodes channel, feature, campaign, stage and tags.
    init(row: any SQLRow, from column: Int) throws {
        self.init(
            channel: row.optionalText(column), feature: row.optionalText(column + 1), campaign: row.optionalText(column + 2),
            stage: row.optionalText(column + 3),
            tags: try row.optionalText(column + 4).map { try JSON.parse($0).array?.compactMap(\.string) ?? [] } ?? [])
    }
}

extension Link {
    static let columns: StaticString = """
        id, app_id, mode, host, path, has_alias, type, duration, identity_id, channel, feature, campaign, stage, tags, data, \
        object_id, creation_source, created_at, deleted_at, ignored_user_agent, expires_at, expired_url, max_clicks, used_at, \
        is_authenticated, folder, is_archived
        """

    fileprivate init(row: any SQLRow) throws {
        try self.init(row: row, data: try row.object(14))
    }

    /// - Parameter data: the link's data, or an empty object for a link without it.
    init(row: any SQLRow, data: JSONObject) throws {
        try self.init(
            id: row.id(0), scope: row.scope(1), address: LinkAddress(host: row.text(3), path: row.optionalText(4) ?? ""),
            hasAlias: row.bool(5), kind: Kind(rawValue: row.integer(6)) ?? .standard, duration: row.optionalInteger(7),
            owner: row.optionalID(8),
            labels: Labels(row: row, from: 9),
            folder: row.optionalText(25), isArchived: row.bool(26), data: data, object: row.optionalID(15),
            source: CreationSource(rawValue: row.integer(16)) ?? .api,
            isAuthenticated: row.bool(24), createdAt: row.time(17), deletedAt: row.optionalTime(18),
            ignoredUserAgent: row.optionalText(19),
            limits: LinkLimits(
                expiresAt: row.optionalTime(20), expiredURL: row.optionalText(21), maxClicks: row.optionalInteger(22)),
            usedAt: row.optionalTime(23))
    }
}

extension StoredLink {
    fileprivate init(row: any SQLRow) throws {
        self.init(link: try Link(row: row, data: [:]), dataText: row.text(14))
    }
}
