import ArgumentParser
import Linden

struct QueryFunnelCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "funnel", abstract: "From clicks to the installs they brought to an event, and how long installs took.")

    @OptionGroup var span: SpanOptions
    @Option(help: "The last step.")
    var event = "PURCHASE"
    @Option(help: ArgumentHelp("channel, campaign, feature or link.", valueName: "dimension"))
    var by: String?
    @Option(help: "How many days after its click an install may come, and an event after its install.")
    var days: Int?
    @OptionGroup var common: CommonOptions

    func run() async throws {
        try await common.withServices { services in
            var parameters = span.parameters
            parameters.event = event
            parameters.by = by.map { [$0] } ?? []
            parameters.days = days
            let query = try parameters.funnel(of: try await services.apps.context(span.app).scope)
            let funnels = try await services.analytics.funnels(query)
            Output(format: common.format).list(funnels.map { $0.members(query.dimension) }, empty: "Nobody clicked.")
            try await services.sayWhatIsKept(of: [.sessions, .events], in: query.span)
        }
    }
}

struct QueryCohortCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cohort", abstract: "Of the devices that installed on a day, count those that came back on each day after it.")

    @OptionGroup var span: SpanOptions
    @Option(help: "How many days to follow them.")
    var days: Int?
    @OptionGroup var common: CommonOptions

    func run() async throws {
        try await common.withServices { services in
            var parameters = span.parameters
            parameters.days = days
            let query = try parameters.cohort(of: try await services.apps.context(span.app).scope)
            Output(format: common.format).list(
                try await services.analytics.cohorts(query).map(\.members), empty: "There are no days.")
            try await services.sayWhatIsKept(of: [.sessions], in: query.span)
        }
    }
}

struct QueryLifetimeValueCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ltv", abstract: "What the devices brought that installed within a span, by the channel of the install.")

    @OptionGroup var span: SpanOptions
    @Option(
        help: ArgumentHelp("\(LifetimeValueQuery.dimensions.map(\.rawValue).joined(separator: ", ")).", valueName: "dimension"))
    var by = "channel"
    @Option(help: "How many days after its install a device's revenue counts.")
    var days: Int?
    @OptionGroup var common: CommonOptions

    func run() async throws {
        try await common.withServices { services in
            var parameters = span.parameters
            parameters.by = [by]
            parameters.days = days
            let query = try parameters.lifetimeValue(of: try await services.apps.context(span.app).scope)
            let values = try await services.analytics.lifetimeValues(query)
            Output(format: common.format).list(values.map { $0.members(query.dimension) }, empty: "Nobody installed.")
            try await services.sayWhatIsKept(of: [.sessions, .events], in: query.span)
        }
    }
}
