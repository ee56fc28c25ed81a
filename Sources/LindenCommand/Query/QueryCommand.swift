import ArgumentParser
import Linden
import LindenAPI
import LindenKernel
import LindenReporting
import LindenServices

struct QueryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "query", abstract: "Query analytics: clicks, installs, events and revenue.",
        discussion: """
            The same queries are available over HTTP under /api/v1/analytics/, with the same parameters and defaults (with an underscore for \
            each hyphen).

            --from and --to take a date such as 2027-01-31, a time such as 2027-01-31T18:00:00Z, or one of \(DateExpression.names). \
            A day or a period in --to is inclusive.
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
            "The last day (inclusive), a time, or a period. Default: today, or the end of the period in --from.", valueName: "date")
    )
    var to: String?
    @Option(help: ArgumentHelp("The time zone in which days begin, such as Europe/Berlin.", valueName: "zone"))
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
            let scope = try await services.apps.scope(of: app)
            let reply = try await services.analytics.reply(to: question, parameters, of: scope, upTo: .max)
            Output(format: common.format).list(reply.rowViews(), empty: empty)
            for notice in reply.notices { Output.say(notice) }
        }
    }
}

/// The topics, dimensions, filters and aggregation of a query.
struct CountOptions: ParsableArguments {
    typealias Standard = AnalyticsParameters.Standard

    @Option(
        help: ArgumentHelp(
            "The topics to count, separated by commas: \(Topic.allCases.map(\.rawValue).joined(separator: ", ")).",
            valueName: "topic"))
    var topic = [Standard.topic]
    @Option(
        help: ArgumentHelp(
            "The dimensions to group by: \(Dimension.allCases.map(\.rawValue).joined(separator: ", ")).", valueName: "dimension"))
    var by: [String] = []
    @Option(
        help: ArgumentHelp(
            "Only these values: channel=mail,sms, or !channel=mail for all others. name is not case-sensitive for standard events.",
            valueName: "filter")
    )
    var filter: [String] = []
    @Option(help: "The aggregation: total_count, unique_count (distinct devices per day) or revenue.")
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

    static let configuration = CommandConfiguration(commandName: "counts", abstract: "Count clicks, sessions and events by period.")

    @OptionGroup var span: SpanOptions
    @OptionGroup var counts: CountOptions
    @Option(help: "The length of a period: hour, day, week, month or all.")
    var granularity = Standard.granularity
    @Option(help: "The order of the rows of each period: ascending or descending.")
    var ordered = Standard.order
    @Option(help: ArgumentHelp("Order by this dimension, one of --by, instead of by the aggregation.", valueName: "dimension"))
    var orderedBy: String?
    @Flag(help: "Also list periods and values that are zero.")
    var zeroFill = false
    @Option(help: "The maximum number of rows per period.")
    var limit = Standard.limit
    @Option(help: "The number of rows to skip in each period, for the next page.")
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
        commandName: "top", abstract: "List the top values of a dimension; links with their URL and title.")

    @OptionGroup var span: SpanOptions
    @OptionGroup var counts: CountOptions
    @Option(help: "How many rows to list.")
    var limit = AnalyticsParameters.Standard.topLimit
    @Option(help: "The number of rows to skip, for the next page.")
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
