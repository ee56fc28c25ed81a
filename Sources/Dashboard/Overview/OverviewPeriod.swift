import LindenKernel
import LindenReporting

/// The time that the overview is about, as its address names it. It ends today, and is compared with as many days before.
enum OverviewPeriod: String, CaseIterable, Sendable {
    case day = "today"
    case week = "7d"
    case month = "30d"
    case quarter = "90d"

    /// The periods of several days.
    static let ofDays: [OverviewPeriod] = [.week, .month, .quarter]

    /// Reads a value of the address; 30 days for any other.
    init(named name: String, among periods: [OverviewPeriod] = allCases) {
        self = periods.first { $0.rawValue == name } ?? .month
    }

    var days: Int {
        switch self {
        case .day: 1
        case .week: 7
        case .month: 30
        case .quarter: 90
        }
    }

    /// The hours of the period and of the one before, counted since 1970 in UTC; of one day those that have begun, and the same of the day
    /// before.
    func hours(at now: Timestamp) -> [Range<Int64>] {
        let length = Int64(days) * 24
        let end = self == .day ? now.hour + 1 : (now.day + 1) * 24
        let start = (now.day + 1) * 24 - length
        return [start..<end, start - length..<end - length]
    }

    var label: String { self == .day ? "Today" : "\(days) days" }
    /// The period and the one before within a sentence.
    var name: String { self == .day ? "today" : "in the last \(days) days" }
    var previousName: String { self == .day ? "yesterday" : "in the \(days) days before" }

    /// The number of days, or of hours of one day, of a point of the chart.
    var step: Int { self == .quarter ? 7 : 1 }
    var stepName: String { self == .day ? "hour" : self == .quarter ? "week" : "day" }
}
