import ArgumentParser
import Linden

struct PruneCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "prune", abstract: "Remove old clicks, sessions and events. Totals stay.",
        discussion: """
            What is not said is taken from the settings (retention.clicks_days and so on), by which a running server prunes by itself. Only \
            rows go that all counters have counted. The file does not shrink; its room is used again.
            """)

    @Option(help: ArgumentHelp("Keep clicks for so many days, at least 91.", valueName: "days"))
    var clicksDays: Int?
    @Option(help: ArgumentHelp("Keep sessions for so many days, at least 7.", valueName: "days"))
    var sessionsDays: Int?
    @Option(help: ArgumentHelp("Keep events for so many days, at least 7.", valueName: "days"))
    var eventsDays: Int?
    @Flag(help: "Only tell how much would go.")
    var dryRun = false
    @OptionGroup var confirmation: Confirmation
    @OptionGroup var common: CommonOptions

    func run() async throws {
        var days = try await common.settings().retention.days
        for (log, count) in [(Retention.Log.clicks, clicksDays), (.sessions, sessionsDays), (.events, eventsDays)] {
            if let count { days[log] = count }
        }
        guard !days.isEmpty else {
            throw ValidationError(
                "Say what is to go: --clicks-days, --sessions-days or --events-days, or set retention.clicks_days.")
        }
        let retention = try Retention(days: days)
        try await common.withServices { services in
            if !dryRun { try confirmation.ask("Remove what is older than that, for good?") }
            try await services.housekeeping.count()
            let removed = try await services.retention.prune(retention, dryRun: dryRun)
            var rows: JSONObject = ["dry_run": .bool(dryRun)]
            for log in Retention.Log.allCases { rows[log.rawValue] = removed[log].map { JSON($0) } ?? .null }
            Output(format: common.format).show(rows)
        }
    }
}
