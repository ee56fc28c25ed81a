import LindenReporting

/// A figure of the overview.
enum OverviewMeasure: String, CaseIterable, Sendable {
    case clicks, installs, opens, events, revenue
    /// The share of installs that are attributed to a link or an ad.
    case matched

    var title: String {
        self == .matched ? "Matched installs" : rawValue.prefix(1).uppercased() + rawValue.dropFirst()
    }

    /// The topics that are counted, as the analytics call them.
    var topics: [Topic] {
        switch self {
        case .clicks: [.click]
        case .installs, .matched: [.install]
        case .opens: [.open]
        case .events, .revenue: [.commerceEvent, .contentEvent, .userLifecycleEvent, .customEvent]
        }
    }

    /// The question of the figure, with its parameters as the analytics page, the command line and HTTP name them.
    func question(_ period: OverviewPeriod) -> (question: AnalyticsQuestion, parameters: [(name: String, value: String)]) {
        var parameters = [
            (name: "from", value: period.rawValue), (name: "topic", value: topics.map(\.rawValue).joined(separator: ",")),
        ]
        guard self != .matched else { return (.top, parameters + [("by", Dimension.attributed.rawValue)]) }
        if self == .revenue { parameters.append(("aggregation", AnalyticsQuery.Aggregation.revenue.rawValue)) }
        if period == .day { parameters.append(("granularity", Granularity.hour.rawValue)) }
        if period.step > 1 { parameters.append(("granularity", Granularity.week.rawValue)) }
        return (.counts, parameters)
    }
}
