import ArgumentParser
import Foundation
import Linden
import LindenKernel
import LindenReporting
import LindenServices

struct EventsTailCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tail", abstract: "Show clicks, sessions and events as they are recorded, until Ctrl-C.",
        discussion: "With --format json, each line is an object with all columns that are not empty.")

    @OptionGroup var app: AppOption
    @Option(help: ArgumentHelp("Only these topics, separated by commas.", valueName: "topics"))
    var topic: String?
    @Option(help: ArgumentHelp("Start at this checkpoint of an export instead of now.", valueName: "checkpoint"))
    var since: String?
    @Option(help: ArgumentHelp("Stop after this number of rows.", valueName: "count"))
    var limit: Int?
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard limit.map({ $0 > 0 }) ?? true else { throw ValidationError("--limit must be above 0.") }
    }

    func run() async throws {
        try await common.withServices { services in
            let scope = try await services.apps.scope(of: app.app)
            var tail = try await services.exports.tail(
                try ExportTopic.topics(named: topic), in: scope, since: try since.map(ExportCheckpoint.init))
            var left = limit ?? .max
            while left > 0 {
                for entry in try await tail.next().prefix(left) {
                    show(entry)
                    left -= 1
                }
                fflush(nil)
                if tail.isCaughtUp { try await Task.sleep(for: .milliseconds(500)) }
            }
        }
    }

    private func show(_ entry: ExportTail.Entry) {
        let members = entry.members
        guard common.format == .table else { return print(Output.printable(.object(members))) }
        let shown = [
            "timestamp_iso", "topic", "name", "user_data_os", "user_data_developer_identity",
            "last_attributed_touch_data_tilde_channel", "last_attributed_touch_data_tilde_campaign",
        ]
        print(shown.map { Output.printable(members[$0]?.scalarText ?? "-") }.joined(separator: "  "))
    }
}
