import Linden
import LindenKernel
import LindenReporting
import LinkRouting

/// A request of Branch's query call: one aggregation of one data source, grouped by dimensions (Branch, Query API).
///
/// The query string selects the page: `limit`, `after` and `query_id`. `query_id` is the time of the first page in milliseconds; later
/// pages leave out rows that arrived after it, so that all pages show one consistent result.
package struct QueryAnalyticsRequest: Sendable {
    package let query: AnalyticsQuery
    /// The dimensions as the caller named them.
    private let names: [String]
    private let id: Int64
    private let limit: Int
    private let after: Int

    private static let longestDays: Int64 = 7
    private static let mostRows = 1000
    private static let known: Set<String> = [
        "branch_key", "branch_secret", "start_date", "end_date", "timezone", "data_source", "aggregation", "dimensions", "filters",
        "granularity",
        "ordered", "ordered_by", "zero_fill", "enable_install_recalculation",
    ]

    /// - Parameters:
    ///   - page: the query string of the URL.
    ///   - settledUntil: the time up to which all rows have arrived.
    package init(_ fields: RequestFields, page: String, scope: Scope, settledUntil: Timestamp) throws {
        let page = try RequestFields(query: page)
        try fields.allow(only: Self.known)
        limit = try Self.number(page, "limit") ?? 100
        guard (1...Self.mostRows).contains(limit) else { throw Failure.invalid("limit must be from 1 to \(Self.mostRows).") }
        after = try Self.number(page, "after") ?? 0
        id = try page.integer("query_id") ?? settledUntil.milliseconds
        // Earlier times are no id: all rows are later than the epoch of ids.
        let ids = IDGenerator.epoch.milliseconds...max(settledUntil.milliseconds, IDGenerator.epoch.milliseconds)
        guard ids.contains(id) else { throw Failure.invalid("There is no such query_id.") }

        let dimensions = try fields.analyticsDimensions()
        names = dimensions.map(\.name)
        let order = try fields.analyticsOrder()
        var query = try AnalyticsQuery(
            scope: scope, topics: try Topic.topics(named: try fields.required("data_source")),
            span: try fields.analyticsSpan(longestDays: Self.longestDays, now: Timestamp(milliseconds: id)),
            dimensions: dimensions.map(\.dimension),
            filters: try fields.analyticsFilters(),
            aggregation: try AnalyticsQuery.Aggregation(named: try fields.required("aggregation")),
            granularity: try fields.granularity([.day, .all]), order: order.order, orderedBy: order.dimension,
            fillsZeros: try fields.zeroFill(), limit: limit, offset: after)
        query.isLatestFirst = order.isLatestFirst
        query.asOf = Timestamp(milliseconds: id)
        self.query = query
    }

    /// Returns the response body, with the URLs of the previous and next pages. Fails with `invalid` if it is longer than a number of bytes.
    package func response(_ answer: AnalyticsAnswer, baseURL: BaseURL, upTo mostBytes: Int) throws -> [UInt8] {
        var output = JSONRows(.results, upTo: mostBytes)
        for row in answer.rows {
            try output.add(["timestamp": .string(row.period.startText), "result": .object(result(row))])
        }
        var members: JSONObject = ["paging": .object(paging(answer, baseURL))]
        // An extension to Branch's response: explains why counts are lower than in an earlier response.
        if answer.missing.erased > 0 { members["rows_erased"] = .integer(answer.missing.erased) }
        if let since = answer.missing.keptSince { members["rows_kept_since"] = .string(since.iso8601) }
        output.end(with: members)
        return output.bytes
    }

    private func paging(_ answer: AnalyticsAnswer, _ baseURL: BaseURL) -> JSONObject {
        var paging: JSONObject = [:]
        func address(_ first: Int) -> JSON {
            .string("\(baseURL.text)/v1/query/analytics?limit=\(limit)&after=\(first)&query_id=\(id)")
        }
        if answer.hasMore { paging["next_url"] = address(after + limit) }
        if after > 0 { paging["previous_url"] = address(max(0, after - limit)) }
        paging["total_count"] = .integer(Int64(answer.totalRows))
        return paging
    }

    /// Returns the values of a row's dimensions, under the names that the caller chose, and its figure.
    private func result(_ row: AnalyticsAnswer.Row) -> JSONObject {
        var members: JSONObject = [:]
        for (name, value) in zip(names, row.values) { members[name] = value.isEmpty ? .null : .string(value) }
        members[query.aggregation.rawValue] = query.aggregation.json(row.figure)
        return members
    }

    private static func number(_ fields: RequestFields, _ name: String) throws -> Int? {
        try fields.integer(name).map { Int($0) }
    }
}
