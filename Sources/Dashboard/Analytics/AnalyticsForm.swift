import Linden
import LindenReporting

extension AnalyticsQuestion {
    var title: String {
        switch self {
        case .counts: "Counts"
        case .top: "Top"
        case .funnel: "Funnel"
        case .cohort: "Cohorts"
        case .attribution: "Attribution"
        case .lifetimeValue: "Lifetime value"
        }
    }

    /// What the question asks, in one sentence.
    var meaning: String {
        switch self {
        case .counts: "Clicks, sessions and events by period, in all or by dimensions."
        case .top: "The values of a dimension with the highest figures."
        case .funnel: "Clicks, the installs that they led to, and the installs with a later event."
        case .cohort: "Of the devices of each install day, how many were active on the days after."
        case .attribution: "Installs by what decided their attribution."
        case .lifetimeValue: "The revenue of devices by a dimension of their install."
        }
    }
}

extension Form {
    /// The fields of a question. They are named as over HTTP.
    static func analytics(_ path: String, _ choice: AnalyticsChoice) -> Form {
        typealias Standard = AnalyticsParameters.Standard
        func value(_ name: String, _ standard: String) -> String { choice.value(name).isEmpty ? standard : choice.value(name) }
        var fields: [Field] = [
            .hidden("question", choice.question.rawValue),
            .text("from", "From", value("from", AnalyticsChoice.standardFrom), hint: "Such as 2027-01-31 or 30d."),
            .text("to", "To", choice.value("to"), hint: "Empty: today."),
            .text("timezone", "Time zone", choice.value("timezone"), hint: "Empty: UTC."),
        ]
        if choice.takes("topic") {
            let all = Topic.allCases.map { (value: $0.rawValue, label: $0.rawValue.replacing("_", with: " ")) }
            fields.append(
                .choice(
                    "topic", "What", value("topic", Standard.topic), all + [(value: AnalyticsChoice.events, label: "all events")]))
        }
        if choice.takes("by") { fields.append(by(choice)) }
        if choice.takes("filter") {
            let beginnings = Dimension.allCases.map { $0.rawValue + "=" }
            fields += [
                .text("filter", "Filter", choice.value("filter"), hint: "channel=mail,sms or !country=DE").offering(beginnings),
                .text("filter2", "And", choice.value("filter2"), hint: "A second filter.").offering(beginnings),
            ]
        }
        if choice.takes("aggregation") {
            fields.append(
                .choice(
                    "aggregation", "Figure", value("aggregation", Standard.aggregation),
                    [("total_count", "records"), ("unique_count", "devices"), ("revenue", "revenue")]))
        }
        if choice.takes("granularity") {
            let all = Granularity.allCases.map { (value: $0.rawValue, label: $0 == .all ? "none" : $0.rawValue) }
            fields.append(.choice("granularity", "Period", value("granularity", Standard.granularity), all))
        }
        if choice.takes("event") {
            fields.append(.text("event", "Event", choice.value("event"), hint: "Empty: \(Standard.event)."))
        }
        if choice.takes("days") {
            fields.append(.text("days", "Days", choice.value("days"), type: "number", hint: days(choice.question)))
        }
        if choice.takes("limit") {
            fields.append(.text("limit", "Rows", choice.value("limit"), type: "number", hint: "At most, per period."))
        }
        if choice.takes("filter") {
            fields.append(
                .choice(
                    "compare", "Period before", choice.value("compare"),
                    [("", "shown"), (AnalyticsChoice.withoutComparison, "left out")]))
        }
        if choice.question == .counts {
            fields.append(
                .choice("chart", "Chart", choice.value("chart"), [("", "lines"), (AnalyticsChoice.stackedChart, "stacked areas")]))
        }
        return Form(path, method: "get", submit: "Show", fields)
    }

    private static func by(_ choice: AnalyticsChoice) -> Field {
        let fixed: [Dimension]? =
            switch choice.question {
            case .funnel: FunnelQuery.dimensions
            case .lifetimeValue: LifetimeValueQuery.dimensions
            default: nil
            }
        guard let fixed else {
            return .text(
                "by", "By", choice.value("by"),
                hint: (choice.question == .top ? "Empty: channel. " : "") + "Such as campaign, link, country; several with commas."
            ).offering(Dimension.allCases.map(\.rawValue))
        }
        let names = fixed.map { (value: $0.rawValue, label: $0.rawValue) }
        return .choice("by", "By", choice.value("by"), choice.question == .funnel ? [(value: "", label: "in all")] + names : names)
    }

    private static func days(_ question: AnalyticsQuestion) -> String {
        switch question {
        case .funnel: "Of each step. Empty: \(AnalyticsParameters.Standard.funnelDays)."
        case .cohort: "After the install. Empty: \(AnalyticsParameters.Standard.cohortDays)."
        default: "Whose revenue counts. Empty: \(AnalyticsParameters.Standard.lifetimeDays)."
        }
    }
}
