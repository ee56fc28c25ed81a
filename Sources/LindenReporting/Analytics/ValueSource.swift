import LindenKernel

/// The source of a dimension's value, which determines the share of the day's limit that the value counts towards.
package enum ValueSource: Sendable, Hashable {
    /// A link that the app itself created, see ``Link/isAuthenticated``. Clients with only the public key cannot introduce such a value.
    case app
    /// A visitor, identified by ``AnalyticsRecord/source``, and its site if known.
    case visitor(Int64, site: Int64?)
    /// A visitor without any stored identifier.
    case unknown
}

extension AnalyticsRecord {
    /// Returns the source of the record's value of a dimension: for labels and links, the app if it created the link; otherwise the
    /// visitor.
    package func source(of dimension: Dimension) -> ValueSource {
        switch dimension {
        case .channel, .campaign, .feature, .link: isOfAuthenticatedLink ? .app : visitorSource
        default: visitorSource
        }
    }

    private var visitorSource: ValueSource { source.map { ValueSource.visitor($0, site: site) } ?? .unknown }
}

/// Those who have a share of the values, or of the combinations, of a dimension on a day.
package enum ValueShareOwner: Sendable, Hashable {
    case all
    /// All but the app itself.
    case allVisitors
    case visitor(Int64)
    /// All visitors without any stored identifier.
    case unknownVisitors
    case site(Int64)
}

/// What is limited for each dimension and day.
package enum LimitedKind: Int64, Sendable {
    case values = 0
    /// Combinations of an event's name and a value. The name is always a visitor's.
    case combinations = 1

    /// The most that an owner of a share may introduce.
    package func limit(of owner: ValueShareOwner) -> Int {
        switch owner {
        case .all: self == .values ? Rollup.valuesPerDay : Rollup.combinationsPerDay
        case .allVisitors: self == .values ? Rollup.valuesOfVisitors : Rollup.combinationsPerDay
        case .visitor: Rollup.valuesPerVisitor.address
        case .unknownVisitors: Rollup.valuesOfUnknownVisitors
        case .site: Rollup.valuesPerVisitor.site
        }
    }
}

extension ValueSource {
    /// The owners of the shares that a value of this source counts towards.
    package var shareOwners: [ValueShareOwner] {
        switch self {
        case .app: [.all]
        case .visitor(let number, nil): [.all, .allVisitors, .visitor(number)]
        case .visitor(let number, let site?): [.all, .allVisitors, .visitor(number), .site(site)]
        case .unknown: [.all, .allVisitors, .unknownVisitors]
        }
    }
}
