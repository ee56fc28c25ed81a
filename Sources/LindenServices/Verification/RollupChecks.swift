import Linden
import LindenKernel
import LindenReporting

/// The consistency checks of the counters of apps against the rows of one day.
package struct RollupChecks {
    let reader: any DeviceCountingReader
    let day: Int64

    /// - Parameter day: days since 1970 in UTC; nil for today, as far as it is aggregated.
    package static func all(day: Int64?) -> [Check] {
        [
            Check("rollups.rows", "The counters of the day are what its rows add up to, but for rows that are no longer there.") {
                try RollupChecks(reader: $0, day: day ?? $0.now.day).wrongRollups(limit: CheckResult.mostProblems)
            },
            Check("rollups.dimensions", "In each hour and dimension, the counters of the values add up to the whole.") {
                try RollupChecks(reader: $0, day: day ?? $0.now.day).incompleteRollups(limit: CheckResult.mostProblems)
            },
            Check("rollups.days", "The counters of the day are those of its hours together.") {
                try RollupChecks(reader: $0, day: day ?? $0.now.day).wrongDays(limit: CheckResult.mostProblems)
            },
            Check("rollups.devices", "The devices of a day that is over are those of its rows.") {
                try RollupChecks(reader: $0, day: day ?? $0.now.day).wrongDeviceCounts(limit: CheckResult.mostProblems)
            },
        ]
    }

    private func incompleteRollups(limit: Int) throws -> CheckResult {
        var (examined, problems) = (Int64(0), [String]())
        for (scope, topic) in try counted() {
            for unit in Rollup.Unit.allCases {
                let totals = try wholes(of: scope, topic, by: nil, unit)
                for dimension in unit == .hour ? Dimension.hourly : Dimension.hourly + Dimension.dailyOnly(of: topic) {
                    let sums = try wholes(of: scope, topic, by: dimension, unit)
                    examined += Int64(totals.count)
                    for hour in Set(totals.keys).union(sums.keys) where totals[hour] != sums[hour] {
                        let place = Self.place(scope, topic, dimension, unit, hour)
                        problems.append(
                            "\(place): the values have \(sums[hour]?.count ?? 0), the whole has \(totals[hour]?.count ?? 0).")
                    }
                }
            }
        }
        return CheckResult(examined: examined, problems: Array(problems.sorted().prefix(limit)))
    }

    private func wrongDays(limit: Int) throws -> CheckResult {
        let (differences, examined) = try dayDifferences()
        let problems = differences.map { key, difference in
            let place = Self.place(key.scope, key.topic, key.dimension, .day, key.hour)
            return "\(place), \"\(key.name)\" \"\(key.value)\": the hours have \(difference.count) more."
        }
        return CheckResult(examined: examined, problems: Array(problems.sorted().prefix(limit)))
    }

    /// What to add to the counters of the day, so that they are those of its hours after their correction. Nothing if that is not possible
    /// for all hours.
    func dayCorrections() throws -> [Rollup] {
        let (hours, isComplete) = try rowCorrections()
        guard isComplete else { return [] }
        var differences = try dayDifferences().differences
        for hour in hours where hour.key.unit == .hour { differences[hour.key.ofDay, default: AggregateTotals()] += hour.figures }
        return differences.filter { $0.value != AggregateTotals() }.map { Rollup(key: $0.key, figures: $0.value) }
    }

    /// What the hours of the day have more than the day, where they differ.
    private func dayDifferences() throws -> (differences: [Rollup.Key: AggregateTotals], examined: Int64) {
        var (examined, differences) = (Int64(0), [Rollup.Key: AggregateTotals]())
        for (scope, topic) in try counted() {
            for dimension in [nil] + Dimension.hourly {
                try reader.visitRollups(of: scope, topic, by: dimension, .hour, hours: day * 24..<day * 24 + 24) { rollup in
                    examined += 1
                    differences[rollup.key.ofDay, default: AggregateTotals()] += rollup.figures
                }
                try reader.visitRollups(of: scope, topic, by: dimension, .day, hours: day * 24..<day * 24 + 24) { rollup in
                    differences[rollup.key, default: AggregateTotals()] += -rollup.figures
                }
            }
        }
        return (differences.filter { $0.value != AggregateTotals() }, examined)
    }

    private func wrongDeviceCounts(limit: Int) throws -> CheckResult {
        let (corrections, examined) = try deviceCorrections()
        let places = Set(corrections.keys.map { Self.place($0.scope, $0.topic, $0.dimension, .day, day * 24) })
        let problems = places.map { $0 + ": the counts of devices are wrong." }
        return CheckResult(examined: examined, problems: Array(problems.sorted().prefix(limit)))
    }

    /// The wrong counts of devices with the right ones; nil for those of no row. Skips days with pruned rows, and dimensions whose values may
    /// have changed since they were counted.
    func deviceCorrections() throws -> (corrections: [DeviceCount.Key: DeviceCount?], examined: Int64) {
        let end = IDGenerator.first(at: Timestamp(hour: day * 24 + 24))
        var (examined, corrections) = (Int64(0), [DeviceCount.Key: DeviceCount?]())
        for log in ActivityLog.allCases where try reader.devicesCountedThrough(log) + 1 >= end {
            guard try reader.prunedThrough(log) < IDGenerator.first(at: Timestamp(hour: day * 24)) else { continue }
            let staleDimensions = try findStaleDimensions(log)
            var expected: [DeviceCount.Key: DeviceCount] = [:]
            let (counter, dimensions) = (DeviceCounter(reader: reader), [nil] + Dimension.daily)
            let parts = try counter.parts(of: log, on: day, by: dimensions)
            for part in 0..<parts.counts {
                for count in try counter.counts(in: log, on: day, by: dimensions, part: part, of: parts) {
                    expected[count.key] = count
                }
            }
            for dimension in [nil] + Dimension.daily {
                for (scope, topic) in try counted() where topic.log == log {
                    let hasChanged = try !reader.rollupChanges(of: scope, topic, hours: day * 24..<day * 24 + 24).isEmpty
                    let isSure = !hasChanged && !(dimension.map(staleDimensions.contains) ?? false)
                    for named in log == .events ? [true, false] : [false] {
                        try reader.visitDeviceCounts(of: scope, topic, by: dimension, named: named, days: day..<day + 1) { count in
                            examined += 1
                            let right = expected.removeValue(forKey: count.key)
                            if isSure, right != count { corrections.updateValue(right, forKey: count.key) }
                        }
                    }
                    if isSure { continue }
                    expected = expected.filter {
                        $0.key.scope != scope || $0.key.topic != topic || $0.key.dimension != dimension
                    }
                }
            }
            for (key, count) in expected { corrections.updateValue(count, forKey: key) }
        }
        return (corrections, examined)
    }

    private func findStaleDimensions(_ log: ActivityLog) throws -> Set<Dimension> {
        var staleDimensions: Set<Dimension> = []
        let (first, end) = (IDGenerator.first(at: Timestamp(hour: day * 24)), IDGenerator.first(at: Timestamp(hour: day * 24 + 24)))
        try reader.activities(in: log, of: nil, from: first, before: end, named: nil) {
            staleDimensions.formUnion($0.staleDimensions)
        }
        return staleDimensions
    }

    private func counted() throws -> [(Scope, Topic)] {
        try reader.scopesWithRollups().flatMap { scope in Topic.allCases.map { (scope, $0) } }
    }

    static func place(_ scope: Scope, _ topic: Topic, _ dimension: Dimension?, _ unit: Rollup.Unit, _ hour: Int64) -> String {
        let by = dimension.map { " by " + $0.rawValue } ?? ""
        let time = Timestamp(hour: hour).iso8601
        return "App \(scope.app) \(scope.mode.name) \(topic.rawValue)\(by), "
            + (unit == .hour ? time : "the day of \(time.prefix(10))")
    }

    /// Returns the totals over all names and values, for each hour or for the day.
    private func wholes(
        of scope: Scope, _ topic: Topic, by dimension: Dimension?, _ unit: Rollup.Unit
    ) throws -> [Int64: AggregateTotals] {
        var wholes: [Int64: AggregateTotals] = [:]
        try reader.visitRollups(of: scope, topic, by: dimension, unit, hours: day * 24..<day * 24 + 24) {
            wholes[$0.key.hour, default: AggregateTotals()] += $0.figures
        }
        return wholes
    }

    private func wrongRollups(limit: Int) throws -> CheckResult {
        let (scan, examined) = try scan()
        return CheckResult(examined: examined, problems: Array(scan.problems(Self.place).prefix(limit)))
    }

    /// What to add to the counters of hours, and of days where hours have none, that are not what the rows add up to.
    func rowCorrections() throws -> (rollups: [Rollup], isComplete: Bool) { try scan().scan.corrections() }

    private func scan() throws -> (scan: RollupScan, examined: Int64) {
        var scan = RollupScan()
        let (start, end) = (IDGenerator.first(at: Timestamp(hour: day * 24)), IDGenerator.first(at: Timestamp(hour: day * 24 + 24)))
        var (examined, values) = (Int64(0), CountedValues(day: day))
        for log in ActivityLog.allCases {
            let pruned = try reader.prunedThrough(log)
            if pruned > 0 { scan.lastPrunedHour[log] = IDGenerator.time(of: pruned).hour }
            try reader.activities(in: log, of: nil, from: start, before: min(end, try reader.rolledUpThrough(log) + 1), named: nil)
            { activity in
                examined += 1
                try scan.add(activity, &values, reader)
            }
        }
        for (scope, topic) in try counted() {
            let hours = day * 24..<day * 24 + 24
            for dimension in [nil] + Dimension.hourly {
                try reader.visitRollups(of: scope, topic, by: dimension, .hour, hours: hours) { scan.subtract($0) }
            }
            for dimension in Dimension.dailyOnly(of: topic) {
                try reader.visitRollups(of: scope, topic, by: dimension, .day, hours: hours) { scan.subtract($0) }
            }
            for (hour, changes) in try reader.rollupChanges(of: scope, topic, hours: hours) {
                scan.allow(changes, scope, topic, hour)
            }
        }
        return (scan, examined)
    }
}
