import ArgumentParser
import LindenKernel
import LindenServices

struct PruneCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "prune", abstract: "Delete old clicks, sessions and events. Totals are kept.",
        discussion: """
            The defaults are the settings retention.clicks_days, retention.sessions_days and retention.events_days, which a running server \
            applies by itself. Only rows that are included in all totals are deleted. The file does not shrink; its free space is reused.
            """)

    @Option(help: ArgumentHelp("Keep clicks for this number of days, at least 91.", valueName: "days"))
    var clicksDays: Int?
    @Option(help: ArgumentHelp("Keep sessions for this number of days, at least 7.", valueName: "days"))
    var sessionsDays: Int?
    @Option(help: ArgumentHelp("Keep events for this number of days, at least 7.", valueName: "days"))
    var eventsDays: Int?
    @Flag(help: "Delete nothing, and show how many rows would be deleted.")
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
                "Give --clicks-days, --sessions-days or --events-days, or set retention.clicks_days or its siblings: nothing says what is old."
            )
        }
        let retention = try Retention(days: days)
        try await common.withServices { services in
            let progress = Progress()
            try await services.maintenance.count { progress.show($0) }
            progress.clear()
            let outdated = try await services.retention.outdated(by: retention)
            let removed = dryRun ? outdated : try await remove(outdated, retention, services.retention, progress)
            var rows: JSONObject = ["dry_run": .bool(dryRun)]
            for log in Retention.Log.allCases { rows[log.rawValue] = removed[log].map { JSON($0) } ?? .null }
            Output(format: common.format).show(rows)
        }
    }

    /// Removes the outdated rows. Asks for confirmation if there are any.
    private func remove(
        _ outdated: [Retention.Log: Int], _ retention: Retention, _ service: RetentionService, _ progress: Progress
    ) async throws -> [Retention.Log: Int] {
        let all = Retention.Log.allCases.compactMap { log in outdated[log].flatMap { $0 > 0 ? "\($0) \(log.rawValue)" : nil } }
        guard !all.isEmpty else { return outdated }
        try confirmation.ask("Remove \(all.joined(separator: " and ")) for good?")
        let removed = try await service.prune(retention) { log, count in
            progress.show("\(count) of \(max(count, outdated[log] ?? 0)) \(log.rawValue) removed")
        }
        progress.clear()
        return removed
    }
}
