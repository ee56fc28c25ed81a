import Linden
import LindenKernel
import LindenReporting
import LinkRouting

/// A request for Branch's cross-events report: several aggregations side by side, each of its own data source (Branch, Cross-Events Export
/// API).
package struct CrossEventsRequest: Sendable {
    package let report: Report

    private static let mostAggregations = 20
    /// In bytes: the name is repeated in each row of JSON.
    private static let longestTitle = 255
    private static let known: Set<String> = [
        "start_date", "end_date", "timezone", "aggregations", "dimensions", "filter", "granularity", "limit_sort_spec",
        "response_format",
        "response_format_compression",
    ]
    private static let knownOfAggregation: Set<String> = [
        "field_name", "display_name", "data_source", "filter", "start_date_override",
    ]

    package init(_ fields: RequestFields, limit: Int?, scope: Scope, settledUntil: Timestamp) throws {
        try fields.allow(only: Self.known)
        let dimensions = fields["dimensions"].map(\.isNull) == false ? try fields.analyticsDimensions() : []
        let filters = try Self.filters(fields["filter"])
        let granularity = try fields.granularity([.day, .week, .month, .all])
        guard let aggregations = fields["aggregations"]?.array, (1...Self.mostAggregations).contains(aggregations.count) else {
            throw Failure.invalid("aggregations must be a list of 1 to \(Self.mostAggregations) objects.")
        }
        let columns = try aggregations.map { value in
            let aggregation = RequestFields(value.object ?? [:])
            try aggregation.allow(only: Self.knownOfAggregation)
            let name = try aggregation.required("field_name")
            var query = try AnalyticsQuery(
                scope: scope, topics: try Topic.topics(named: try aggregation.required("data_source")),
                span: try fields.analyticsSpan(
                    longestDays: AggregateRequest.longestDays, start: aggregation.text("start_date_override"),
                    now: settledUntil),
                dimensions: dimensions.map(\.dimension), filters: try filters + Self.filters(aggregation["filter"]),
                aggregation: try AnalyticsQuery.Aggregation(named: name == "sketch_unique_count" ? "unique_count" : name),
                granularity: granularity, limit: AnalyticsQuery.mostRows)
            query.asOf = settledUntil
            let title = aggregation.text("display_name") ?? name
            guard title.utf8.count <= Self.longestTitle else {
                throw Failure.invalid("A display_name may have at most \(Self.longestTitle) bytes.")
            }
            return Report.Column(name: title, query: query)
        }
        let sorting = fields["limit_sort_spec"]?.object ?? [:]
        report = try Report(
            period: granularity == .all ? nil : "date_range", dimensions: dimensions.map(\.name), columns: columns,
            sorting: try (sorting["sort_columns"]?.array ?? []).map { value in
                let column = RequestFields(value.object ?? [:])
                return Report.Sorting(
                    column: try column.required("column_to_sort"),
                    isAscending: column["ascending_order"] == nil || column.flag("ascending_order"))
            },
            limit: try RequestFields(sorting).integer("limit").map { Int($0) } ?? limit)
    }

    /// Parses a filter such as `{"type":"in","dimension":"name","values":["PURCHASE"]}`. The other types are `selector` with one `value`,
    /// `and` with `fields`, and `not` with the `field` to negate.
    private static func filters(_ value: JSON?) throws -> [AnalyticsQuery.Filter] {
        guard let value, !value.isNull else { return [] }
        let filter = RequestFields(value.object ?? [:])
        switch filter.text("type") {
        case "and": return try (filter["fields"]?.array ?? []).flatMap { try filters($0) }
        case "not":
            let inner = try filters(filter["field"])
            guard let only = inner.first, inner.count == 1 else { throw Failure.invalid("The filter not must have one field.") }
            return [only.negated]
        case "selector":
            return [
                try AnalyticsQuery.Filter(
                    try filter.required("dimension"),
                    try RequestFields.texts(.array([filter["value"] ?? .null]), "The filter's value"))
            ]
        case "in":
            return [
                try AnalyticsQuery.Filter(
                    try filter.required("dimension"), try RequestFields.texts(filter["values"], "The filter's values"))
            ]
        default: throw Failure.invalid("A filter must be an object whose type is selector, in, and or not.")
        }
    }
}
