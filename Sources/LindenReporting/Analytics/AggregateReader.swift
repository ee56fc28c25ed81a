import Linden
import LindenKernel

/// Reads the figures of one query, and records whether they are estimates and which rows are missing.
final class AggregateReader {
    let query: AnalyticsQuery
    let reader: any AnalyticsReader
    let rows: ActivityReading
    /// See ``AnalyticsAnswer/isEstimated``.
    var isEstimated = false
    var groups = GroupLimit()

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
    func figures(in period: AnalyticsSpan) throws -> [GroupValues: Int128] {
        guard query.aggregation.isCounted else { return [:] }
        guard query.aggregation != .uniqueCount else {
            let known = query.asOf.map(period.before) ?? period
            return try known.map(devices)?.mapValues { Int128($0) } ?? [:]
        }
        let sums = try sums(in: period.start..<period.end)
        return query.aggregation == .revenue ? sums.mapValues(\.revenue.millionths) : sums.mapValues { Int128($0.count) }
    }

    var logs: Set<ActivityLog> { Set(query.topics.map(\.log)) }

    // MARK: Counts and revenue

    private func sums(in time: Range<Timestamp>) throws -> [GroupValues: AggregateTotals] {
        var sums: [GroupValues: AggregateTotals] = [:]
        let add = { (activity: AnalyticsRecord, groups: [GroupValues]) throws in
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
        let units = rollups == .hours ? [.hour] : Self.units(of: dimension)
        let cover = RollupPlan(countedTime(time, by: dimension), units: units)
        for log in logs {
            for (unit, hours) in cover.counters {
                for topic in query.topics where topic.log == log {
                    try visitSums(of: topic, rollups, unit, hours) { sum in
                        let value = { (asked: Dimension) in
                            asked == .name ? topic.builtInName ?? sum.name : asked.value(counted: sum.value)
                        }
                        guard query.admits(value) else { return }
                        let (values, former) = (GroupValues(query.dimensions.map(value)), sums.count)
                        sums[values, default: AggregateTotals()] += sum.figures
                        try groups.check(sums.count, after: former, adding: [values])
                    }
                }
                let through = try reader.rolledUpThrough(log)
                // The rows that are not aggregated yet; then, subtracted, those that came after the moment of the query.
                try rows.visit(log, hours.times, after: through, isErasureCounted: true, add)
                try rows.visitLater(log, hours.times, through: through) { activity, groups in
                    for values in groups { sums[values, default: AggregateTotals()] += -activity.figures }
                }
            }
            for rest in cover.rest { try rows.visit(log, rest, add) }
        }
        // Rows that moved to another label or came after ``AnalyticsQuery/asOf`` leave combinations with a count of 0. The others are not
        // copied: they may take tens of MB.
        for values in sums.filter({ $0.value.count <= 0 }).keys { sums[values] = nil }
        return sums
    }

    private func visitSums(
        of topic: Topic, _ rollups: AnalyticsQuery.Rollups, _ unit: Rollup.Unit, _ hours: Range<Int64>,
        _ body: (Rollup.Sum) throws -> Void
    ) throws {
        guard rollups == .hours else { return try visitSums(of: topic, by: rollups.dimension, unit, hours, body) }
        try reader.visitRollups(of: query.scope, topic, by: nil, unit, hours: hours) { rollup in
            let hour = query.span.hourOfDay(of: Timestamp(hour: rollup.key.hour))
            try body(Rollup.Sum(name: rollup.key.name, value: hour, figures: rollup.figures))
        }
    }

    /// Visits the sums of some days at a time, because the database sorts all rollups of them in memory: of 20,000 values a day, or of 100,000
    /// combinations with names of events, some 40 MB. Those of an hour need not be sorted by name, and each of 23 hours may have as many.
    private func visitSums(
        of topic: Topic, by dimension: Dimension?, _ unit: Rollup.Unit, _ hours: Range<Int64>, _ body: (Rollup.Sum) throws -> Void
    ) throws {
        let days: Int64 = query.isByName && dimension != nil ? 1 : 4
        let step = unit == .hour && dimension != nil ? 1 : days * 24
        for first in stride(from: hours.lowerBound, to: hours.upperBound, by: Int(step)) {
            try reader.visitRollupSums(
                of: query.scope, topic, by: dimension, named: query.isByName, unit,
                hours: first..<min(first + step, hours.upperBound), body)
        }
    }

    /// Returns totals from the rollups of a label and of links combined. Every record with a label is attributed; for the others, the
    /// rollups of links say how many are.
    private func sums(of label: Dimension, besideAttributionIn time: Range<Timestamp>) throws -> [GroupValues: AggregateTotals] {
        var sums: [GroupValues: AggregateTotals] = [:]
        let add = { (activity: AnalyticsRecord, groups: [GroupValues]) throws in
            let former = sums.count
            for values in groups { sums[values, default: AggregateTotals()] += activity.figures }
            try self.groups.check(sums.count, after: former, adding: groups)
        }
        let cover = RollupPlan(countedTime(time, by: .link), units: Self.units(of: .link))
        for log in logs {
            for (unit, hours) in cover.counters {
                for topic in query.topics where topic.log == log {
                    typealias Totals = [BytewiseText: AggregateTotals]
                    var (attributed, rest) = (Totals(), Totals())
                    var names = GroupLimit()
                    func total(_ figures: AggregateTotals, of name: String, in totals: inout Totals) throws {
                        guard query.filters.allSatisfy({ $0.dimension != .name || $0.admits(topic.builtInName ?? name) }) else {
                            return
                        }
                        let former = totals.count
                        totals[BytewiseText(name), default: AggregateTotals()] += figures
                        try names.check(totals.count, after: former, adding: [GroupValues([name])])
                    }
                    try visitSums(of: topic, by: .link, unit, hours) { sum in
                        if !sum.value.isEmpty { try total(sum.figures, of: sum.name, in: &attributed) }
                    }
                    func count(_ name: String, _ value: String, isAttributed: Bool, _ figures: AggregateTotals) throws {
                        let value = { (asked: Dimension) in
                            switch asked {
                            case .name: topic.builtInName ?? name
                            case .attributed: String(isAttributed)
                            default: value
                            }
                        }
                        guard query.admits(value) else { return }
                        let (values, former) = (GroupValues(query.dimensions.map(value)), sums.count)
                        sums[values, default: AggregateTotals()] += figures
                        try groups.check(sums.count, after: former, adding: [values])
                    }
                    try visitSums(of: topic, by: label, unit, hours) { sum in
                        if sum.value.isEmpty {
                            try total(sum.figures, of: sum.name, in: &rest)
                        } else {
                            try count(sum.name, sum.value, isAttributed: true, sum.figures)
                            try total(-sum.figures, of: sum.name, in: &attributed)
                        }
                    }
                    for (name, figures) in attributed {
                        try count(name.text, "", isAttributed: true, figures)
                        try total(-figures, of: name.text, in: &rest)
                    }
                    for (name, figures) in rest { try count(name.text, "", isAttributed: false, figures) }
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

    private static func units(of dimension: Dimension?) -> [Rollup.Unit] {
        dimension.map(Dimension.hourly.contains) ?? true ? [.day, .hour] : [.day]
    }

    /// Returns the time range to count. With an ``AnalyticsQuery/asOf``, it extends to the end of the hour or day of that moment, because
    /// only rollups include rows that were erased since; the rows that came later are subtracted.
    private func countedTime(_ time: Range<Timestamp>, by dimension: Dimension?) -> Range<Timestamp> {
        guard let asOf = query.asOf, asOf < time.upperBound, let unit = Self.units(of: dimension).last else { return time }
        let length = unit.rawValue * Timestamp.millisecondsPerHour
        let end = asOf.roundedUp(to: length)
        return time.lowerBound..<max(time.lowerBound, min(time.upperBound, end))
    }
}

/// The rollups that a query is answered from.
extension AnalyticsQuery {
    /// The rollups that can answer a query.
    enum Rollups: Sendable, Equatable {
        /// Those without a dimension.
        case total
        case by(Dimension)
        /// Those without a dimension, of each hour.
        case hours

        var dimension: Dimension? {
            switch self {
            case .total, .hours: nil
            case .by(let dimension): dimension
            }
        }
    }

    /// The rollups that can answer the query; nil if only rows can.
    var rollups: Rollups? {
        let asked = Set(dimensions + filters.map(\.dimension)).subtracting([.name])
        if asked == [.hourOfDay] { return span.hasHoursOfUTC ? .hours : nil }
        let counters = asked.map { $0.counter(of: topics) }
        guard let first = counters.first else { return .total }
        guard let counter = first, counters.allSatisfy({ $0 == counter }) else { return nil }
        return .by(counter)
    }

    /// The label that is queried together with ``Dimension/attributed`` and with no other dimension except names of events; nil otherwise.
    var countedLabelBesideAttribution: Dimension? {
        let asked = Set(dimensions + filters.map(\.dimension)).subtracting([.name])
        guard asked.count == 2, asked.contains(.attributed) else { return nil }
        return asked.first { [.channel, .campaign, .feature].contains($0) }
    }

    /// Whether the query distinguishes names of events.
    var isByName: Bool { dimensions.contains(.name) || filters.contains { $0.dimension == .name } }
}

extension Range<Int64> {
    /// The time range of a range of hours since 1970.
    var times: Range<Timestamp> { Timestamp(hour: lowerBound)..<Timestamp(hour: upperBound) }
}
