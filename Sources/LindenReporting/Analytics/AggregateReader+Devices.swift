import Linden
import LindenKernel

/// Counts of distinct devices: exact within a day, else estimates from sketches.
extension AggregateReader {
    /// Returns the number of distinct devices of each combination of values in a period.
    func devices(in period: AnalyticsSpan) throws -> [GroupValues: Int64] {
        guard let rollups = query.rollups, rollups.haveDevices else { return try seenDevices(in: period.start..<period.end) }
        let dimension = rollups.dimension
        let cover = RollupPlan(period.start..<period.end, units: [.day])
        let isWithinDay = period.end.milliseconds - period.start.milliseconds <= Timestamp.millisecondsPerDay
        guard isWithinDay else { return try sketchedDevices(by: dimension, cover) }
        if cover.rest.isEmpty, let counted = try countedDevices(by: dimension, cover) { return counted }
        return try seenDevices(in: period.start..<period.end)
    }

    /// Returns the counts of one day. Nil if some devices of the day are not counted yet, or if several counts have the same values: these
    /// cannot be added, because a device may be in each.
    private func countedDevices(by dimension: Dimension?, _ cover: RollupPlan) throws -> [GroupValues: Int64]? {
        var counts: [GroupValues: Int64] = [:]
        for (_, hours) in cover.counters {
            for topic in query.topics {
                guard IDGenerator.first(at: hours.times.upperBound) <= (try reader.devicesCountedThrough(topic.log)) + 1 else {
                    return nil
                }
                var isUnique = true
                try visitDeviceCounts(of: topic, by: dimension, hours) { values, count in
                    let former = counts.count
                    isUnique = counts.updateValue(count.devices, forKey: values) == nil && isUnique
                    try groups.check(counts.count, after: former, adding: [values])
                }
                guard isUnique else { return nil }
            }
        }
        return counts
    }

    /// Returns estimates from the sketches of whole days, and from rows for the remainders.
    private func sketchedDevices(by dimension: Dimension?, _ cover: RollupPlan) throws -> [GroupValues: Int64] {
        var sketches: [GroupValues: DeviceSketch] = [:]
        let hash = try reader.deviceHash()
        let add = { (activity: AnalyticsRecord, groups: [GroupValues]) throws in
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
                    let former = sketches.count
                    let growth = sketches[values, default: DeviceSketch()].merge(count.sketch)
                    try groups.add(sketchBytes: growth)
                    try groups.check(sketches.count, after: former, adding: [values])
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
        _ body: (_ values: GroupValues, _ count: DeviceCount) throws -> Void
    ) throws {
        try reader.visitDeviceCounts(
            of: query.scope, topic, by: dimension, named: query.isByName && topic.log == .events,
            days: hours.lowerBound / 24..<hours.upperBound / 24
        ) { count in
            let value = { (asked: Dimension) in
                asked == .name ? topic.builtInName ?? count.key.name ?? "" : asked.value(counted: count.key.value)
            }
            if query.admits(value) { try body(GroupValues(query.dimensions.map(value)), count) }
        }
    }

    /// The most devices of all rows together that are counted exactly: about 100 MB.
    private static let mostDevices = 2_000_000

    /// Returns exact counts from rows.
    private func seenDevices(in time: Range<Timestamp>) throws -> [GroupValues: Int64] {
        var devices: [GroupValues: Set<Int64>] = [:]
        var pairs = 0
        for log in logs {
            try rows.visit(log, time) { activity, groups in
                guard let actor = activity.actor else { return }
                let former = devices.count
                for values in groups where devices[values, default: []].insert(actor).inserted { pairs += 1 }
                guard pairs <= Self.mostDevices else {
                    throw Failure.invalid(
                        "The result's rows have more than \(Self.mostDevices) devices together. Use a shorter span or a filter.")
                }
                try self.groups.check(devices.count, after: former, adding: groups)
            }
        }
        return devices.mapValues { Int64($0.count) }
    }
}

extension AnalyticsQuery.Rollups {
    /// Whether devices are counted beside the totals.
    fileprivate var haveDevices: Bool { self != .hours && (dimension.map(Dimension.daily.contains) ?? true) }
}
