/// The time that the overview is about, as its address names it. It ends today, and is compared with as many days before.
enum OverviewPeriod: String, CaseIterable, Sendable {
    case week = "7d"
    case month = "30d"
    case quarter = "90d"

    /// Reads a value of the address; 30 days for any other.
    init(named name: String) { self = OverviewPeriod(rawValue: name) ?? .month }

    var days: Int {
        switch self {
        case .week: 7
        case .month: 30
        case .quarter: 90
        }
    }

    /// The number of days of a point of the chart.
    var step: Int { self == .quarter ? 7 : 1 }
    var stepName: String { self == .quarter ? "week" : "day" }
}
