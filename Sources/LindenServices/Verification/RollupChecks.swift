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
                for dimension in unit == .hour ? Dimension.hourly : Dimension.daily {
                    let sums = try wholes(of: scope, topic, by: dimension, unit)
                    examined += Int64(totals.count)
                    for hour in Set(totals.keys).union(sums.keys) where totals[hour] != sums[hour] {
                        let place = place(scope, topic, dimension, unit, hour)
                        problems.append(
                            "\(place): the values have \(sums[hour]?.count ?? 0), the whole has \(totals[hour]?.count ?? 0).")
                    }
                }
            }
        }
        return CheckResult(examined: examined, problems: Array(problems.sorted().prefix(limit)))
    }

    private func wrongDays(limit: Int) throws -> CheckResult {
        var (examined, problems) = (Int64(0), [String]())
        for (scope, topic) in try counted() {
            for dimension in [nil] + Dimension.hourly {
                var differences: [Rollup.Key: AggregateTotals] = [:]
                for rollup in try reader.rollups(of: scope, topic, by: dimension, .hour, hours: day * 24..<day * 24 + 24) {
                    examined += 1
                    differences[rollup.key.ofDay, default: AggregateTotals()] += rollup.figures
                }
                for rollup in try reader.rollups(of: scope, topic, by: dimension, .day, hours: day * 24..<day * 24 + 24) {
                    differences[rollup.key, default: AggregateTotals()] += -rollup.figures
                }
                for (key, difference) in differences where difference != AggregateTotals() {
                    let place = place(scope, topic, dimension, .day, key.hour)
                    problems.append("\(place), \"\(key.name)\" \"\(key.value)\": the hours have \(difference.count) more.")
                }
            }
        }
        return CheckResult(examined: examined, problems: Array(problems.sorted().prefix(limit)))
    }

    /// Skips days with pruned rows, and dimensions whose values may have changed since they were counted.
    private func wrongDeviceCounts(limit: Int) throws -> CheckResult {
        let end = IDGenerator.first(at: Timestamp(hour: day * 24 + 24))
        var (examined, problems) = (Int64(0), [String]())
        for log in ActivityLog.allCases where try reader.devicesCountedThrough(log) + 1 >= end {
            guard try reader.prunedThrough(log) < IDGenerator.first(at: Timestamp(hour: day * 24)) else { continue }
            let staleDimensions = try findStaleDimensions(log)
            var wrong: Set<String> = []
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
                            let isRight = expected.removeValue(forKey: count.key) == count
                            if isSure, !isRight { wrong.insert(place(scope, topic, dimension, .day, day * 24)) }
                        }
                    }
                    if isSure { continue }
                    expected = expected.filter {
                        $0.key.scope != scope || $0.key.topic != topic || $0.key.dimension != dimension
                    }
                }
            }
            wrong.formUnion(expected.keys.map { place($0.scope, $0.topic, $0.dimension, .day, day * 24) })
            problems += wrong.map { $0 + ": the counts of devices are wrong." }
        }
        return CheckResult(examined: examined, problems: Array(problems.sorted().prefix(limit)))
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

    private func place(_ scope: Scope, _ topic: Topic, _ dimension: Dimension?, _ unit: Rollup.Unit, _ hour: Int64) -> String {
        let by = dimension.map { " by " + $0.rawValue } ?? ""
        let time = Timestamp(hour: hour).iso8601
        return "App \(scope.app) \(scope.mode.name) \(topic.rawValue)\(by), "
            + (unit == .hour ? time : "the day of \(time.prefix(10))")
    }

    /// Returns the totals over all names and values, for each hour or for the day.
    private func wholes(
        of scope: Scope, _ topic: Topic, by dimension: Dimension?, _ unit: Rollup.Unit
    ) throws -> [Int64: AggregateTotals] {
        try reader.rollups(of: scope, topic, by: dimension, unit, hours: day * 24..<day * 24 + 24)
            .reduce(into: [:]) { $0[$1.key.hour, default: AggregateTotals()] += $1.figures }
    }

    private func wrongRollups(limit: Int) throws -> CheckResult {
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
                for rollup in try reader.rollups(of: scope, topic, by: dimension, .hour, hours: hours) { scan.subtract(rollup) }
            }
            for rollup in try reader.rollups(of: scope, topic, by: .link, .day, hours: hours) { scan.subtract(rollup) }
            for (hour, changes) in try reader.rollupChanges(of: scope, topic, hours: hours) {
                scan.allow(changes, scope, topic, hour)
            }
        }
        return CheckResult(examined: examined, problems: Array(scan.problems(place).sorted().prefix(limit)))
    }
}

/// The differences between the totals of the rows and the counters.
private struct RollupScan {
    /// The unit of comparison: an hour or day of a topic and dimension.
    private struct Place: Hashable {
        let scope: Scope
        let topic: Topic
        let dimension: Dimension?
        let unit: Rollup.Unit
        let hour: Int64

        init(_ key: Rollup.Key) {
            self.init(key.scope, key.topic, key.dimension, key.unit, key.hour)
        }

        init(_ scope: Scope, _ topic: Topic, _ dimension: Dimension?, _ unit: Rollup.Unit, _ hour: Int64) {
            self.scope = scope
            self.topic = topic
            self.dimension = dimension
            self.unit = unit
            self.hour = hour
        }
    }

    /// The hour of the last pruned row of each log.
    var lastPrunedHour: [ActivityLog: Int64] = [:]
    private var differences: [Rollup.Key: AggregateTotals] = [:]
    /// The number of rows that may have been counted under another value.
    private var staleDimensions: [Place: Int64] = [:]
    private var removed: [Place: Int64] = [:]

    mutating func add(_ activity: AnalyticsRecord, _ values: inout CountedValues, _ reader: any RollupReader) throws {
        for key in activity.rollupKeys {
            let counted = try values.counted(key, reader)
            differences[counted, default: AggregateTotals()] += activity.figures
            if let dimension = key.dimension, activity.staleDimensions.contains(dimension) {
                staleDimensions[Place(key), default: 0] += 1
            }
        }
    }

    mutating func subtract(_ rollup: Rollup) {
        differences[rollup.key, default: AggregateTotals()] += -rollup.figures
    }

    mutating func allow(_ changes: RollupChanges, _ scope: Scope, _ topic: Topic, _ hour: Int64) {
        let hours = ([nil] + Dimension.hourly).map { Place(scope, topic, $0, .hour, hour) }
        for place in hours + [Place(scope, topic, .link, .day, hour / 24 * 24)] {
            removed[place, default: 0] += changes.removed
            if place.dimension != nil { staleDimensions[place, default: 0] += changes.moved }
        }
    }

    func problems(_ name: (Scope, Topic, Dimension?, Rollup.Unit, Int64) -> String) -> [String] {
        var (missing, excess, money): ([Place: Int64], [Place: Int64], Set<Place>) = ([:], [:], [])
        // Rows counted as `other` before another visitor introduced their value on the same day.
        var others: [Place: Int64] = [:]
        for (key, difference) in differences {
            let place = Place(key)
            if difference.count > 0 { missing[place, default: 0] += difference.count }
            if difference.count < 0 { excess[place, default: 0] -= difference.count }
            if difference.count < 0, key.name == Rollup.other || key.value == Rollup.other {
                others[place, default: 0] -= difference.count
            }
            if difference.count == 0, difference.revenue != MoneySum() { money.insert(place) }
        }
        return Set(missing.keys).union(excess.keys).union(money).compactMap { place in
            let (missing, excess) = (missing[place] ?? 0, excess[place] ?? 0)
            let (staleDimensions, removed) = (staleDimensions[place] ?? 0, removed[place] ?? 0)
            let isPruned = lastPrunedHour[place.topic.log].map { $0 >= place.hour } ?? false
            let isExplained =
                missing <= staleDimensions + others[place, default: 0]
                && (isPruned ? excess >= missing : excess - missing == removed)
            guard !isExplained || (money.contains(place) && staleDimensions + removed + others[place, default: 0] == 0 && !isPruned)
            else { return nil }
            return name(place.scope, place.topic, place.dimension, place.unit, place.hour)
                + ": \(missing) rows are not counted, \(excess) counted are no rows, of which \(removed) were deleted."
        }
    }
}
