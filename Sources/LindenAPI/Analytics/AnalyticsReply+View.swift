import LindenKernel
import LindenReporting

extension AnalyticsReply {
    /// Returns the answer to an analytics question as JSON text in UTF-8, written row by row. Fails with `invalid` if it is longer than a
    /// number of bytes.
    ///
    /// - `results`: ``rowViews(upTo:)``.
    /// - `total_count`: the number of rows on all pages; absent for questions without pages.
    /// - `estimated`: true if figures are estimates; otherwise absent.
    /// - `rows_kept_since`: a time in ISO 8601, UTC, if older rows of the time range are deleted; otherwise absent.
    /// - `rows_erased`: the number of rows in the time range that privacy requests erased; absent if there are none.
    /// - `warnings`: one sentence for each event name that was never recorded; absent if there are none.
    package func json(upTo mostBytes: Int) throws -> [UInt8] {
        var output = JSONRows(.results, upTo: mostBytes)
        try forEachRow { try output.add($0) }
        output.end(with: metadata)
        return output.bytes
    }

    /// The members of the answer other than the rows.
    private var metadata: JSONObject {
        var members: JSONObject = [:]
        if let totalRows { members["total_count"] = JSON(totalRows) }
        if isEstimated { members["estimated"] = true }
        if let since = missing.keptSince { members["rows_kept_since"] = .string(since.iso8601) }
        if missing.erased > 0 { members["rows_erased"] = .integer(missing.erased) }
        if !warnings.isEmpty { members["warnings"] = JSON(warnings) }
        return members
    }

    /// The first rows. Those that are grouped by link also have the link's `url` and `title`, which may be null.
    package func rowViews(upTo most: Int = .max) -> [JSONObject] {
        var views: [JSONObject] = []
        forEachRow(upTo: most) { views.append($0) }
        return views
    }

    package var rowCount: Int {
        switch rows {
        case .counts(let rows, _), .top(let rows, _): rows.count
        case .funnels(let funnels, _): funnels.count
        case .cohorts(let cohorts): cohorts.count
        case .lifetimeValues(let values, _): values.count
        case .attribution(let summary): summary.rowViews.count
        }
    }

    /// The approximate size of the rows in memory, in bytes.
    package var byteCost: Int {
        var bytes = 0
        forEachRow { bytes += JSON.object($0).byteCost }
        return bytes
    }

    func forEachRow(upTo most: Int = .max, _ body: (JSONObject) throws -> Void) rethrows {
        switch rows {
        case .counts(let rows, let query):
            for row in rows.prefix(most) { try body(captioned(row.view(of: query, hasPeriod: true))) }
        case .top(let rows, let query):
            for row in rows.prefix(most) { try body(captioned(row.view(of: query, hasPeriod: false))) }
        case .funnels(let funnels, let dimension):
            for funnel in funnels.prefix(most) { try body(captioned(funnel.view(by: dimension))) }
        case .cohorts(let cohorts):
            for cohort in cohorts.prefix(most) { try body(cohort.view) }
        case .lifetimeValues(let values, let dimension):
            for value in values.prefix(most) { try body(captioned(value.view(by: dimension))) }
        case .attribution(let summary):
            for row in summary.rowViews.prefix(most) { try body(row) }
        }
    }

    private func captioned(_ row: JSONObject) -> JSONObject {
        guard let links else { return row }
        let caption = row[Dimension.link.rawValue]?.string.flatMap { links[$0] }
        return row.merging(["url": JSON(caption?.url), "title": JSON(caption?.title)])
    }
}

extension AnalyticsAnswer.Row {
    /// A row of counts or revenue.
    ///
    /// - `timestamp`: the start of the period, in the query's time zone; absent without `hasPeriod`.
    /// - a member for each dimension; null for no value.
    /// - a member named by the aggregation, with the figure.
    fileprivate func view(of query: AnalyticsQuery, hasPeriod: Bool) -> JSONObject {
        var members: JSONObject = hasPeriod ? ["timestamp": .string(period.startText)] : [:]
        for (dimension, value) in zip(query.dimensions, values) { members[dimension.rawValue] = .value(value) }
        members[query.aggregation.rawValue] = query.aggregation.json(figure)
        return members
    }
}

extension Funnel {
    /// A funnel.
    ///
    /// - a member for the dimension, if there is one; null for no value.
    /// - `clicks`, `installs`, `converted`: the numbers of each step.
    /// - `install_rate`, `conversion_rate`: the ratios of each step to the one before; null without the step before.
    /// - `median_seconds_to_install`: null without installs.
    fileprivate func view(by dimension: Dimension?) -> JSONObject {
        var members: JSONObject = [:]
        if let dimension { members[dimension.rawValue] = .value(value) }
        return members.merging([
            "clicks": .integer(clicks), "installs": .integer(installs), "converted": .integer(converted),
            "install_rate": .rate(installs, of: clicks), "conversion_rate": .rate(converted, of: installs),
            "median_seconds_to_install": medianMillisecondsToInstall.map { .integer($0 / 1000) } ?? .null,
        ])
    }
}

extension Cohort {
    /// The devices that installed on one day.
    ///
    /// - `day`: a date such as `2027-01-31`.
    /// - `installs`: the number of devices.
    /// - `retained`: the numbers of those active on the day itself and on each day after it.
    /// - `retention_rates`: the same, divided by `installs`; null without installs.
    fileprivate var view: JSONObject {
        [
            "day": .string(String(day.startText.prefix(10))), "installs": .integer(installs),
            "retained": .array(retained.map(JSON.integer)),
            "retention_rates": .array(retained.map { .rate($0, of: installs) }),
        ]
    }
}

extension LifetimeValue {
    /// The revenue of the devices with one value of a dimension.
    ///
    /// - a member for the dimension; null for no value.
    /// - `installs`, `payers`: the numbers of devices, and of those with revenue; `payer_rate`: their ratio.
    /// - `revenue`, `revenue_per_install`: amounts in the reporting currency.
    fileprivate func view(by dimension: Dimension) -> JSONObject {
        [
            dimension.rawValue: .value(value), "installs": .integer(installs), "payers": .integer(payers),
            "payer_rate": .rate(payers, of: installs), "revenue": .millionths(revenue.millionths),
            "revenue_per_install": .millionths(installs == 0 ? 0 : revenue.millionths / Int128(installs)),
        ]
    }
}

extension AttributionSummary {
    /// One row for each way that decided an install, deterministic ones first.
    ///
    /// - `way`: the matcher or refusal; `meaning` describes it.
    /// - `certainty`: `deterministic`, `probabilistic` or `none`.
    /// - `installs`, `share`: the number of installs, and its percentage of all as a text.
    package var rowViews: [JSONObject] {
        Way.allCases.compactMap { way in
            guard let count = counts[way] else { return nil }
            return [
                "way": .string(way.rawValue), "certainty": .string(way.certainty.rawValue), "installs": .integer(count),
                "share": .string(Self.percent(count, of: installs)), "meaning": .string(way.meaning),
            ]
        }
    }
}

extension JSON {
    /// Returns the value of a dimension; null for an empty one.
    fileprivate static func value(_ text: String) -> JSON { text.isEmpty ? .null : .string(text) }

    /// Returns a ratio from 0 to 1 with four digits, such as `0.3333`; null if `whole` is not positive.
    fileprivate static func rate(_ part: Int64, of whole: Int64) -> JSON {
        guard whole > 0 else { return .null }
        let tenThousandths = (Int128(part) * 10_000 + Int128(whole) / 2) / Int128(whole)
        return .millionths(tenThousandths * 100)
    }
}
