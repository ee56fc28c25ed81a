import LindenKernel

/// The acts of the demo's months, in minutes from their start.
struct DemoCalendar {
    enum Act {
        case createLink(Int)
        case click
        /// A click by a person at the address of another who is about to install.
        case neighboursClick(DemoVisitor)
        /// An open by a user who did not click, by index.
        case open(Int)
        /// An install by a person who did not click.
        case organicInstall
        case install(DemoVisitor, clickID: String?)
        /// An open by a user who has just clicked a link.
        case openLink(Int, url: String)
        case event(Int, String)
        /// The users who share links spend credits.
        case redeem
    }

    static let minutesPerDay = 1440

    let start: Timestamp
    /// The number of minutes until the end.
    let minutes: Int
    private var acts: [[Act]]

    /// - Parameters:
    ///   - days: the number of days, of which the last is today.
    ///   - now: the end.
    init(days: Int64, until now: Timestamp) {
        start = Timestamp(milliseconds: (now.day - days + 1) * Timestamp.millisecondsPerDay)
        minutes = Int((now.milliseconds - start.milliseconds) / 60_000)
        // All of today, so that what happens does not depend on the hour of the demo.
        acts = Array(repeating: [], count: Int(days) * Self.minutesPerDay)
    }

    func time(of minute: Int) -> Timestamp { start + .seconds(Int64(minute) * 60) }

    /// Adds an act; does nothing after the last day.
    mutating func add(_ act: Act, at minute: Int) {
        if acts.indices.contains(minute) { acts[minute].append(act) }
    }

    func acts(at minute: Int) -> [Act] { acts[minute] }

    /// Adds links, clicks, installs and payments, with the weekdays' and hours' weights, and more from week to week.
    mutating func plan(clicksPerDay: Double, organicInstallsPerDay: Double, _ random: inout SeededRandom) {
        for (index, link) in DemoCatalog.links.enumerated() {
            add(.createLink(index), at: Int(link.from * Double(acts.count)) + index)
        }
        let hours = DemoCatalog.hours.reduce(0, +)
        for minute in DemoCatalog.links.count..<acts.count {
            let day = minute / Self.minutesPerDay
            let growth = 0.55 + 0.9 * Double(minute) / Double(acts.count)
            let weekday = DemoCatalog.weekdays[Int((start.day + Int64(day)) % 7)]
            let share = DemoCatalog.hours[minute / 60 % 24] / hours / 60 * growth * weekday
            if random.fraction() < clicksPerDay * share { add(.click, at: minute) }
            if random.fraction() < organicInstallsPerDay * share { add(.organicInstall, at: minute) }
        }
        for day in stride(from: 6, to: acts.count / Self.minutesPerDay, by: 7) {
            add(.redeem, at: day * Self.minutesPerDay + 18 * 60)
        }
    }
}
