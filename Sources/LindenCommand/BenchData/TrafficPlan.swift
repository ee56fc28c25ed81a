import Linden

/// How much happens, and when. The same plan makes the same rows, but for the ids and keys of its apps.
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

    /// Everything is laid out in slots of ten minutes: within one, what happens later cannot follow from what happens sooner.
    static let slotsPerDay = 144
    static let slotMilliseconds = Timestamp.millisecondsPerDay / Int64(slotsPerDay)

    var slots: Int { days.count * Self.slotsPerDay }

    func start(of slot: Int) -> Int64 { days.lowerBound * Timestamp.millisecondsPerDay + Int64(slot) * Self.slotMilliseconds }

    /// What part of everything has happened by the end of each slot: little at night, much in the evening and at weekends, and a little
    /// more from day to day.
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

/// How many of so many things have happened slot by slot.
struct TrafficQuota {
    private let total: Int
    private var done = 0

    init(_ total: Int) {
        self.total = total
    }

    /// How many more are to happen until a share of everything has.
    mutating func next(until share: Double) -> Int {
        let due = share >= 1 ? total : Int((Double(total) * share).rounded(.up))
        defer { done = due }
        return due - done
    }
}
