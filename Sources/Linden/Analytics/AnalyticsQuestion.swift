/// A kind of analytics question. The command line and HTTP use the same parameters with the same defaults.
package enum AnalyticsQuestion: String, Sendable, CaseIterable {
    case counts, top, funnel, cohort, attribution
    case lifetimeValue = "ltv"

    /// The names of its parameters over HTTP. Options of the command line have hyphens in place of the underscores.
    package var parameters: [String] {
        let common = ["app", "from", "to", "timezone"]
        return switch self {
        case .counts:
            common + [
                "topic", "by", "filter", "aggregation", "granularity", "ordered", "ordered_by", "zero_fill", "limit", "after",
            ]
        case .top: common + ["topic", "by", "filter", "aggregation", "limit", "after"]
        case .funnel: common + ["by", "event", "days"]
        case .cohort: common + ["days"]
        case .lifetimeValue: common + ["by", "days"]
        case .attribution: common
        }
    }
}

extension AnalyticsParameters {
    /// The default values of parameters.
    package enum Standard {
        package static let from = "7d"
        package static let timezone = "UTC"
        package static let topic = "click"
        package static let aggregation = "total_count"
        package static let granularity = "day"
        package static let order = "descending"
        package static let limit = 100
        package static let topLimit = 10
        package static let event = "PURCHASE"
        package static let funnelDays = 30
        package static let cohortDays = 7
        package static let lifetimeDays = 365
        package static let lifetimeDimension = "channel"
    }
}
