import ArgumentParser
import Linden

struct QueryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "query", abstract: "Ask what happened: clicks, installs, events and their revenue.",
        discussion: """
            The same questions are answered over HTTP under /api/v1/analytics/, with the same parameters and defaults (an underscore for \
            each hyphen).

            --from and --to take a date such as 2027-01-31, a time such as 2027-01-31T18:00:00Z, or one of \(DateExpression.names). \
            A day or a period in --to counts with all of it.
            """,
        subcommands: [
            QueryCountsCommand.self, QueryTopCommand.self, QueryFunnelCommand.self, QueryCohortCommand.self,
            QueryLifetimeValueCommand.self, QueryAttributionCommand.self,
        ])
}

/// The app and the time range of an analytics query.
struct SpanOptions: ParsableArguments {
    typealias Standard = AnalyticsParameters.Standard

    @Option(help: ArgumentHelp("A live or test key, or the app's id for its live side.", valueName: "key"))
    var app: String
    @Option(help: ArgumentHelp("The first day, a time, or a period such as yesterday, 30d or last-month.", valueName: "date"))
    var from = Standard.from
    @Option(
        help: ArgumentHelp(
            "The last day, a time, or a period; today unless given, or the end of the period that --from names.", valueName: "date")
    )
    var to: String?
    @Option(help: ArgumentHelp("The time zone of days, such as Europe/Berlin.", valueName: "zone"))
    var timezone = Standard.timezone

    /// Runs a query on the app and time range and prints its rows. Its metadata goes to the standard error stream.
    func ask(
        _ question: AnalyticsQuestion, _ common: CommonOptions, empty: String, _ set: (inout AnalyticsParameters) -> Void
    ) async throws {
        var parameters = AnalyticsParameters()
        parameters.from = from
        parameters.to = to
        parameters.timezone = timezone
        set(&parameters)
        try await common.withServices { services in
            let scope = try await services.apps.context(app).scope
            let reply = try await services.analytics.reply(to: question, parameters, of: scope)
            Output(format: common.format).list(reply.rows, empty: empty)
            for remark in reply.remarks { Output.say(remark) }
        }
    }
}

/// The topics, dimensions, filters and aggregation of a query.
struct CountOptions: ParsableArguments {
    typealias Standard = AnalyticsParameters.Standard

    @Option(
        help: ArgumentHelp(
            "What to count, with commas between several: \(Topic.allCases.map(\.rawValue).joined(separator: ", ")).",
            valueName: "topic"))
    var topic = [Standard.topic]
    @Option(
        help: ArgumentHelp(
            "The dimensions to group by: \(Dimension.allCases.map(\.rawValue).joined(separator: ", ")).", valueName: "dimension"))
    var by: [String] = []
    @Option(
        help: ArgumentHelp(
            "Only these values: channel=mail,sms, or !channel=mail for all others; name=purchase is PURCHASE.", valueName: "filter")
    )
    var filter: [String] = []
    @Option(help: "total_count, unique_count (devices, each once a day) or revenue.")
    var aggregation = Standard.aggregation

    func set(_ parameters: inout AnalyticsParameters) {
        parameters.topics = topic
        parameters.by = by
        parameters.filters = filter
        parameters.aggregation = aggregation
    }
}

struct QueryCountsCommand: AsyncParsableCommand {
    typealias Standard = AnalyticsParameters.Standard

    static let configuration = CommandConfiguration(commandName: "counts", abstract: "Count what happened, period by period.")

    @OptionGroup var span: SpanOptions
    @OptionGroup var counts: CountOptions
    @Option(help: "hour, day, week, month or all.")
    var granularity = Standard.granularity
    @Option(help: "The order of the rows of each period: ascending or descending.")
    var ordered = Standard.order
    @Option(help: ArgumentHelp("Order by this dimension, one of --by, rather than by the figure.", valueName: "dimension"))
    var orderedBy: String?
    @Flag(help: "List periods and values without anything, too.")
    var zeroFill = false
    @Option(help: "How many rows of each period to list.")
    var limit = Standard.limit
    @Option(help: "How many rows of each period to leave out before: the next page.")
    var after = 0
    @OptionGroup var common: CommonOptions

    func run() async throws {
        try await span.ask(.counts, common, empty: "Nothing of that happened.") { parameters in
            counts.set(&parameters)
            parameters.granularity = granularity
            parameters.order = ordered
            parameters.orderedBy = orderedBy
            parameters.fillsZeros = zeroFill
            parameters.limit = limit
            parameters.offset = after
        }
    }
}

struct QueryTopCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "top", abstract: "List what happened most, by --by; links with their URL and title.")

    @OptionGroup var span: SpanOptions
    @OptionGroup var counts: CountOptions
    @Option(help: "How many rows to list.")
    var limit = AnalyticsParameters.Standard.topLimit
    @Option(help: "How many rows to leave out before: the next page.")
    var after = 0
    @OptionGroup var common: CommonOptions

    func run() async throws {
        try await span.ask(.top, common, empty: "Nothing of that happened.") { parameters in
            counts.set(&parameters)
            parameters.limit = limit
            parameters.offset = after
        }
    }
}
