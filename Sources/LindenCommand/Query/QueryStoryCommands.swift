import ArgumentParser
import LindenReporting

struct QueryFunnelCommand: AsyncParsableCommand {
    typealias Standard = AnalyticsParameters.Standard

    static let configuration = CommandConfiguration(
        commandName: "funnel", abstract: "Count clicks, their installs and the installs with a later event, with rates and times.",
        discussion: "install_rate: installs per click. conversion_rate: the share of installs with the event.")

    @OptionGroup var span: SpanOptions
    @Option(help: "The event of the last step. Standard names such as PURCHASE are not case-sensitive.")
    var event = Standard.event
    @Option(help: ArgumentHelp("\(FunnelQuery.dimensions.map(\.rawValue).joined(separator: ", ")).", valueName: "dimension"))
    var by: String?
    @Option(help: "The maximum number of days from click to install, and from install to event.")
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
        commandName: "cohort", abstract: "Retention: count the devices of each install day that were active on the days after.",
        discussion: """
            retained: the number of active devices on the day of the install and on each day after it, up to today. retention_rates: the \
            same, divided by installs.
            """)

    @OptionGroup var span: SpanOptions
    @Option(help: "The number of days after the install.")
    var days = AnalyticsParameters.Standard.cohortDays
    @OptionGroup var common: CommonOptions

    func run() async throws {
        try await span.ask(.cohort, common, empty: "There are no days.") { $0.days = days }
    }
}

struct QueryLifetimeValueCommand: AsyncParsableCommand {
    typealias Standard = AnalyticsParameters.Standard

    static let configuration = CommandConfiguration(
        commandName: "ltv", abstract: "Lifetime value: sum the revenue of devices by a dimension of their install.")

    @OptionGroup var span: SpanOptions
    @Option(
        help: ArgumentHelp("\(LifetimeValueQuery.dimensions.map(\.rawValue).joined(separator: ", ")).", valueName: "dimension"))
    var by = Standard.lifetimeDimension
    @Option(help: "For how many days after its install a device's revenue is counted.")
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
        commandName: "attribution", abstract: "Count installs by attribution: by an id, by address and device, or none.",
        discussion: """
            deterministic: an id or a link identified the click. probabilistic: address and device matched a click. none: no click was \
            matched; organic: there was no click, or only from another address.
            """)

    @OptionGroup var span: SpanOptions
    @OptionGroup var common: CommonOptions

    func run() async throws {
        try await span.ask(.attribution, common, empty: "There were no installs.") { _ in }
    }
}
