import Linden
import LindenKernel

extension CohortReport {
    /// One measure of one group.
    package struct Row: Sendable {
        let measure: CohortMeasure
        /// The values of the groupings; empty for none.
        let values: [String]
        /// The number of members of the group.
        package let users: Int64
        /// One number for each band; null for a band that has not begun for any member, and where the divisor is 0.
        let bands: [JSON]
    }

    /// The names of the bands: `day0`, `day1` and so on.
    private var bandNames: [String] { (0..<bands).map { unit.rawValue + String($0) } }

    /// Returns a JSON array with an object for each row, in Branch's form. Fails with `invalid` if it is longer than a number of bytes.
    package func json(_ rows: [Row], upTo mostBytes: Int) throws -> [UInt8] {
        var output = JSONRows(.array, upTo: mostBytes)
        for row in rows {
            var members: JSONObject = [
                "users": .integer(row.users), "cost": .null, "metric": .string(row.measure.metric(isUnique: isUnique)),
                "measure": .string(row.measure.name), "per_user": .bool(isPerUser), "cumulative": .bool(isCumulative),
                "data": .object(JSONObject(zip(bandNames, row.bands).map { (key: $0, value: $1) })),
            ]
            for (name, value) in zip(names, row.values) { members[name] = value.isEmpty ? .null : .string(value) }
            try output.add(members)
        }
        output.end()
        return output.bytes
    }

    /// Returns the rows as CSV, with columns in Branch's order. Fails as ``json(_:upTo:)`` does.
    package func csv(_ rows: [Row], upTo mostBytes: Int) throws -> [UInt8] {
        var table = try CSVTable(
            ["measure", "metric", "per_user", "cumulative", "user", "cost"] + names + bandNames, upTo: mostBytes)
        for row in rows {
            let fixed: [ExportValue] = [
                .text(row.measure.name), .text(row.measure.metric(isUnique: isUnique)), .bool(isPerUser), .bool(isCumulative),
                .integer(row.users), .none,
            ]
            try table.add(fixed + row.values.map { ExportValue($0) } + row.bands.map { ExportValue($0) })
        }
        return table.bytes
    }
}

extension AnalyticsService {
    /// Returns the rows of a cohort report, those of each group in the order of the report's measures. Fails with `invalid` if it would
    /// read more than ``rowLimit`` sessions, or hold more than ``cohortLimit``.
    package func rows(of report: CohortReport) async throws -> [CohortReport.Row] {
        try await storage.analyze(report.sessions.scope) { reader in
            let reading = try CohortReading(report, from: reader, rowLimit: rowLimit, limit: cohortLimit)
            let tallies = try report.measures.map { try reading.tallies(of: $0.kind) }
            let order = reading.groups.indices.sorted { report.precedes(reading.groups[$0], reading.groups[$1]) }
            return order.flatMap { index in
                let group = reading.groups[index]
                let begun = reading.bandsBegun(of: group)
                return report.measures.indices.map { measure in
                    let values = report.values(of: report.measures[measure].kind, tallies[measure][index], users: group.users)
                    return CohortReport.Row(
                        measure: report.measures[measure], values: group.values, users: group.users,
                        bands: values.enumerated().map { $0.offset < begun ? $0.element : .null })
                }
            }.prefix(report.limit).map { $0 }
        }
    }
}

extension CohortReport {
    /// Orders groups that compare equal by their values.
    fileprivate func precedes(_ left: CohortReading.Group, _ right: CohortReading.Group) -> Bool {
        if let orderedBy {
            let (left, right) = (left.values[orderedBy], right.values[orderedBy])
            if left.isBeforeByBytes(right) { return order == .ascending }
            if right.isBeforeByBytes(left) { return order != .ascending }
        } else if left.users != right.users {
            return (left.users < right.users) == (order == .ascending)
        }
        return GroupValues(left.values).precedes(GroupValues(right.values))
    }

    fileprivate func values(of kind: CohortMeasure.Kind, _ tally: CohortTally, users: Int64) -> [JSON] {
        let (revenue, counts) = (tally.revenue.map(\.millionths), tally.counts)
        switch kind {
        case .opens, .event:
            let figures = isUnique ? (isCumulative ? sums(tally.newDevices) : tally.devices) : isCumulative ? sums(counts) : counts
            return figures.map { number(Int128($0), users) }
        case .users: return (isCumulative ? sums(tally.newDevices) : tally.devices).map { number(Int128($0), users) }
        case .retention:
            return (isCumulative ? sums(tally.newDevices) : tally.devices).map { .ratio(Int128($0) * 1_000_000, users) }
        case .revenue:
            return (isCumulative ? sums(revenue) : revenue).map { isPerUser ? .ratio($0, users) : .millionths($0) }
        case .revenuePerUser: return (isCumulative ? sums(revenue) : revenue).map { .ratio($0, users) }
        case .lifetimeValue: return sums(revenue).map { .ratio($0, users) }
        case .revenuePerPayer:
            return isCumulative
                ? zip(sums(revenue), sums(tally.newDevices)).map(JSON.ratio) : zip(revenue, tally.devices).map(JSON.ratio)
        case .cost: return counts.map { _ in .null }
        }
    }

    private func number(_ count: Int128, _ users: Int64) -> JSON {
        isPerUser ? .ratio(count * 1_000_000, users) : .integer(Int64(count))
    }

    /// Returns running totals.
    private func sums<Number: AdditiveArithmetic>(_ values: [Number]) -> [Number] {
        var sum = Number.zero
        return values.map { value in
            sum += value
            return sum
        }
    }
}

extension JSON {
    /// Returns an amount in millionths divided by a number of devices; null if there are none.
    fileprivate static func ratio(_ millionths: Int128, _ devices: Int64) -> JSON {
        devices == 0 ? .null : .millionths(millionths / Int128(devices))
    }
}
