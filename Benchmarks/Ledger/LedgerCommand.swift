import ArgumentParser
import Foundation

@main
struct LedgerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ledger",
        abstract: "Measure how fast credits are moved, and how long the proof of the books takes.",
        discussion: """
            Fills a database with transactions as a server would, many callers at once, and then proves its books as `linden verify` does. The \
            exit status is 1 if they are wrong.
            """)

    @Option(help: "How many transactions the ledger holds.")
    var transactions = 1_000_000
    @Option(help: "How many users they are spread over.")
    var users = 10_000
    @Option(help: "How many callers there are at once.")
    var callers = 256
    @Option(help: ArgumentHelp("Write the report as JSON too.", valueName: "file"))
    var json: String?

    func validate() throws {
        guard transactions > 0, users > 0, callers > 0 else { throw ValidationError("Give numbers above 0.") }
    }

    func run() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("linden-ledger-" + UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let report = try await LedgerRun(transactions: transactions, users: users, callers: callers)
            .measure(in: folder.appendingPathComponent("linden.db").path)
        print(report.text)
        if let json { try report.json.write(to: URL(fileURLWithPath: json)) }
        if report.problems > 0 { throw ExitCode.failure }
    }
}
