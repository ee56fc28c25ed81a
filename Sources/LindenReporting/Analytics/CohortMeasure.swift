import Linden
import LindenKernel

/// A measure of a cohort report, evaluated for each band.
package struct CohortMeasure: Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
        /// The number of opens and reinstalls by members; installs are not included.
        case opens
        /// The number of members that had a session, in the app or in a browser.
        case users
        /// The share of members that had a session.
        case retention
        case revenue
        /// Revenue divided by the number of members.
        case revenuePerUser
        /// Revenue divided by the number of members that paid.
        case revenuePerPayer
        /// Revenue since the first band, divided by the number of members.
        case lifetimeValue
        /// The number of events of this name by members.
        case event(String)
        /// The cost of advertising and measures derived from it. Nothing reports costs to Linden, so every value is null.
        case cost
    }

    /// The name in the caller's own spelling.
    package let name: String
    package let kind: Kind

    /// Reads one of Branch's measures, ignoring case, or the name of an event. Fails with `invalid` for an empty text and for one longer
    /// than an event's name may be.
    package init(_ name: String) throws {
        guard !name.isEmpty, name.utf8.count <= Event.longestName else {
            throw Failure.invalid(
                "A measure must be one of \(Self.named.map(\.name).joined(separator: ", ")), or the name of an event.")
        }
        self.name = name
        kind = Self.named.first { $0.name.lowercased() == name.lowercased() }?.kind ?? .event(name)
    }

    private static let named: [(name: String, kind: Kind)] = [
        ("OPEN", .opens), ("users", .users), ("Retention", .retention), ("revenue", .revenue), ("ARPU", .revenuePerUser),
        ("ARPPU", .revenuePerPayer), ("LTV", .lifetimeValue), ("cost", .cost), ("GROSS_PROFIT", .cost), ("ROI", .cost),
        ("ROAS", .cost),
        ("eCPA", .cost),
    ]

    /// Returns Branch's name of the aggregation that the measure uses.
    func metric(isUnique: Bool) -> String {
        switch kind {
        case .opens, .event: isUnique ? "unique_count" : "total_count"
        case .users, .retention: "unique_count"
        case .revenue, .revenuePerUser, .revenuePerPayer, .lifetimeValue: "revenue"
        case .cost: "cost"
        }
    }
}
