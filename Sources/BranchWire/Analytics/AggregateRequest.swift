import Linden
import LinkRouting

/// Branch's aggregate report: figures of one data source as a file (Branch, Aggregate API).
package struct AggregateRequest: Sendable {
    package let report: Report

    static let longestDays: Int64 = 90
    private static let mostDimensions = 11
    private static let known: Set<String> = [
        "start_date", "end_date", "data_source", "aggregation", "dimensions", "filters", "granularity", "ordered", "ordered_by",
        "zero_fill",
        "enable_install_recalculation",
    ]

    /// - Parameter limit: how many rows there may be.
    package init(_ fields: RequestFields, limit: Int?, scope: Scope, settledUntil: Timestamp) throws {
        try fields.allow(only: Self.known)
        let names = try RequestFields.texts(fields["dimensions"], "dimensions")
        guard (1...Self.mostDimensions).contains(names.count) else {
            throw Failure.invalid("dimensions must name 1 to \(Self.mostDimensions).")
        }
        let aggregation = try AnalyticsQuery.Aggregation(named: try fields.required("aggregation"))
        let orderedBy = fields.text("ordered_by").flatMap { AnalyticsQuery.Aggregation(rawValue: $0) == nil ? $0 : nil }
        var query = try AnalyticsQuery(
            scope: scope, topics: try Topic.topics(named: try fields.required("data_source")),
            span: try fields.analyticsSpan(longestDays: Self.longestDays), dimensions: try names.map { try Dimension(named: $0) },
            filters: try fields.analyticsFilters(), aggregation: aggregation,
            granularity: try fields.granularity([.day, .week, .month, .all]),
            order: try fields.text("ordered").map { try AnalyticsQuery.Order(named: $0) } ?? .descending,
            orderedBy: try orderedBy.map { try Dimension(named: $0) }, fillsZeros: try fields.zeroFill(),
            limit: AnalyticsQuery.mostRows)
        let span = query.span.before(settledUntil)
        if let span { query.span = span }
        report = try Report(
            period: "timestamp", dimensions: names,
            columns: [Report.Column(name: aggregation.rawValue, query: span == nil ? nil : query)], sorting: [], limit: limit)
    }
}
