/// The parameters of a question as the command line and HTTP give them: texts that are read here, once for both.
package struct AnalyticsParameters: Sendable {
    /// See ``DateExpression``.
    package var from = Standard.from
    package var to: String?
    package var timezone = Standard.timezone
    /// Here and below, several may stand in one text, with commas between them.
    package var topics = [Standard.topic]
    package var by: [String] = []
    /// See ``AnalyticsQuery/Filter/init(_:)``.
    package var filters: [String] = []
    package var aggregation = Standard.aggregation
    package var granularity = Standard.granularity
    package var order = Standard.order
    package var orderedBy: String?
    package var fillsZeros = false
    /// Here and below, nil for the question's own default.
    package var limit: Int?
    package var offset = 0
    package var event = Standard.event
    package var days: Int?

    package init() {}

    /// A question's query fails with `invalid` for parameters that make no sense.
    package func counts(of scope: Scope, now: Timestamp) throws -> AnalyticsQuery {
        let dimensions = try Self.names(by).map { try Dimension(named: $0) }
        return try AnalyticsQuery(
            scope: scope, topics: try Self.names(topics).flatMap { try Topic.topics(named: $0) }, span: try span(now),
            dimensions: dimensions, filters: try filters.map { try AnalyticsQuery.Filter($0) },
            aggregation: try AnalyticsQuery.Aggregation(named: aggregation), granularity: try Granularity(named: granularity),
            order: try AnalyticsQuery.Order(named: order),
            orderedBy: try orderedBy.flatMap { AnalyticsQuery.Aggregation(rawValue: $0) == nil ? try Dimension(named: $0) : nil },
            fillsZeros: fillsZeros, limit: limit ?? Standard.limit, offset: offset)
    }

    /// The counts of the whole span by one dimension or more, the highest first.
    package func top(of scope: Scope, now: Timestamp) throws -> AnalyticsQuery {
        guard !Self.names(by).isEmpty else {
            throw Failure.invalid("by is missing: the dimension to rank by, such as channel.")
        }
        var query = self
        query.granularity = Granularity.all.rawValue
        query.limit = limit ?? Standard.topLimit
        return try query.counts(of: scope, now: now)
    }

    package func funnel(of scope: Scope, now: Timestamp) throws -> FunnelQuery {
        try FunnelQuery(
            scope: scope, span: try span(now), event: event, dimension: try oneDimension(), days: days ?? Standard.funnelDays)
    }

    package func cohort(of scope: Scope, now: Timestamp) throws -> CohortQuery {
        try CohortQuery(scope: scope, span: try span(now), days: days ?? Standard.cohortDays)
    }

    package func lifetimeValue(of scope: Scope, now: Timestamp) throws -> LifetimeValueQuery {
        try LifetimeValueQuery(
            scope: scope, span: try span(now), dimension: try oneDimension() ?? Dimension(named: Standard.lifetimeDimension),
            days: days ?? Standard.lifetimeDays)
    }

    func span(_ now: Timestamp) throws -> AnalyticsSpan {
        try AnalyticsSpan(from: from, to: to, now: now, zone: try AnalyticsSpan.zone(named: timezone))
    }

    private func oneDimension() throws -> Dimension? {
        let names = Self.names(by)
        guard names.count <= 1 else { throw Failure.invalid("by must name one dimension.") }
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
