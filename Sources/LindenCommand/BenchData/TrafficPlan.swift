import LindenKernel

/// The amounts and days of synthetic traffic. A plan always produces the same rows, except for the ids and keys of its apps.
struct TrafficPlan: Sendable {
    var seed: UInt64
    /// Days since 1970-01-01 in UTC.
    var days: ClosedRange<Int64>
    var apps: Int
    var links: Int
    var clicks: Int
    var installs: Int
    var opens: Int
    var events: Int

    /// The number of time slots per day, of ten minutes each. Rows of a slot refer only to users and clicks of earlier slots.
    static let slotsPerDay = 144
    static let slotMilliseconds = Timestamp.millisecondsPerDay / Int64(slotsPerDay)

    var slots: Int { days.count * Self.slotsPerDay }

    func start(of slot: Int) -> Int64 { days.lowerBound * Timestamp.millisecondsPerDay + Int64(slot) * Self.slotMilliseconds }

    /// The cumulative fraction of all rows due by the end of each slot. The rate is low at night, high in the evening and at weekends, and
    /// grows by one percent of the first day's rate from day to day.
    func shares() -> [Double] {
        var sum = 0.0
        let sums = (0..<slots).map { slot in
            let day = slot / Self.slotsPerDay
            let isWeekend = [2, 3].contains((days.lowerBound + Int64(day)) % 7)
            sum += Self.hours[slot % Self.slotsPerDay / 6] * (isWeekend ? 1.3 : 1) * (1 + 0.01 * Double(day))
            return sum
        }
        return sums.map { $0 / sum }
    }

    private static let hours: [Double] = [
        3, 2, 1, 1, 1, 2, 4, 6, 7, 7, 7, 8, 9, 8, 7, 7, 8, 9, 11, 13, 14, 13, 9, 5,
    ]
}

/// A counter that spreads a total over the slots.
struct TrafficQuota {
    private let total: Int
    private var done = 0

    init(_ total: Int) {
        self.total = total
    }

    /// Returns how many more items are due when the given fraction of the total is reached.
    mutating func next(until share: Double) -> Int {
        let due = share >= 1 ? total : Int((Double(total) * share).rounded(.up))
        defer { done = due }
        return due - done
    }
}
