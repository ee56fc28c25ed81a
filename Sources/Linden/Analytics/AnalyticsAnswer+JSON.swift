extension AnalyticsAnswer.Row {
    /// Returns the row as JSON members: the start of its period, its dimensions and its figure.
    ///
    /// - Parameter query: the query that the row answers.
    package func members(_ query: AnalyticsQuery) -> JSONObject {
        var members: JSONObject = ["timestamp": .string(period.startText)]
        for (name, value) in result(query, names: query.dimensions.map(\.rawValue)) { members[name] = value }
        return members
    }

    /// Returns the row without its period, with its dimensions under names that the caller chooses.
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
            "install_rate": .rate(installs, of: clicks), "conversion_rate": .rate(converted, of: installs),
            "median_seconds_to_install": medianMillisecondsToInstall.map { .integer($0 / 1000) } ?? .null,
        ])
    }
}

extension Cohort {
    package var members: JSONObject {
        [
            "day": .string(String(day.startText.prefix(10))), "installs": .integer(installs),
            "retained": .array(retained.map(JSON.integer)),
            "retention_rates": .array(retained.map { .rate($0, of: installs) }),
        ]
    }
}

extension LifetimeValue {
    package func members(_ dimension: Dimension) -> JSONObject {
        [
            dimension.rawValue: value.isEmpty ? .null : .string(value), "installs": .integer(installs), "payers": .integer(payers),
            "payer_rate": .rate(payers, of: installs), "revenue": .millionths(revenue.millionths),
            "revenue_per_install": .millionths(installs == 0 ? 0 : revenue.millionths / Int128(installs)),
        ]
    }
}

extension JSON {
    /// Returns a ratio from 0 to 1 with four digits, such as `0.3333`; null if `whole` is not positive.
    package static func rate(_ part: Int64, of whole: Int64) -> JSON {
        guard whole > 0 else { return .null }
        let tenThousandths = (Int128(part) * 10_000 + Int128(whole) / 2) / Int128(whole)
        return .decimal(MoneySum(millionths: tenThousandths * 100).text)
    }

    /// Returns an amount in millionths as a JSON number such as `12.5`.
    package static func millionths(_ amount: Int128) -> JSON { .decimal(MoneySum(millionths: amount).text) }
}
