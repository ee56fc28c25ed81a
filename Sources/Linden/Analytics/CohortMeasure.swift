/// What a cohort report measures in each band.
package struct CohortMeasure: Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
        /// How often members opened the app again.
        case opens
        /// How many members were there: opened the app or, in a browser, the site.
        case users
        /// The share of the members that were there.
        case retention
        case revenue
        /// Revenue by member.
        case revenuePerUser
        /// Revenue by member that paid.
        case revenuePerPayer
        /// Revenue by member from the beginning on.
        case lifetimeValue
        /// How often members had an event.
        case event(String)
        /// What advertising costs, and what follows from that. Nothing reports it to Linden, so every value is null.
        case cost
    }

    /// As the caller wrote it.
    package let name: String
    package let kind: Kind

    /// Reads a measure of Branch's, in any case, or the name of an event. Fails with `invalid` for a name that none can have.
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

    /// What is counted or added up, in the words of Branch's aggregations.
    func metric(isUnique: Bool) -> String {
        switch kind {
        case .opens, .event: isUnique ? "unique_count" : "total_count"
        case .users, .retention: "unique_count"
        case .revenue, .revenuePerUser, .revenuePerPayer, .lifetimeValue: "revenue"
        case .cost: "cost"
        }
    }
}
