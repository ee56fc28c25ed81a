extension AnalyticsAnswer {
    /// What is to be said beside the rows; empty if they are all there is to say.
    package var remarks: JSONObject {
        var members: JSONObject = [:]
        if isEstimated { members["estimated"] = true }
        if let rowsKeptSince { members["rows_kept_since"] = .string(rowsKeptSince.iso8601) }
        return members
    }
}

extension AnalyticsAnswer.Row {
    /// - Parameter query: what it answers.
    package func members(_ query: AnalyticsQuery) -> JSONObject {
        var members: JSONObject = ["timestamp": .string(period.startText)]
        for (name, value) in result(query, names: query.dimensions.map(\.rawValue)) { members[name] = value }
        return members
    }

    /// Without the period, the dimensions by names of the caller's own.
    package func result(_ query: AnalyticsQuery, names: [String]) -> JSONObject {
        var members: JSONObject = [:]
        for (name, value) in zip(names, values) { members[name] = value.isEmpty ? .null : .string(value) }
        members[query.aggregation.rawValue] = query.aggregation == .revenue ? .millionths(figure) : .integer(Int64(figure))
        return members
    }
}

extension Funnel {
    package func members(_ dimension: Dimension?) -> JSONObject {
        var members: JSONObject = [:]
        if let dimension { members[dimension.rawValue] = value.isEmpty ? .null : .string(value) }
        return members.merging([
            "clicks": .integer(clicks), "installs": .integer(installs), "converted": .integer(converted),
            "median_seconds_to_install": medianMillisecondsToInstall.map { .integer($0 / 1000) } ?? .null,
        ])
    }
}

extension Cohort {
    package var members: JSONObject {
        [
            "day": .string(String(day.startText.prefix(10))), "installs": .integer(installs),
            "retained": .array(retained.map(JSON.integer)),
        ]
    }
}

extension LifetimeValue {
    package func members(_ dimension: Dimension) -> JSONObject {
        [
            dimension.rawValue: value.isEmpty ? .null : .string(value), "installs": .integer(installs), "payers": .integer(payers),
            "revenue": .millionths(revenue.millionths),
            "revenue_per_install": .millionths(installs == 0 ? 0 : revenue.millionths / Int128(installs)),
        ]
    }
}

extension JSON {
    /// An amount of money as a number: `12.5`.
    package static func millionths(_ amount: Int128) -> JSON { .decimal(MoneySum(millionths: amount).text) }
}
