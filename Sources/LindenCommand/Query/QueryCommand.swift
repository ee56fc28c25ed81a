import ArgumentParser
import Linden

struct QueryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "query", abstract: "Ask what happened: clicks, installs, events and what they brought.",
        subcommands: [
            QueryCountsCommand.self, QueryTopCommand.self, QueryFunnelCommand.self, QueryCohortCommand.self,
            QueryLifetimeValueCommand.self,
        ])
}

/// Whose figures, and of when.
struct SpanOptions: ParsableArguments {
    @Option(help: ArgumentHelp("A live or test key, or the app's id for its live side.", valueName: "key"))
    var app: String
    @Option(help: ArgumentHelp("The first day, such as 2027-01-01, or a time such as 2027-01-31T18:00:00Z.", valueName: "date"))
    var from: String
    @Option(help: ArgumentHelp("The last day, or a time.", valueName: "date"))
    var to: String
    @Option(help: ArgumentHelp("Whose days they are, such as Europe/Berlin; UTC unless given.", valueName: "zone"))
    var timezone: String?

    var parameters: AnalyticsParameters {
        var parameters = AnalyticsParameters(from: from, to: to)
        parameters.timezone = timezone
        return parameters
    }
}

/// What is counted.
struct CountOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "What to count, with commas between several: \(Topic.allCases.map(\.rawValue).joined(separator: ", ")).",
            valueName: "topic"))
    var topic = ["click"]
    @Option(
        help: ArgumentHelp(
            "By what to tell figures apart: \(Dimension.allCases.map(\.rawValue).joined(separator: ", ")).", valueName: "dimension")
    )
    var by: [String] = []
    @Option(help: ArgumentHelp("Only such: channel=mail,sms, or !channel=mail for all others.", valueName: "filter"))
    var filter: [String] = []
    @Option(help: "total_count, unique_count (devices, each once a day) or revenue.")
    var aggregation: String?

    func add(to parameters: AnalyticsParameters) -> AnalyticsParameters {
        var parameters = parameters
        parameters.topics = topic
        parameters.by = by
        parameters.filters = filter
        parameters.aggregation = aggregation
        return parameters
    }
}

struct QueryCountsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "counts", abstract: "Count what happened, period by period.")

    @OptionGroup var span: SpanOptions
    @OptionGroup var counts: CountOptions
    @Option(help: "hour, day, week, month or all.")
    var granularity = "day"
    @Option(help: "How many rows of each period to list.")
    var limit = 100
    @Option(help: "How many rows of each period to leave out before: the next page.")
    var after = 0
    @Flag(help: "List the lowest figures first.")
    var ascending = false
    @Flag(help: "List what has nothing, too.")
    var zeroFill = false
    @OptionGroup var common: CommonOptions

    func run() async throws {
        try await common.withServices { services in
            var parameters = counts.add(to: span.parameters)
            parameters.granularity = granularity
            parameters.limit = limit
            parameters.offset = after
            parameters.order = ascending ? "ascending" : "descending"
            parameters.fillsZeros = zeroFill
            let query = try parameters.counts(of: try await services.apps.context(span.app).scope)
            let answer = try await services.analytics.counts(query)
            Output(format: common.format).list(answer.rows.map { $0.members(query) }, empty: "Nothing of that happened.")
            answer.say()
        }
    }
}

struct QueryTopCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "top", abstract: "List what happened most, by --by.")

    @OptionGroup var span: SpanOptions
    @OptionGroup var counts: CountOptions
    @Option(help: "How many rows to list.")
    var limit = 10
    @OptionGroup var common: CommonOptions

    func run() async throws {
        try await common.withServices { services in
            var parameters = counts.add(to: span.parameters)
            parameters.limit = limit
            let query = try parameters.top(of: try await services.apps.context(span.app).scope)
            let answer = try await services.analytics.counts(query)
            Output(format: common.format).list(
                answer.rows.map { $0.result(query, names: query.dimensions.map(\.rawValue)) }, empty: "Nothing of that happened.")
            answer.say()
        }
    }
}

extension AnalyticsAnswer {
    /// What is to be known of the figures, on stderr.
    fileprivate func say() {
        if isEstimated { Output.say("Counts of devices over more than a day are estimates, off by 3 % in two of three cases.") }
        if let rowsKeptSince { Output.say("This was counted from rows, which are kept since \(rowsKeptSince.iso8601) only.") }
    }
}

extension Services {
    /// Says so if rows that were asked about are no longer kept.
    func sayWhatIsKept(of logs: [ActivityLog], in span: AnalyticsSpan) async throws {
        guard let since = try await analytics.rowsKept(of: logs, in: span) else { return }
        Output.say("This was counted from rows, which are kept since \(since.iso8601) only.")
    }
}
