import Linden
import LindenKernel

/// Reads the figures of one query, and records whether they are estimates and which rows are missing.
final class AggregateReader {
    private let query: AnalyticsQuery
    private let reader: any AnalyticsReader
    private let rows: ActivityReading
    private(set) var isEstimated = false
    private var groups = GroupLimit()

    /// - Parameter rowLimit: the maximum number of log rows to read; beyond it, reading fails with `invalid`.
    init(of query: AnalyticsQuery, from reader: any AnalyticsReader, rowLimit: Int) {
        self.query = query
        self.reader = reader
        rows = ActivityReading(of: query, from: reader, rowLimit: rowLimit)
    }

    /// The number of log rows read so far.
    var rowsRead: Int { rows.rowsRead }

    /// See ``AnalyticsAnswer/missing``.
    var missing: MissingRows { rows.missing }

    /// Returns the figure of each combination of values in a period.
    func figures(in period: AnalyticsSpan) throws -> [[String]: Int128] {
        guard query.aggregation.isCounted else { return [:] }
        guard query.aggregation != .uniqueCount else {
            let known = query.asOf.map(period.before) ?? period
            return try known.map(devices)?.mapValues { Int128($0) } ?? [:]
        }
        let sums = try sums(in: period.start..<period.end)
        return query.aggregation == .revenue ? sums.mapValues(\.revenue.millionths) : sums.mapValues { Int128($0.count) }
    }

    private var logs: Set<ActivityLog> { Set(query.topics.map(\.log)) }

    // MARK: Counts and revenue

    private func sums(in time: Range<Timestamp>) throws -> [[String]: AggregateTotals] {
        var sums: [[String]: AggregateTotals] = [:]
        let add = { (activity: AnalyticsRecord, groups: [[String]]) throws in
            let former = sums.count
            for values in groups { sums[values, default: AggregateTotals()] += activity.figures }
            try self.groups.check(sums.count, after: former, adding: groups)
        }
        if let label = query.countedLabelBesideAttribution { return try self.sums(of: label, besideAttributionIn: time) }
        guard let rollups = query.rollups else {
            for log in logs { try rows.visit(log, time, add) }
            return sums
        }
        let dimension = rollups.dimension
        let cover = RollupPlan(countedTime(time, by: dimension), units: Self.units(of: dimension))
        for log in logs {
            for (unit, hours) in cover.counters {
                for topic in query.topics where topic.log == log {
                    try reader.visitRollupSums(
                        of: query.scope, topic, by: dimension, named: query.isByName, unit, hours: hours
                    ) { sum in
                        let value = { (asked: Dimension) in
                            asked == .name ? topic.builtInName ?? sum.name : asked.value(counted: sum.value)
                        }
                        guard query.admits(value) else { return }
                        sums[query.dimensions.map(value), default: AggregateTotals()] += sum.figures
                        try GroupLimit.check(sums.count)
                    }
                }
                let through = try reader.rolledUpThrough(log)
                try rows.visit(log, hours.times, after: through, isErasureCounted: true, add)
                try rows.visitLater(log, hours.times, through: through) { activity, groups in
                    for values in groups { sums[values, default: AggregateTotals()] += -activity.figures }
                }
            }
            for rest in cover.rest { try rows.visit(log, rest, add) }
        }
        // Rows that moved to another label or came after ``AnalyticsQuery/asOf`` leave combinations with a count of 0.
        return sums.filter { $0.value.count > 0 }
    }

    /// Returns totals from the rollups of a label and of links combined. Every record with a label is attributed; for the others, the
    /// rollups of links say how many are.
    private func sums(of label: Dimension, besideAttributionIn time: Range<Timestamp>) throws -> [[String]: AggregateTotals] {
        var sums: [[String]: AggregateTotals] = [:]
        let add = { (activity: AnalyticsRecord, groups: [[String]]) throws in
            let former = sums.count
            for values in groups { sums[values, default: AggregateTotals()] += activity.figures }
            try self.groups.check(sums.count, after: former, adding: groups)
        }
        let cover = RollupPlan(countedTime(time, by: .link), units: Self.units(of: .link))
        for log in logs {
            for (unit, hours) in cover.counters {
                for topic in query.topics where topic.log == log {
                    var attributed: [String: AggregateTotals] = [:]
                    try reader.visitRollupSums(
                        of: query.scope, topic, by: .link, named: query.isByName, unit, hours: hours
                    ) { sum in
                        if !sum.value.isEmpty { attributed[sum.name, default: AggregateTotals()] += sum.figures }
                    }
                    var rest: [String: AggregateTotals] = [:]
                    func count(_ name: String, _ value: String, isAttributed: Bool, _ figures: AggregateTotals) {
                        let value = { (asked: Dimension) in
                            switch asked {
                            case .name: topic.builtInName ?? name
                            case .attributed: String(isAttributed)
                            default: value
                            }
                        }
                        if query.admits(value) { sums[query.dimensions.map(value), default: AggregateTotals()] += figures }
                    }
                    try reader.visitRollupSums(
                        of: query.scope, topic, by: label, named: query.isByName, unit, hours: hours
                    ) { sum in
                        if sum.value.isEmpty {
                            rest[sum.name, default: AggregateTotals()] += sum.figures
                        } else {
                            count(sum.name, sum.value, isAttributed: true, sum.figures)
                            attributed[sum.name, default: AggregateTotals()] += -sum.figures
                        }
                        try GroupLimit.check(sums.count)
                    }
                    for (name, figures) in attributed {
                        count(name, "", isAttributed: true, figures)
                        rest[name, default: AggregateTotals()] += -figures
                    }
                    for (name, figures) in rest { count(name, "", isAttributed: false, figures) }
                    try GroupLimit.check(sums.count)
                }
                let through = try reader.rolledUpThrough(log)
                try rows.visit(log, hours.times, after: through, isErasureCounted: true, add)
                try rows.visitLater(log, hours.times, through: through) { activity, groups in
                    for values in groups { sums[values, default: AggregateTotals()] += -activity.figures }
                }
            }
            for rest in cover.rest { try rows.visit(log, rest, add) }
        }
        return sums.filter { $0.value.count > 0 }
    }

    private static func units(of dimension: Dimension?) -> [Rollup.Unit] { dimension == .link ? [.day] : [.day, .hour] }

    /// Returns the time range to count. With an ``AnalyticsQuery/asOf``, it extends to the end of the hour or day of that moment, because
    /// only rollups include rows that were erased since; the rows that came later are subtracted.
    private func countedTime(_ time: Range<Timestamp>, by dimension: Dimension?) -> Range<Timestamp> {
        guard let asOf = query.asOf, asOf < time.upperBound, let unit = Self.units(of: dimension).last else { return time }
        let length = unit.rawValue * Timestamp.millisecondsPerHour
        let end = asOf.roundedUp(to: length)
        return time.lowerBound..<max(time.lowerBound, min(time.upperBound, end))
    }

    // MARK: Devices

    private func devices(in period: AnalyticsSpan) throws -> [[String]: Int64] {
        guard let rollups = query.rollups else { return try seenDevices(in: period.start..<period.end) }
        let dimension = rollups.dimension
        let cover = RollupPlan(period.start..<period.end, units: [.day])
        let isWithinDay = period.end.milliseconds - period.start.milliseconds <= Timestamp.millisecondsPerDay
        guard isWithinDay else { return try sketchedDevices(by: dimension, cover) }
        if cover.rest.isEmpty, let counted = try countedDevices(by: dimension, cover) { return counted }
        return try seenDevices(in: period.start..<period.end)
    }

    /// Returns the counts of one day. Nil if some devices of the day are not counted yet, or if several counts have the same values: these
    /// cannot be added, because a device may be in each.
    private func countedDevices(by dimension: Dimension?, _ cover: RollupPlan) throws -> [[String]: Int64]? {
        var counts: [[String]: Int64] = [:]
        for (_, hours) in cover.counters {
            for topic in query.topics {
                guard IDGenerator.first(at: hours.times.upperBound) <= (try reader.devicesCountedThrough(topic.log)) + 1 else {
                    return nil
                }
                var isUnique = true
                try visitDeviceCounts(of: topic, by: dimension, hours) { values, count in
                    isUnique = counts.updateValue(count.devices, forKey: values) == nil && isUnique
                    try GroupLimit.check(counts.count)
                }
                guard isUnique else { return nil }
            }
        }
        return counts
    }

    /// Returns estimates from the sketches of whole days, and from rows for the remainders.
    private func sketchedDevices(by dimension: Dimension?, _ cover: RollupPlan) throws -> [[String]: Int64] {
        var sketches: [[String]: DeviceSketch] = [:]
        let hash = try reader.deviceHash()
        let add = { (activity: AnalyticsRecord, groups: [[String]]) throws in
            guard let actor = activity.actor else { return }
            let former = sketches.count
            for values in groups {
                let growth = sketches[values, default: DeviceSketch()].insert(hash(actor))
                try self.groups.add(sketchBytes: growth)
            }
            try self.groups.check(sketches.count, after: former, adding: groups)
        }
        for (_, hours) in cover.counters {
            for topic in query.topics {
                try visitDeviceCounts(of: topic, by: dimension, hours) { values, count in
                    let growth = sketches[values, default: DeviceSketch()].merge(count.sketch)
                    try groups.add(sketchBytes: growth)
                    try GroupLimit.check(sketches.count)
                }
            }
            for log in logs { try rows.visit(log, hours.times, after: try reader.devicesCountedThrough(log), add) }
        }
        for log in logs {
            for rest in cover.rest { try rows.visit(log, rest, add) }
        }
        isEstimated = isEstimated || sketches.values.contains { !$0.isExact }
        return sketches.mapValues(\.estimate)
    }

    private func visitDeviceCounts(
        of topic: Topic, by dimension: Dimension?, _ hours: Range<Int64>,
        _ body: (_ values: [String], _ count: DeviceCount) throws -> Void
    ) throws {
        try reader.visitDeviceCounts(
            of: query.scope, topic, by: dimension, named: query.isByName && topic.log == .events,
            days: hours.lowerBound / 24..<hours.upperBound / 24
        ) { count in
            let value = { (asked: Dimension) in
                asked == .name ? topic.builtInName ?? count.key.name ?? "" : asked.value(counted: count.key.value)
            }
            if query.admits(value) { try body(query.dimensions.map(value), count) }
        }
    }

    /// Returns exact counts from rows.
    private func seenDevices(in time: Range<Timestamp>) throws -> [[String]: Int64] {
        var devices: [[String]: Set<Int64>] = [:]
        for log in logs {
            try rows.visit(log, time) { activity, groups in
                guard let actor = activity.actor else { return }
                let former = devices.count
                for values in groups { devices[values, default: []].insert(actor) }
                try self.groups.check(devices.count, after: former, adding: groups)
            }
        }
        return devices.mapValues { Int64($0.count) }
    }
}

extension Range<Int64> {
    /// The time range of a range of hours since 1970.
    fileprivate var times: Range<Timestamp> { Timestamp(hour: lowerBound)..<Timestamp(hour: upperBound) }
}
