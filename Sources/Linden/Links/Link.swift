import LindenKernel
import LinkRouting

/// A short link: its address, its analytics labels, and the data it delivers to the app.
package struct Link: Sendable {
    package typealias ID = Identifier<Link>

    /// Branch's link types.
    package enum Kind: Int64, Sendable, CaseIterable {
        case standard = 0
        /// Opens the app only until the first session with its data.
        case oneTimeUse = 1
        /// Created by marketing, listed in a dashboard.
        case marketing = 2
    }

    /// The client that created a link, as in `~creation_source`.
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
    /// Whether the path is an alias; otherwise it is random.
    package let hasAlias: Bool
    package let kind: Kind
    /// The match window in seconds; two hours if nil. `$match_duration` overrides it, see ``matchWindow(appended:atMost:)``.
    package var duration: Int64?
    /// The identity that created or shares it.
    package let owner: Identity.ID?
    package var labels: Labels
    /// The folder in which operators keep it; nil for none. SDKs neither set nor get it.
    package var folder: String?
    /// Whether lists leave it out unless they are asked for archived links. It leads where it led. SDKs neither set nor get it.
    package var isArchived: Bool
    /// All link data, `$` keys included, exactly as received.
    package var data: JSONObject
    package var object: UniversalObject.ID?
    package let source: CreationSource
    /// Whether the app itself created it or changed it last: with its secret, with an access token or on the command line. Otherwise the
    /// public key was enough, which is not a credential.
    package var isAuthenticated: Bool
    package let createdAt: Timestamp
    package let deletedAt: Timestamp?
    /// The user agent of the app through which the link is shared, which requests the link before the first click; that visit is not
    /// counted (iOS SDK, `ignore_ua_string`).
    package let ignoredUserAgent: String?
    package var limits: LinkLimits
    /// When a one-time link was consumed: a session was answered with its data.
    package let usedAt: Timestamp?
    /// The query of a long link, which holds all of its data; nil for other links. See ``LongLink``.
    package let query: String?

    package init(
        id: ID, scope: Scope, address: LinkAddress, hasAlias: Bool, kind: Kind, duration: Int64?, owner: Identity.ID?,
        labels: Labels, folder: String? = nil, isArchived: Bool = false, data: JSONObject, object: UniversalObject.ID?,
        source: CreationSource,
        isAuthenticated: Bool = false, createdAt: Timestamp, deletedAt: Timestamp? = nil, ignoredUserAgent: String? = nil,
        limits: LinkLimits = LinkLimits(),
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
        self.folder = folder
        self.isArchived = isArchived
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

    /// The `$` keys and labels that a redirect reads.
    package var controlParameters: ControlParameters { ControlParameters(data: data, labels: labels) }

    package var isOneTimeUse: Bool {
        kind == .oneTimeUse
            || ControlParameters(["$one_time_use": data["$one_time_use"]?.scalarText ?? ""])
                .flag("$one_time_use", default: false)
    }

    /// Whether the link is a one-time link that is consumed.
    package var isUsedUp: Bool { isOneTimeUse && usedAt != nil }

    /// Returns how long a click on this link may be matched to an install: `$match_duration`, else `duration`, else two hours.
    ///
    /// - Parameters:
    ///   - query: the query appended to the link, which overrides the stored values.
    ///   - limit: the app's longest window.
    package func matchWindow(appended query: String?, atMost limit: Duration) -> Duration {
        let appended = query.flatMap { URLParts.lastValue(ofControl: "match_duration", in: $0) }
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
    /// Returns whether a visit is the preview request of the app through which the link is shared: it has that app's user agent, within ten
    /// minutes of the link's creation. Later the same user agent may belong to any phone of that kind.
    func ignores(_ userAgent: String, at time: Timestamp) -> Bool {
        ignoredUserAgent.hasSameBytes(as: userAgent) && time <= createdAt + .seconds(600)
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

    /// The labels that are set, by their names without tilde, in Branch's order.
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
        // Known keys are ASCII; a dictionary of strings normalizes others, which is slow for keys with combining marks.
        for (key, value) in data where key.utf8.first == UInt8(ascii: "$") && key.ifASCII != nil {
            values[key] = value.scalarText
        }
        for (name, value) in [("~campaign", labels.campaign), ("~channel", labels.channel), ("~feature", labels.feature)] {
            values[name] = value
        }
        self.init(values)
    }
}
