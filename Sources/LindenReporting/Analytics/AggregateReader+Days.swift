import Linden
import LindenKernel

extension AggregateReader {
    /// Returns the figures of the periods that are whole days in UTC, by their index, read at once rather than day by day. Empty if daily
    /// totals cannot answer the query.
    func dailyFigures(of periods: [AnalyticsSpan]) throws -> [Int: [GroupValues: Int128]] {
        guard query.isAnsweredByDailyTotals, let index = periods.firstIndex(where: \.isDayInUTC) else { return [:] }
        let days = periods[index...].prefix(while: \.isDayInUTC)
        guard days.count > 1, let first = days.first, let last = days.last else { return [:] }
        let time = first.start..<last.end
        let hours = time.lowerBound.hour..<time.upperBound.hour
        var totals = Array(repeating: AggregateTotals(), count: days.count)
        // Days follow each other without a gap.
        func day(_ hour: Int64) -> Int { Int((hour - hours.lowerBound) / 24) }
        for log in logs {
            for topic in query.topics where topic.log == log {
                try visitDailyTotals(of: topic, hours: hours) { totals[day($0)] += $1 }
            }
            let through = try reader.rolledUpThrough(log)
            try rows.visit(log, time, after: through, isErasureCounted: true) { activity, groups in
                if !groups.isEmpty { totals[day(IDGenerator.time(of: activity.id).hour)] += activity.figures }
            }
        }
        let figures = totals.map { total -> [GroupValues: Int128] in
            guard total.count > 0 else { return [:] }
            return [[]: query.aggregation == .revenue ? total.revenue.millionths : Int128(total.count)]
        }
        return Dictionary(uniqueKeysWithValues: zip(days.indices, figures))
    }

    private func visitDailyTotals(
        of topic: Topic, hours: Range<Int64>, _ body: (_ hour: Int64, AggregateTotals) throws -> Void
    ) throws {
        if query.isAboutUnattributed {
            try reader.visitDailyTotals(of: query.scope, topic, by: .link, value: "", hours: hours, body)
        } else {
            try reader.visitDailyTotals(of: query.scope, topic, hours: hours, body)
        }
    }
}

extension AnalyticsQuery {
    /// Whether daily totals without dimensions, or those of records without a link, answer the query for whole days.
    fileprivate var isAnsweredByDailyTotals: Bool {
        granularity == .day && dimensions.isEmpty && (filters.isEmpty || isAboutUnattributed) && asOf == nil
            && (aggregation == .totalCount || aggregation == .revenue)
    }

    /// Whether the only filter is `attributed=false`. False for events, which have a total for each name.
    fileprivate var isAboutUnattributed: Bool {
        guard filters.count == 1, let filter = filters.first, !filter.isNegated else { return false }
        return filter.dimension == .attributed && filter.values == ["false"] && topics.allSatisfy { $0.log != .events }
    }
}

extension AnalyticsSpan {
    fileprivate var isDayInUTC: Bool {
        start.milliseconds % Timestamp.millisecondsPerDay == 0
            && end.milliseconds - start.milliseconds == Timestamp.millisecondsPerDay
    }
}
