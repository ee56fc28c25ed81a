import ArgumentParser
import Foundation
import Linden
import LindenAPI
import LindenKernel
import LindenReporting
import LindenServices

struct ReplayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Attribute stored sessions again, and list those whose link would change.",
        discussion: """
            The evidence of each session's attribution is stored, so the current rules, or others, can be applied to it again. Sessions \
            without evidence do not change; their number is printed first. Nothing is changed without --apply, which asks first. Days are \
            in UTC, and the last day is inclusive; times are in ISO 8601 with a zone.
            """)

    @Option(
        help: ArgumentHelp(
            "The first day, such as 2027-01-31, a time such as 2027-01-31T18:00:00Z, or a period such as yesterday, 30d or last-month.",
            valueName: "date"))
    var from: String?
    @Option(help: ArgumentHelp("The last day (inclusive), a time, or a period. Default: the end of --from.", valueName: "date"))
    var to: String?
    @Option(
        help: ArgumentHelp("Only sessions of this app: a live or test key, or the app's id for its live side.", valueName: "key"))
    var app: String?
    @Option(
        help: ArgumentHelp(
            "A YAML file of the rules that differ from the standard ones. Default: the setting attribution.rules.",
            valueName: "file"))
    var rules: String?
    @Flag(help: "Change the sessions that would be attributed differently.")
    var apply = false
    @OptionGroup var confirmation: Confirmation
    @Flag(help: "Print the standard rules as a rules file, and exit.")
    var printRules = false
    @OptionGroup var common: CommonOptions

    func validate() throws {
        if !printRules { _ = try span() }
    }

    func run() async throws {
        guard !printRules else { return print(RulesFile.standard) }
        let span = try span()
        let rules = if let file = rules { try RulesFile.rules(file) } else { try await common.settings().rules }
        try await common.withServices { services in
            let replay = Replay(
                start: span.start, end: span.end, scope: try await scope(services.apps), rules: rules, isApplied: apply)
            var report = ReplayReport(format: common.format, publicIDs: services.publicIDs)
            let progress = Progress()
            let all = try await services.replays.count(replay) { progress.show("\($0.sessions) sessions found") }
            progress.clear()
            if all.withoutEvidence > 0 {
                Output.say("\(all.withoutEvidence) of \(all.sessions) sessions have no evidence and stay as they are.")
            }
            if apply, all.sessions > all.withoutEvidence {
                try confirmation.ask("Attribute \(all.sessions - all.withoutEvidence) sessions again and change those that differ?")
            }
            let figures = try await services.replays.run(replay) { change in
                progress.clear()
                report.list(change)
            } onPage: { figures, time in
                progress.show("\(figures.sessions) of \(all.sessions) sessions, until \(time.iso8601); \(figures.changed) differ")
            }
            progress.clear()
            report.end(replay, figures)
        }
    }

    private func scope(_ apps: AppService) async throws -> Scope? {
        guard let app else { return nil }
        return try await apps.scope(of: app)
    }

    private func span() throws -> (start: Timestamp, end: Timestamp) {
        guard let from else { throw ValidationError("--from and --to are required.") }
        do {
            let range = try DateRange(from: from, to: to, now: WallClock.system.now(), prefix: "--")
            guard let start = range.start, let end = range.end else { throw ValidationError("--from and --to are required.") }
            // A single time covers the sessions of its millisecond.
            if start == end, from.contains("T") { return (start, start + .milliseconds(1)) }
            guard start < end else { throw ValidationError("--from \(from) is after --to \(to ?? from).") }
            return (start, end)
        } catch let failure as Failure {
            throw ValidationError(failure.message)
        }
    }
}

/// The report of a replay. Changes are printed as they are found, since they may exceed memory.
private struct ReplayReport {
    let format: OutputFormat
    let publicIDs: PublicIDs
    private var isEmpty = true

    init(format: OutputFormat, publicIDs: PublicIDs) {
        self.format = format
        self.publicIDs = publicIDs
    }

    mutating func list(_ change: ReplayChange) {
        switch format {
        case .json:
            print(
                isEmpty ? #"{"changes":["# : ",", Output.printable(JSON.object(change.view(publicIDs))), separator: "",
                terminator: "")
        case .table:
            if isEmpty { row("SESSION", "STARTED", "BEFORE", "AFTER", "WHY") }
            row(
                publicIDs.reference(to: change.session), change.session.time.iso8601, cell(change.before), cell(change.after),
                change.reason)
        }
        isEmpty = false
    }

    func end(_ replay: Replay, _ figures: ReplayFigures) {
        switch format {
        case .json:
            print(isEmpty ? #"{"changes":[]"# : "]", terminator: "")
            print("," + Output.printable(JSON.object(figures.view(of: replay))).dropFirst())
        case .table:
            if !isEmpty { print() }
            print(
                "Sessions: \(figures.sessions), of which \(figures.changed) \(replay.isApplied ? "were changed" : "would change").")
            if !replay.isApplied, figures.changed > 0 { print("Nothing was changed; --apply does it.") }
        }
    }

    private func cell(_ outcome: ReplayChange.Outcome) -> String {
        outcome.click.map { "click " + publicIDs.string(for: $0) } ?? outcome.outcome.rawValue
    }

    private func row(_ session: String, _ started: String, _ before: String, _ after: String, _ reason: String) {
        let cells = [(session, 27), (started, 24), (before, 25), (after, 25)].map { text, width in
            text.padding(toLength: max(width, text.count), withPad: " ", startingAt: 0)
        }
        print(Output.printable((cells + [reason]).joined(separator: "  ")))
    }
}
