import Linden
import LindenKernel
import LindenReporting
import LinkRouting

/// A request for Branch's aggregate report: one aggregation of one data source, returned as a file (Branch, Aggregate API).
package struct AggregateRequest: Sendable {
    package let report: Report

    static let longestDays: Int64 = 90
    private static let mostDimensions = 11
    private static let known: Set<String> = [
        "start_date", "end_date", "timezone", "data_source", "aggregation", "dimensions", "filters", "granularity", "ordered",
        "ordered_by",
        "zero_fill",
        "enable_install_recalculation",
    ]

    /// - Parameter limit: the maximum number of rows.
    package init(_ fields: RequestFields, limit: Int?, scope: Scope, settledUntil: Timestamp) throws {
        try fields.allow(only: Self.known)
        let asked = try RequestFields.texts(fields["dimensions"], "dimensions")
        guard (1...Self.mostDimensions).contains(asked.count) else {
            throw Failure.invalid("dimensions must name 1 to \(Self.mostDimensions).")
        }
        let dimensions = try fields.analyticsDimensions()
        let aggregation = try AnalyticsQuery.Aggregation(named: fields.text("aggregation") ?? "total_count")
        let order = try fields.analyticsOrder()
        var query = try AnalyticsQuery(
            scope: scope, topics: try Topic.topics(named: try fields.required("data_source")),
            span: try fields.analyticsSpan(longestDays: Self.longestDays, now: settledUntil),
            dimensions: dimensions.map(\.dimension),
            filters: try fields.analyticsFilters(), aggregation: aggregation,
            granularity: try fields.granularity([.day, .week, .month, .all]), order: order.order, orderedBy: order.dimension,
            fillsZeros: try fields.zeroFill(), limit: AnalyticsQuery.mostRows)
        query.isLatestFirst = order.isLatestFirst
        query.asOf = settledUntil
        report = try Report(
            period: "timestamp", dimensions: dimensions.map(\.name),
            columns: [Report.Column(name: aggregation.rawValue, query: query)], sorting: [], limit: limit)
    }
}
