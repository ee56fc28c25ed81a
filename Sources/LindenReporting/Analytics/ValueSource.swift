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

/// A visitor or a site, which each have a share of the values of a day.
package enum ValueShareOwner: Sendable, Hashable {
    case visitor(Int64)
    /// All visitors without any stored identifier.
    case unknownVisitors
    case site(Int64)

    /// The maximum number of values.
    fileprivate var limit: Int {
        switch self {
        case .visitor: Rollup.valuesPerVisitor.address
        case .unknownVisitors: Rollup.valuesOfUnknownVisitors
        case .site: Rollup.valuesPerVisitor.site
        }
    }
}

/// The numbers of distinct values of a dimension on a day.
package struct ValueCounts: Sendable {
    package var all: Int
    package var ofVisitors: Int

    package init(all: Int, ofVisitors: Int) {
        self.all = all
        self.ofVisitors = ofVisitors
    }
}

extension ValueSource {
    /// The owners of the shares that a value of this source counts towards; none for the app's own links.
    package var shareOwners: [ValueShareOwner] {
        switch self {
        case .app: []
        case .visitor(let number, nil): [.visitor(number)]
        case .visitor(let number, let site?): [.visitor(number), .site(site)]
        case .unknown: [.unknownVisitors]
        }
    }

    /// Returns whether a source may introduce one more value of a dimension on a day: while there is room in all, for visitors, and in each
    /// of the source's shares.
    ///
    /// - Parameter used: returns the number of values that an owner of a share introduced. Called only if the other limits have room.
    package func mayIntroduceValue(
        beside counts: ValueCounts, used: (ValueShareOwner) throws -> Int
    ) rethrows -> Bool {
        guard counts.all < Rollup.valuesPerDay else { return false }
        guard self != .app else { return true }
        guard counts.ofVisitors < Rollup.valuesOfVisitors else { return false }
        return try hasRoomInShares(used)
    }

    /// Returns whether a source may introduce one more combination of an event's name and a value of a dimension on a day. The name is
    /// always a visitor's.
    ///
    /// - Parameters:
    ///   - count: the number of the day's combinations of the dimension.
    ///   - used: as for values.
    package func mayIntroduceCombination(beside count: Int, used: (ValueShareOwner) throws -> Int) rethrows -> Bool {
        guard count < Rollup.combinationsPerDay else { return false }
        return try hasRoomInShares(used)
    }

    private func hasRoomInShares(_ used: (ValueShareOwner) throws -> Int) rethrows -> Bool {
        for owner in shareOwners {
            guard try used(owner) < owner.limit else { return false }
        }
        return true
    }
}
