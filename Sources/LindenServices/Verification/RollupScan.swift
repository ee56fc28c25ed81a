import Linden
import LindenKernel
import LindenReporting

/// The differences between the totals of the rows and the counters.
struct RollupScan {
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
        for place in hours + Dimension.dailyOnly(of: topic).map({ Place(scope, topic, $0, .day, hour / 24 * 24) }) {
            removed[place, default: 0] += changes.removed
            if place.dimension != nil { staleDimensions[place, default: 0] += changes.moved }
        }
    }

    /// The places whose totals are not what the rows add up to, sorted.
    func problems(_ name: (Scope, Topic, Dimension?, Rollup.Unit, Int64) -> String) -> [String] {
        wrongPlaces().map { place, missing, excess in
            name(place.scope, place.topic, place.dimension, place.unit, place.hour)
                + ": \(missing) rows are not counted, \(excess) counted are no rows, of which \(removed[place] ?? 0) were deleted."
        }
        .sorted()
    }

    /// What to add to the counters of the wrong places.
    ///
    /// - Returns: the differences, of places all of whose rows are there under the values they were counted by; and whether these are all.
    func corrections() -> (rollups: [Rollup], isComplete: Bool) {
        let wrong = Set(wrongPlaces().map(\.place))
        let derivable = wrong.filter { (staleDimensions[$0] ?? 0) + (removed[$0] ?? 0) == 0 && !isPruned($0) }
        let rollups = differences.filter { $0.value != AggregateTotals() && derivable.contains(Place($0.key)) }
        return (rollups.map { Rollup(key: $0.key, figures: $0.value) }, derivable.count == wrong.count)
    }

    private func isPruned(_ place: Place) -> Bool { lastPrunedHour[place.topic.log].map { $0 >= place.hour } ?? false }

    private func wrongPlaces() -> [(place: Place, missing: Int64, excess: Int64)] {
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
            let isPruned = isPruned(place)
            let isExplained =
                missing <= staleDimensions + others[place, default: 0]
                && (isPruned ? excess >= missing : excess - missing == removed)
            guard !isExplained || (money.contains(place) && staleDimensions + removed + others[place, default: 0] == 0 && !isPruned)
            else { return nil }
            return (place, missing, excess)
        }
    }
}
