import LindenKernel

/// A rollup plan: splits a time range into the largest rollup buckets and the remainders to read from raw rows.
struct RollupPlan: Equatable {
    /// Ranges of hours since 1970 in UTC, with the bucket size to read them in.
    private(set) var counters: [(unit: Rollup.Unit, hours: Range<Int64>)] = []
    private(set) var rest: [Range<Timestamp>] = []

    /// - Parameter units: the bucket sizes that are available, largest first.
    init(_ time: Range<Timestamp>, units: [Rollup.Unit]) {
        cover(time, units[...])
    }

    private mutating func cover(_ time: Range<Timestamp>, _ units: ArraySlice<Rollup.Unit>) {
        guard !time.isEmpty else { return }
        guard let unit = units.first else { return rest.append(time) }
        let length = unit.rawValue * Timestamp.millisecondsPerHour
        let (start, end) = (time.lowerBound.roundedUp(to: length), time.upperBound.roundedDown(to: length))
        guard start < end else { return cover(time, units.dropFirst()) }
        cover(time.lowerBound..<start, units.dropFirst())
        counters.append((unit, start.hour..<end.hour))
        cover(end..<time.upperBound, units.dropFirst())
    }

    static func == (left: RollupPlan, right: RollupPlan) -> Bool {
        left.rest == right.rest && left.counters.elementsEqual(right.counters, by: ==)
    }
}
