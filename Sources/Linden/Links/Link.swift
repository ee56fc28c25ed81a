import LinkRouting

/// A short link: where it lies, what it says about itself, and the data it carries into the app.
package struct Link: Sendable {
    package typealias ID = Identifier<Link>

    /// Branch's link types.
    package enum Kind: Int64, Sendable, CaseIterable {
        case standard = 0
        /// Deep links only until the first success.
        case oneTimeUse = 1
        /// Made by marketing, listed in a dashboard.
        case marketing = 2
    }

    /// Who made a link, as `~creation_source` shows it.
    package enum CreationSource: Int64, Sendable {
        case api = 0
        case quickLink = 1
        case sdk = 2
        case ios = 3
        case android = 4
        case web = 5
        case dynamic = 6
    }

    package let id: ID
    package let scope: Scope
    package let address: LinkAddress
    /// Whether the path was chosen; otherwise it is random.
    package let hasAlias: Bool
    package let kind: Kind
    /// Seconds a click may be matched to an install; the app's window if nil.
    package var duration: Int64?
    /// The user who made or shares it.
    package let owner: Identity.ID?
    package var labels: Labels
    /// Everything the customer put in, `$` keys and all, exactly as it came.
    package var data: JSONObject
    package var object: UniversalObject.ID?
    package let source: CreationSource
    /// Whether the app itself created it, or changed it last: with its secret, with an access token or on the command line. Otherwise the
    /// public key was enough, which anyone may have.
    package var isAuthenticated: Bool
    package let createdAt: Timestamp
    package let deletedAt: Timestamp?
    /// The app through which it is shared looks at it before anybody clicks; that visit does not count (iOS SDK, `ignore_ua_string`).
    package let ignoredUserAgent: String?
    package var limits: LinkLimits
    /// When a session was answered with a one-time link's data.
    package let usedAt: Timestamp?
    /// Of a long link, everything it says; see ``LongLink``.
    package let query: String?

    package init(
        id: ID, scope: Scope, address: LinkAddress, hasAlias: Bool, kind: Kind, duration: Int64?, owner: Identity.ID?,
        labels: Labels, data: JSONObject, object: UniversalObject.ID?, source: CreationSource, isAuthenticated: Bool = false,
        createdAt: Timestamp, deletedAt: Timestamp? = nil, ignoredUserAgent: String? = nil, limits: LinkLimits = LinkLimits(),
        usedAt: Timestamp? = nil, query: String? = nil
    ) {
        self.id = id
        self.scope = scope
        self.address = address
        self.hasAlias = hasAlias
        self.kind = kind
        self.duration = duration
        self.owner = owner
        self.labels = labels
        self.data = data
        self.object = object
        self.source = source
        self.isAuthenticated = isAuthenticated
        self.createdAt = createdAt
        self.deletedAt = deletedAt
        self.ignoredUserAgent = ignoredUserAgent
        self.limits = limits
        self.usedAt = usedAt
        self.query = query
    }

    /// The `$` keys and labels as a redirect reads them.
    package var controlParameters: ControlParameters { ControlParameters(data: data, labels: labels) }

    package var isOneTimeUse: Bool {
        kind == .oneTimeUse
            || ControlParameters(["$one_time_use": data["$one_time_use"]?.scalarText ?? ""])
                .flag("$one_time_use", default: false)
    }

    /// Whether a one-time link has had its one session.
    package var isUsedUp: Bool { isOneTimeUse && usedAt != nil }

    /// How long a click on this link may be matched to an install: `$match_duration`, else `duration`, else two hours.
    ///
    /// - Parameters:
    ///   - query: what was appended to the link, which beats what it stores.
    ///   - limit: the app's longest window.
    package func matchWindow(appended query: String?, atMost limit: Duration) -> Duration {
        let appended = query.flatMap { query in
            query.hasBytes(of: "match_duration") ? URLParts.queryItems(query).last { $0.name == "$match_duration" }?.value : nil
        }
        let said = appended.flatMap { Int64($0) } ?? data["$match_duration"]?.scalarText.flatMap { Int64($0) }
        let seconds = said ?? duration ?? Link.standardMatchSeconds
        return min(.seconds(min(max(seconds, 0), Link.longestMatchSeconds)), limit)
    }

    /// Branch's deep-linking duration.
    package static let standardMatchSeconds: Int64 = 7200
    /// 90 days, the longest window Branch allows.
    package static let longestMatchSeconds: Int64 = 90 * 86400
}

extension Link {
    /// Whether a visit is the look that the app takes through which the link is shared: by that user agent, and just after the link was
    /// made. Later the same user agent is any phone of that kind.
    func ignores(_ userAgent: String, at time: Timestamp) -> Bool {
        ignoredUserAgent == userAgent && time <= createdAt + .seconds(600)
    }
}

/// The analytics labels of a link.
package struct Labels: Sendable, Equatable {
    package var channel: String?
    package var feature: String?
    package var campaign: String?
    package var stage: String?
    package var tags: [String]

    package init(
        channel: String? = nil, feature: String? = nil, campaign: String? = nil, stage: String? = nil, tags: [String] = []
    ) {
        self.channel = channel
        self.feature = feature
        self.campaign = campaign
        self.stage = stage
        self.tags = tags
    }

    /// The labels that are set, by their plain names: the order in which Branch shows them.
    package var members: JSONObject {
        var members = JSONObject()
        for (name, value) in [("channel", channel), ("feature", feature), ("campaign", campaign), ("stage", stage)] {
            if let value { members[name] = .string(value) }
        }
        if !tags.isEmpty { members["tags"] = JSON(tags) }
        return members
    }
}

extension ControlParameters {
    init(data: JSONObject, labels: Labels) {
        var values: [String: String] = [:]
        for (key, value) in data where key.hasPrefix("$") {
            values[key] = value.scalarText
        }
        for (name, value) in [("~campaign", labels.campaign), ("~channel", labels.channel), ("~feature", labels.feature)] {
            values[name] = value
        }
        self.init(values)
    }
}
