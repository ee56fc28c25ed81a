import ArgumentParser
import Linden

struct QueryFunnelCommand: AsyncParsableCommand {
    typealias Standard = AnalyticsParameters.Standard

    static let configuration = CommandConfiguration(
        commandName: "funnel", abstract: "From clicks to the installs they led to and on to an event, with rates and times.",
        discussion: "install_rate is installs per click, conversion_rate is installs with the event per install.")

    @OptionGroup var span: SpanOptions
    @Option(help: "The event of the last step; standard names such as PURCHASE in any case.")
    var event = Standard.event
    @Option(help: ArgumentHelp("\(FunnelQuery.dimensions.map(\.rawValue).joined(separator: ", ")).", valueName: "dimension"))
    var by: String?
    @Option(help: "How many days after its click an install may come, and an event after its install.")
    var days = Standard.funnelDays
    @OptionGroup var common: CommonOptions

    func run() async throws {
        try await span.ask(.funnel, common, empty: "There were no clicks.") { parameters in
            parameters.event = event
            parameters.by = by.map { [$0] } ?? []
            parameters.days = days
        }
    }
}

struct QueryCohortCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cohort", abstract: "Of the devices that installed on a day, count those that came back on each day after it.",
        discussion: """
            retained has a number for the day of the install and each day after it as far as it has come; retention_rates are the same per \
            install.
            """)

    @OptionGroup var span: SpanOptions
    @Option(help: "How many days to follow them.")
    var days = AnalyticsParameters.Standard.cohortDays
    @OptionGroup var common: CommonOptions

    func run() async throws {
        try await span.ask(.cohort, common, empty: "There are no days.") { $0.days = days }
    }
}

struct QueryLifetimeValueCommand: AsyncParsableCommand {
    typealias Standard = AnalyticsParameters.Standard

    static let configuration = CommandConfiguration(
        commandName: "ltv", abstract: "The revenue of the devices that installed within a time, by a dimension of the install.")

    @OptionGroup var span: SpanOptions
    @Option(
        help: ArgumentHelp("\(LifetimeValueQuery.dimensions.map(\.rawValue).joined(separator: ", ")).", valueName: "dimension"))
    var by = Standard.lifetimeDimension
    @Option(help: "How many days after its install a device's revenue counts.")
    var days = Standard.lifetimeDays
    @OptionGroup var common: CommonOptions

    func run() async throws {
        try await span.ask(.lifetimeValue, common, empty: "There were no installs.") { parameters in
            parameters.by = [by]
            parameters.days = days
        }
    }
}

struct QueryAttributionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "attribution", abstract: "How installs were attributed: by which id, by address and device, or why not.",
        discussion: """
            deterministic: an id or a link named the cause. probabilistic: address and device were those of a click. none: no click was \
            taken; organic has installs without a click and those whose click came from another address.
            """)

    @OptionGroup var span: SpanOptions
    @OptionGroup var common: CommonOptions

    func run() async throws {
        try await span.ask(.attribution, common, empty: "There were no installs.") { _ in }
    }
}
