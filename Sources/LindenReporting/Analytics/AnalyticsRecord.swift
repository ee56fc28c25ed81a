import Linden
import LindenKernel

/// An analytics record: a click, a session or an event, with the values of the dimensions it is counted by.
package struct AnalyticsRecord: Sendable, Equatable {
    /// The id of the row in its log.
    package let id: Int64
    package let scope: Scope
    package let topic: Topic
    /// The name of an event; empty for other topics.
    package let name: String
    /// The credited link; nil for none.
    package let link: Link.ID?
    package let platform: String
    package let country: String
    package let labels: ActivityLabels
    /// What the visitor used.
    package let visitor: ActivityVisitor
    /// The device or browser that acted; the identity for an event without a device, and a hash of address and user agent for a click
    /// without a cookie. Nil if unknown.
    package let actor: Int64?
    /// Revenue in millionths of the reporting currency; 0 for none.
    package let revenue: Int64
    /// Stale dimensions: those whose values may have been different when the row was counted, because its link or its device has changed
    /// since.
    package let staleDimensions: Set<Dimension>
    /// Whether an ad in Apple's store is credited.
    package let isByAd: Bool
    /// A 16-bit hash of the click's stored address, otherwise of ``actor``; several visitors may share one. Nil if unknown. See
    /// ``source(of:)``.
    package let source: Int64?
    /// The site of the click, or of the device's first session, see ``AddressPseudonymizer/site(of:)``. Nil if unknown.
    package let site: Int64?
    /// Whether the credited link was created by the app itself, see ``Link/isAuthenticated``.
    package let isOfAuthenticatedLink: Bool
    /// Nil unless the reader was asked for details.
    package let details: ActivityDetails?

    package init(
        id: Int64, scope: Scope, topic: Topic, name: String = "", link: Link.ID?, platform: String, country: String,
        labels: ActivityLabels, visitor: ActivityVisitor = ActivityVisitor(), actor: Int64?, revenue: Int64 = 0,
        staleDimensions: Set<Dimension> = [], isByAd: Bool = false, source: Int64? = nil, site: Int64? = nil,
        isOfAuthenticatedLink: Bool = false, details: ActivityDetails? = nil
    ) {
        self.source = source
        self.site = site
        self.isOfAuthenticatedLink = isOfAuthenticatedLink
        self.id = id
        self.scope = scope
        self.topic = topic
        self.name = name
        self.link = link
        self.platform = platform
        self.country = country
        self.labels = labels
        self.visitor = visitor
        self.actor = actor
        self.revenue = revenue
        self.staleDimensions = staleDimensions
        self.isByAd = isByAd
        self.details = details
    }

    /// The value of ``Dimension/link`` for an ad in Apple's store.
    package static let adLink = "apple_search_ads"

    /// Returns a 16-bit hash (FNV-1a) that distinguishes the sources of new values; nil for an empty text.
    package static func source(of text: some StringProtocol) -> Int64? {
        guard !text.isEmpty else { return nil }
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        return Int64((hash ^ hash >> 16 ^ hash >> 32 ^ hash >> 48) & 0xFFFF)
    }

    package var time: Timestamp { IDGenerator.time(of: id) }

    /// Returns the value of a dimension; empty for none. Always empty for ``Dimension/hourOfDay``, which depends on the query, and for
    /// ``Dimension/touch(_:)`` and ``Dimension/column(_:)``, whose values are not part of the record.
    package func value(of dimension: Dimension) -> String {
        switch dimension {
        case .platform: platform
        case .country: country
        case .channel: labels.channel
        case .campaign: labels.campaign
        case .feature: labels.feature
        case .name: topic.builtInName ?? name
        case .link: link.map(\.description) ?? (isByAd ? Self.adLink : "")
        case .attributed: String(link != nil || isByAd)
        case .os: os ?? ""
        case .browser: visitor.browser.map(BrowserNames.name) ?? ""
        case .language: visitor.primaryLanguage
        case .referrer: visitor.referrer ?? details?.referrer ?? ""
        case .userPlatform: userPlatform ?? ""
        case .fromDesktop: String(details?.isFromDesktop ?? false)
        case .hourOfDay, .touch, .column: ""
        }
    }
}

/// The link labels by which totals are grouped; empty for none.
package struct ActivityLabels: Sendable, Hashable {
    package let channel: String
    package let campaign: String
    package let feature: String

    package init(channel: String?, campaign: String?, feature: String?) {
        self.channel = Self.shortened(channel)
        self.campaign = Self.shortened(campaign)
        self.feature = Self.shortened(feature)
    }

    /// Compares bytes, as the database does.
    package static func == (one: ActivityLabels, other: ActivityLabels) -> Bool {
        one.channel.hasSameBytes(as: other.channel) && one.campaign.hasSameBytes(as: other.campaign)
            && one.feature.hasSameBytes(as: other.feature)
    }

    package func hash(into hasher: inout Hasher) {
        channel.hashBytes(into: &hasher)
        campaign.hashBytes(into: &hasher)
        feature.hashBytes(into: &hasher)
    }

    package init(_ labels: Labels) {
        self.init(channel: labels.channel, campaign: labels.campaign, feature: labels.feature)
    }

    /// The form in which a click stores the labels of its long link, whose query may have 16 KiB of encoded data.
    package var stored: String { JSON.array([.string(channel), .string(campaign), .string(feature)]).text }

    package init(stored: String) throws {
        let labels = try JSON.parse(stored).array ?? []
        self.init(channel: labels.first?.string, campaign: labels.dropFirst().first?.string, feature: labels.last?.string)
    }

    /// Limits a label to 128 Unicode scalars, the same limit that applies where labels are validated. A character may have thousands of
    /// combining marks, and an index of PostgreSQL takes 2,704 bytes. A text with a NUL byte becomes empty.
    private static func shortened(_ text: String?) -> String {
        guard let text, !text.utf8.contains(0) else { return "" }
        return text.utf8.count <= 128 ? text : String(text.unicodeScalars.prefix(128))
    }
}

package protocol ActivityReader {
    /// Visits the records with ids from `first` up to, but not including, `end`, in the order of ids: those of one scope or, without a
    /// scope, of all.
    ///
    /// - Parameters:
    ///   - name: restricts events to those of this name.
    ///   - isDetailed: whether ``AnalyticsRecord/details`` are read as well.
    func activities(
        in log: ActivityLog, of scope: Scope?, from first: Int64, before end: Int64, named name: String?, isDetailed: Bool,
        _ visit: (AnalyticsRecord) throws -> Void) throws
}

extension ActivityReader {
    /// Visits the records without their details.
    package func activities(
        in log: ActivityLog, of scope: Scope?, from first: Int64, before end: Int64, named name: String?,
        _ visit: (AnalyticsRecord) throws -> Void
    ) throws {
        try activities(in: log, of: scope, from: first, before: end, named: name, isDetailed: false, visit)
    }
}
