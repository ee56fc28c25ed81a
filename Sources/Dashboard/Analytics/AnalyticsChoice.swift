import Linden
import LindenKernel
import LindenReporting
import LindenServices
import LinkRouting

/// The question that the address of the analytics page asks: the same names and values as over HTTP.
struct AnalyticsChoice: Sendable {
    static let presets: [(label: String, from: String)] = [
        ("Today", "today"), ("Yesterday", "yesterday"), ("7 days", "7d"), ("30 days", "30d"), ("90 days", "90d"),
        ("This month", "this-month"), ("Last month", "last-month"), ("This year", "this-year"), ("12 months", "365d"),
    ]
    /// All topics of events that apps name.
    static let events = [Topic.commerceEvent, .contentEvent, .userLifecycleEvent, .customEvent].map(\.rawValue).joined(
        separator: ",")
    static let standardFrom = "30d"

    let question: AnalyticsQuestion
    /// The parameters that were given, in the order of the form. `filter` may occur twice.
    let given: [(name: String, value: String)]

    init(_ query: FormFields) {
        question = AnalyticsQuestion(rawValue: query["question"]) ?? .counts
        let allowed =
            question.parameters.contains("filter") ? question.parameters + ["filter2", "compare", "chart"] : question.parameters
        let names = [
            "from", "to", "timezone", "topic", "by", "filter", "filter2", "aggregation", "granularity", "event", "days", "limit",
            "compare", "chart",
        ]
        given = names.compactMap { name in
            guard allowed.contains(name), let value = query.text(name) else { return nil }
            return (name, value)
        }
    }

    func value(_ name: String) -> String { given.first { $0.name == name }?.value ?? "" }

    /// The names of the parameters of the question, as the form shows them.
    func takes(_ name: String) -> Bool { question.parameters.contains(name) }

    /// Whether the answer is compared with the period before, of the same length.
    var compares: Bool { question.parameters.contains("filter") && value("compare") != Self.withoutComparison }

    static let withoutComparison = "none"

    /// Whether the lines of the chart are stacked.
    var stacks: Bool { value("chart") == Self.stackedChart }

    static let stackedChart = "stacked"

    /// The parameters of a user's question. Fails with `forbidden` for columns that may name users, unless the user may read the logs.
    func parameters(for user: DashboardUser) throws -> AnalyticsParameters {
        let parameters = try parameters()
        if !Access.logReaders.admits(user.role) { try parameters.checkNamesNoUsers() }
        return parameters
    }

    /// The parameters with the dashboard's defaults. Fails with `invalid` for a number that is none.
    private func parameters() throws -> AnalyticsParameters {
        var parameters = AnalyticsParameters()
        parameters.from = given.contains { $0.name == "from" } ? value("from") : Self.standardFrom
        parameters.to = text("to")
        if let zone = text("timezone") { parameters.timezone = zone }
        if let topic = text("topic") { parameters.topics = [topic] }
        if let by = text("by") { parameters.by = [by] } else if question == .top { parameters.by = [Dimension.channel.rawValue] }
        for name in ["filter", "filter2"] {
            guard let filter = text(name) else { continue }
            parameters.filters.append(filter)
            do { _ = try AnalyticsQuery.Filter(filter) } catch let failure as Failure { throw failure.at(name) }
        }
        if let aggregation = text("aggregation") { parameters.aggregation = aggregation }
        if let granularity = text("granularity") { parameters.granularity = granularity }
        if let event = text("event") { parameters.event = event }
        parameters.days = try number("days")
        parameters.limit = try number("limit")
        return parameters
    }

    private func text(_ name: String) -> String? { value(name).isEmpty ? nil : value(name) }

    private func number(_ name: String) throws -> Int? {
        try text(name).map { text in
            guard let number = Int(text) else { throw Failure.invalid("\(name) must be a whole number, not \"\(text)\".") }
            return number
        }
    }

    // MARK: Addresses

    /// The address of this question.
    func path(_ path: String) -> String { PagePath.query(path, [("question", question.rawValue)] + given) }

    /// The address of this question about another time.
    func path(_ path: String, from: String) -> String {
        let others = given.filter { $0.name != "from" && $0.name != "to" }
        return PagePath.query(path, [("question", question.rawValue), ("from", from)] + others)
    }

    /// The address of another question about the same time.
    func path(_ path: String, asking question: AnalyticsQuestion) -> String {
        let time = given.filter { ["from", "to", "timezone"].contains($0.name) }
        return PagePath.query(path, [("question", question.rawValue)] + time)
    }

    /// The question as ``SharedQuestion/query``.
    var sharedQuery: String {
        ([("question", question.rawValue)] + shared).map { "\($0.0)=\(PercentCoding.encodeQueryValue($0.1))" }.joined(
            separator: "&")
    }

    /// The parameters as the API and the command line name them.
    var shared: [(name: String, value: String)] {
        let from = given.contains { $0.name == "from" } ? [] : [(name: "from", value: Self.standardFrom)]
        let by = question == .top && value("by").isEmpty ? [(name: "by", value: Dimension.channel.rawValue)] : []
        return from + by
            + given.filter { $0.name != "compare" && $0.name != "chart" }.map {
                (name: $0.name == "filter2" ? "filter" : $0.name, value: $0.value)
            }
    }
}
