import Linden
import LindenKernel
import LindenReporting
import LinkRouting

/// A request for Branch's cohort report. It arrives at the same address as the aggregate report (Branch, Cohort API).
package struct CohortRequest: Sendable {
    package let report: CohortReport

    private static let known: Set<String> = [
        "app_id", "organization_id", "start_date", "end_date", "timezone", "data_source", "dimensions", "filters", "measures",
        "granularity",
        "granularity_band_count", "cumulative", "per_user", "unique", "ordered", "ordered_by", "enable_install_recalculation",
    ]

    /// Whether a request at the shared address is for a cohort report rather than an aggregate report.
    package static func isCohort(_ fields: RequestFields) -> Bool {
        fields.text("data_source").flatMap(CohortReport.Source.init) != nil || fields["measures"] != nil
    }

    /// - Parameter limit: the maximum number of rows.
    package init(_ fields: RequestFields, limit: Int?, scope: Scope, settledUntil: Timestamp) throws {
        try fields.allow(only: Self.known)
        let names = fields["dimensions"].map(\.isNull) == false ? try RequestFields.texts(fields["dimensions"], "dimensions") : []
        guard let bands = try fields.integer("granularity_band_count").map({ Int($0) }) else {
            throw Failure.invalid("granularity_band_count is missing: how many days, weeks or months to follow a cohort.")
        }
        report = try CohortReport(
            scope: scope, source: try fields.choice("data_source") ?? .install,
            span: try fields.analyticsSpan(longestDays: AggregateRequest.longestDays, now: settledUntil), asOf: settledUntil,
            measures: try RequestFields.texts(fields["measures"], "measures").map { try CohortMeasure($0) },
            unit: try fields.choice("granularity") ?? .day, bands: bands, isCumulative: try fields.switched("cumulative"),
            isPerUser: try fields.switched("per_user"), isUnique: try fields.switched("unique"),
            groupings: try names.map { ($0, try CohortReport.Grouping(named: $0)) },
            filters: try fields.analyticsFilters(Self.filtered),
            order: try fields.text("ordered").map { try AnalyticsQuery.Order(named: $0) } ?? .descending,
            orderedBy: fields.text("ordered_by"), limit: limit)
    }

    private static func filtered(_ name: String) throws -> LindenReporting.Dimension {
        guard case .by(let dimension) = try CohortReport.Grouping(named: name) else {
            throw Failure.invalid("\(name) is not a filter; use start_date and end_date for the days.")
        }
        return dimension
    }
}

extension RequestFields {
    /// Returns the choice that the field names, or nil if the field is absent. Fails with `invalid` for any other value.
    fileprivate func choice<Choice: RawRepresentable<String> & CaseIterable>(_ name: String) throws -> Choice? {
        guard let text = text(name) else { return nil }
        guard let choice = Choice(rawValue: text) else {
            throw Failure.invalid("\(name) must be one of \(Choice.allCases.map(\.rawValue).joined(separator: ", ")).")
        }
        return choice
    }
}
