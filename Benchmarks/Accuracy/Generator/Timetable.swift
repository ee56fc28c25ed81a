import LindenKernel

/// The weeks of a history, at fixed dates; the wall clock is not read.
enum Timetable {
    /// Monday, 2027-01-18, 00:00 UTC.
    static let start = Timestamp(milliseconds: 1_800_230_400_000)
    static let end = start + .hours(Double(Figures.weeks) * 7 * 24)

    private static let hours = Weighted(Figures.hours.enumerated().map { ($0.offset, $0.element) })

    /// Draws a time by the hourly distribution of clicks.
    static func anyTime(in region: Region, _ random: inout SeededRandom) -> Timestamp {
        let day = random.number(below: Figures.weeks * 7)
        return time(day: day, hour: Double(hours.pick(&random)) + random.unit(), in: region)
    }

    /// Draws a time within working hours.
    static func workingTime(in region: Region, _ random: inout SeededRandom) -> Timestamp {
        let day = random.number(below: Figures.weeks * 5)
        let hour = Double(Figures.officeHours.lowerBound) + random.unit() * Double(Figures.officeHours.count)
        return time(day: day / 5 * 7 + day % 5, hour: hour, in: region)
    }

    static func isAtWork(_ time: Timestamp, in region: Region) -> Bool {
        let hour = Int((time.milliseconds - start.milliseconds) / 3_600_000) + region.offset
        return hour >= 0 && hour / 24 % 7 < 5 && Figures.officeHours.contains(hour % 24)
    }

    /// - Parameter hour: the local hour of the day.
    private static func time(day: Int, hour: Double, in region: Region) -> Timestamp {
        start + .hours(Double(day * 24 - region.offset) + hour)
    }
}
