/// A question as it is put on the command line or in the query of a call: texts that are read here, once for both.
package struct AnalyticsParameters: Sendable {
    /// Dates, of which the last one counts too, or times in ISO 8601.
    package var from: String
    package var to: String
    package var timezone: String?
    /// Here and below, several may stand in one text, with commas between them.
    package var topics: [String] = []
    package var by: [String] = []
    /// See ``AnalyticsQuery/Filter/init(_:)``.
    package var filters: [String] = []
    package var aggregation: String?
    package var granularity: String?
    package var order: String?
    package var orderedBy: String?
    package var fillsZeros = false
    package var limit: Int?
    package var offset: Int?
    package var event: String?
    package var days: Int?

    package init(from: String, to: String) {
        self.from = from
        self.to = to
    }

    package func counts(of scope: Scope) throws -> AnalyticsQuery {
        let dimensions = try Self.names(by).map { try Dimension(named: $0) }
        return try AnalyticsQuery(
            scope: scope, topics: try Self.names(topics).flatMap { try Topic.topics(named: $0) }, span: try span(),
            dimensions: dimensions, filters: try filters.map { try AnalyticsQuery.Filter($0) },
            aggregation: try aggregation.map { try AnalyticsQuery.Aggregation(named: $0) } ?? .totalCount,
            granularity: try granularity.map { try Granularity(named: $0) } ?? .all,
            order: try order.map { try AnalyticsQuery.Order(named: $0) } ?? .descending,
            orderedBy: try orderedBy.flatMap { AnalyticsQuery.Aggregation(rawValue: $0) == nil ? try Dimension(named: $0) : nil },
            fillsZeros: fillsZeros, limit: limit ?? 100, offset: offset ?? 0)
    }

    /// The counts of the whole span by one dimension or more, the highest first.
    package func top(of scope: Scope) throws -> AnalyticsQuery {
        guard !Self.names(by).isEmpty else { throw Failure.invalid("Name a dimension to rank by.") }
        var query = self
        query.granularity = nil
        query.limit = limit ?? 10
        return try query.counts(of: scope)
    }

    package func funnel(of scope: Scope) throws -> FunnelQuery {
        try FunnelQuery(
            scope: scope, span: try span(), event: event ?? "PURCHASE", dimension: try oneDimension(),
            days: days ?? FunnelQuery.standardDays)
    }

    package func cohort(of scope: Scope) throws -> CohortQuery {
        try CohortQuery(scope: scope, span: try span(), days: days ?? 7)
    }

    package func lifetimeValue(of scope: Scope) throws -> LifetimeValueQuery {
        try LifetimeValueQuery(scope: scope, span: try span(), dimension: try oneDimension() ?? .channel, days: days ?? 365)
    }

    private func span() throws -> AnalyticsSpan {
        try AnalyticsSpan(from: from, to: to, zone: try AnalyticsSpan.zone(named: timezone))
    }

    private func oneDimension() throws -> Dimension? {
        let names = Self.names(by)
        guard names.count <= 1 else { throw Failure.invalid("This is by one dimension.") }
        return try names.first.map { try Dimension(named: $0) }
    }

    private static func names(_ texts: [String]) -> [String] {
        texts.flatMap { $0.split(separator: ",").map(String.init) }
    }
}

extension Topic {
    /// Reads a name as Branch has it (`eo_click`, or `xx_click` with the figures of networks that report themselves, of which there are
    /// none here) or without its beginning. Empty for what Branch counts and Linden does not. Fails with `invalid`.
    package static func topics(named name: String) throws -> [Topic] {
        let plain = name.hasPrefix("eo_") || name.hasPrefix("xx_") ? String(name.dropFirst(3)) : name
        if plain == "web_session_start" { return [.webSession] }
        if ["impression", "branch_cta_view", "web_to_app_auto_redirect", "cost"].contains(plain) { return [] }
        guard let topic = Topic(rawValue: plain) else {
            let allowed = Topic.allCases.map(\.wireName).joined(separator: ", ")
            throw Failure.invalid("\(name) is no topic; there are \(allowed), and eo_ may be left out.")
        }
        return [topic]
    }

    /// As Branch names it.
    var wireName: String { "eo_" + (self == .webSession ? "web_session_start" : rawValue) }
}

extension AnalyticsQuery.Order {
    package init(named name: String) throws {
        guard let order = Self(rawValue: name) else { throw Failure.invalid("ordered must be ascending or descending.") }
        self = order
    }
}
