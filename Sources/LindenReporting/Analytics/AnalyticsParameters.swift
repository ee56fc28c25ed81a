import Linden
import LindenKernel

/// A kind of analytics question. The command line and HTTP use the same parameters with the same defaults.
package enum AnalyticsQuestion: String, Sendable, CaseIterable {
    case counts, top, funnel, cohort, attribution
    case lifetimeValue = "ltv"

    /// The names of its parameters over HTTP. Options of the command line have hyphens in place of the underscores.
    package var parameters: [String] {
        let common = ["app", "from", "to", "timezone"]
        return switch self {
        case .counts:
            common + [
                "topic", "by", "filter", "aggregation", "granularity", "ordered", "ordered_by", "zero_fill", "limit", "after",
            ]
        case .top: common + ["topic", "by", "filter", "aggregation", "limit", "after"]
        case .funnel: common + ["by", "event", "days"]
        case .cohort: common + ["days"]
        case .lifetimeValue: common + ["by", "days"]
        case .attribution: common
        }
    }
}

/// The parameters of an analytics question as texts, from the command line or from HTTP. One parser serves both.
package struct AnalyticsParameters: Sendable {
    /// The start of the span, see ``DateExpression``.
    package var from = Standard.from
    package var to: String?
    package var timezone = Standard.timezone
    /// The names of topics. One text may hold several, separated by commas; the same applies to ``by``.
    package var topics = [Standard.topic]
    package var by: [String] = []
    /// Filters such as `channel=mail,sms`, see ``AnalyticsQuery/Filter/init(_:)``.
    package var filters: [String] = []
    package var aggregation = Standard.aggregation
    package var granularity = Standard.granularity
    package var order = Standard.order
    package var orderedBy: String?
    package var fillsZeros = false
    /// The maximum number of rows. Nil, as in ``days``, for the question's own default.
    package var limit: Int?
    package var offset = 0
    package var event = Standard.event
    package var days: Int?

    /// The default values of parameters.
    package enum Standard {
        package static let from = "7d"
        package static let timezone = "UTC"
        package static let topic = "click"
        package static let aggregation = "total_count"
        package static let granularity = "day"
        package static let order = "descending"
        package static let limit = 100
        package static let topLimit = 10
        package static let event = "PURCHASE"
        package static let funnelDays = 30
        package static let cohortDays = 7
        package static let lifetimeDays = 365
        package static let lifetimeDimension = "channel"
    }

    package init() {}

    /// Returns the query for counts. This and the following functions fail with `invalid` for parameters that are not allowed.
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

    /// Returns the query for the counts of the whole span by at least one dimension, highest first.
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

    /// Fails with `forbidden` for a question by a dimension without a short name. Such dimensions are columns of an export, of which some
    /// name users and devices.
    package func checkNamesNoUsers() throws {
        let asked = try Self.names(by).map { try Dimension(named: $0) } + filters.map { try AnalyticsQuery.Filter($0).dimension }
        guard asked.allSatisfy(Dimension.allCases.contains) else {
            let names = Dimension.allCases.map(\.rawValue).joined(separator: ", ")
            throw Failure(.forbidden, "You may ask by \(names); other columns may name users.")
        }
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
    /// Returns the topics that a name stands for, in Branch's form (`eo_click`, or `xx_click`, which at Branch includes the figures of
    /// self-attributing networks; Linden has none) or without the prefix. Empty for topics that Branch counts and Linden does not. Fails
    /// with `invalid` for an unknown name.
    package static func topics(named name: String) throws -> [Topic] {
        let plain = name.hasPrefix("eo_") || name.hasPrefix("xx_") ? String(name.dropFirst(3)) : name
        if plain == "web_session_start" { return [.webSession] }
        if ["impression", "branch_cta_view", "web_to_app_auto_redirect", "cost"].contains(plain) { return [] }
        guard let topic = Topic(rawValue: plain) else {
            let allowed = Topic.allCases.map(\.wireName).joined(separator: ", ")
            throw Failure.invalid("\(name) is not a topic. The topics are \(allowed); eo_ may be omitted.", at: "topic")
        }
        return [topic]
    }

    /// Branch's name of the topic.
    var wireName: String { "eo_" + (self == .webSession ? "web_session_start" : rawValue) }
}

extension AnalyticsQuery.Order {
    package init(named name: String) throws {
        guard let order = Self(rawValue: name) else { throw Failure.invalid("ordered must be ascending or descending.") }
        self = order
    }
}
