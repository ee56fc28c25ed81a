/// Reads the figures of one question, and remembers how good they are.
final class FigureReading {
    private let query: AnalyticsQuery
    private let reader: any Reader
    private let rowLimit: Int
    /// How many rows of the logs it took.
    private(set) var rowsRead = 0
    private(set) var isEstimated = false
    /// See ``AnalyticsAnswer/rowsKeptSince``.
    private(set) var rowsKeptSince: Timestamp?

    /// - Parameter rowLimit: how many rows of the logs may be read.
    init(of query: AnalyticsQuery, from reader: any Reader, rowLimit: Int) {
        self.query = query
        self.reader = reader
        self.rowLimit = rowLimit
    }

    /// The figure of each combination of values in a period.
    func figures(in period: AnalyticsSpan) throws -> [[String]: Int128] {
        guard query.aggregation.isCounted else { return [:] }
        guard query.aggregation != .uniqueCount else { return try devices(in: period).mapValues { Int128($0) } }
        let sums = try sums(in: period.start..<period.end)
        return query.aggregation == .revenue ? sums.mapValues(\.revenue.millionths) : sums.mapValues { Int128($0.count) }
    }

    private var logs: Set<ActivityLog> { Set(query.topics.map(\.log)) }

    // MARK: How often, and for how much

    private func sums(in time: Range<Timestamp>) throws -> [[String]: Figures] {
        var sums: [[String]: Figures] = [:]
        let add = { (activity: Activity) in
            sums[self.query.dimensions.map(activity.value(of:)), default: Figures()] += activity.figures
        }
        guard let dimension = query.counted else {
            for log in logs { try visit(log, time, add) }
            return sums
        }
        let cover = RollupCover(time, units: dimension == .link ? [.day] : [.day, .hour])
        for log in logs {
            for (unit, hours) in cover.counters {
                for topic in query.topics where topic.log == log {
                    for sum in try reader.rollupSums(of: query.scope, topic, by: dimension, unit, hours: hours) {
                        let value = { (asked: Dimension) in asked == .name ? sum.name : sum.value }
                        guard query.admits(value) else { continue }
                        sums[query.dimensions.map(value), default: Figures()] += sum.figures
                    }
                }
                try visit(log, hours.times, after: try reader.rolledUpThrough(log), add)
            }
            for rest in cover.rest { try visit(log, rest, add) }
        }
        return sums
    }

    // MARK: Devices

    private func devices(in period: AnalyticsSpan) throws -> [[String]: Int64] {
        guard let dimension = query.counted else { return try seenDevices(in: period.start..<period.end) }
        let cover = RollupCover(period.start..<period.end, units: [.day])
        let isWithinDay = period.end.milliseconds - period.start.milliseconds <= Timestamp.millisecondsPerDay
        guard isWithinDay else { return try sketchedDevices(by: dimension, cover) }
        if cover.rest.isEmpty, let counted = try countedDevices(by: dimension, cover) { return counted }
        return try seenDevices(in: period.start..<period.end)
    }

    /// From the counts of one day, where each answers one row for itself: a device may be in several.
    private func countedDevices(by dimension: Dimension?, _ cover: RollupCover) throws -> [[String]: Int64]? {
        var counts: [[String]: Int64] = [:]
        for (_, hours) in cover.counters {
            for topic in query.topics {
                guard IDGenerator.first(at: hours.times.upperBound) <= (try reader.devicesCountedThrough(topic.log)) + 1 else {
                    return nil
                }
                for (values, count) in try deviceCounts(of: topic, by: dimension, hours) {
                    guard counts.updateValue(count.devices, forKey: values) == nil else { return nil }
                }
            }
        }
        return counts
    }

    /// From the sketches of whole days, and the rows of what they leave.
    private func sketchedDevices(by dimension: Dimension?, _ cover: RollupCover) throws -> [[String]: Int64] {
        var sketches: [[String]: DeviceSketch] = [:]
        let hash = try reader.deviceHash()
        let add = { (activity: Activity) in
            guard let actor = activity.actor else { return }
            sketches[self.query.dimensions.map(activity.value(of:)), default: DeviceSketch()].insert(hash(actor))
        }
        for (_, hours) in cover.counters {
            for topic in query.topics {
                for (values, count) in try deviceCounts(of: topic, by: dimension, hours) {
                    sketches[values, default: DeviceSketch()].merge(count.sketch)
                }
            }
            for log in logs { try visit(log, hours.times, after: try reader.devicesCountedThrough(log), add) }
        }
        for log in logs {
            for rest in cover.rest { try visit(log, rest, add) }
        }
        isEstimated = isEstimated || sketches.values.contains { !$0.isExact }
        return sketches.mapValues(\.estimate)
    }

    private func deviceCounts(
        of topic: Topic, by dimension: Dimension?, _ hours: Range<Int64>
    ) throws -> [(values: [String], count: DeviceCount)] {
        try reader.deviceCounts(
            of: query.scope, topic, by: dimension, named: query.isByName && topic.log == .events,
            days: hours.lowerBound / 24..<hours.upperBound / 24
        ).compactMap { count in
            let value = { (asked: Dimension) in asked == .name ? count.key.name ?? "" : count.key.value }
            return query.admits(value) ? (query.dimensions.map(value), count) : nil
        }
    }

    /// From the rows.
    private func seenDevices(in time: Range<Timestamp>) throws -> [[String]: Int64] {
        var devices: [[String]: Set<Int64>] = [:]
        for log in logs {
            try visit(log, time) { activity in
                guard let actor = activity.actor else { return }
                devices[query.dimensions.map(activity.value(of:)), default: []].insert(actor)
            }
        }
        return devices.mapValues { Int64($0.count) }
    }

    // MARK: Rows

    /// - Parameter counted: the last id that is to be left out.
    private func visit(
        _ log: ActivityLog, _ time: Range<Timestamp>, after counted: Int64 = 0, _ body: (Activity) -> Void
    ) throws {
        let first = max(IDGenerator.first(at: time.lowerBound), counted + 1)
        let end = IDGenerator.first(at: time.upperBound)
        guard first < end else { return }
        try noteMissingRows(log, from: first)
        let topics = Set(query.topics)
        try reader.activities(in: log, of: query.scope, from: first, before: end, named: query.eventName) { activity in
            rowsRead += 1
            guard rowsRead <= rowLimit else {
                throw Failure.invalid(
                    "This would read more than \(rowLimit) rows. Ask for a shorter span, or by one dimension, which is counted beforehand."
                )
            }
            guard topics.contains(activity.topic), query.admits(activity.value(of:)) else { return }
            body(activity)
        }
    }

    private func noteMissingRows(_ log: ActivityLog, from first: Int64) throws {
        let pruned = try reader.prunedBefore(log)
        guard first < pruned else { return }
        let since = pruned == .max ? reader.now : IDGenerator.time(of: pruned)
        rowsKeptSince = max(rowsKeptSince ?? since, since)
    }
}

extension Range<Int64> {
    /// From hours since 1970.
    fileprivate var times: Range<Timestamp> { Timestamp(hour: lowerBound)..<Timestamp(hour: upperBound) }
}
