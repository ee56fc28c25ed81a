import ArgumentParser
import Foundation
import LindenKernel
import SQLStorage
import SQLiteStorage

struct CopyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "copy",
        abstract: "Copy all data to another database, from SQLite to PostgreSQL or back.",
        discussion: """
            The target must be a new database; its tables are created. Stop the server first: the copy is one view of the source, \
            and what a server writes after the beginning is missing from it. After an interruption, the same command goes on where \
            it stopped. Until the copy is complete, no other command opens the target.

            With --follow the server runs meanwhile. The copy goes on with what it writes, changes and deletes, and says when it is \
            close behind. Then stop the server: once none has the source for ten seconds, the copy takes the rest, says as of when, \
            and ends.

            All rows of the target are read, and their number and checksum are compared with the source's, table by table. The exit \
            status is 1 if they differ.
            """)

    @Option(
        help: ArgumentHelp(
            "The database to read: sqlite: and a file, or postgres://user@host/name.", valueName: "url"))
    var from: String
    @Option(help: ArgumentHelp("The database to write.", valueName: "url"))
    var to: String
    @Flag(help: "Go on with what servers write to the source, until all of them have stopped.")
    var follow = false
    @Option(help: "The output format of results and errors.")
    var format: OutputFormat = .table

    func run() async throws {
        let from = try Self.location(from, option: "--from")
        let to = try Self.location(to, option: "--to")
        let progress = Progress()
        let copied = try Self.run(from, to, follows: follow, progress)
        progress.clear()
        var warnings: [String] = []
        if follow {
            Output.say("The copy ended as of \(copied.asOf.iso8601). What is written to \(from.shown) later is not in it.")
        }
        if copied.isServed {
            warnings.append("A server has \(from.shown). What it has written since \(copied.asOf.iso8601) is not in the copy.")
        }
        Output(format: format).show(
            [
                "source": .string(from.shown), "target": .string(to.shown), "as_of": .string(copied.asOf.iso8601),
                "continued": .bool(copied.isContinued), "tables": JSON(copied.tables.count),
                "rows": .integer(copied.tables.reduce(0) { $0 + $1.rows }), "new_pending_clicks": JSON(copied.newPendingClicks),
            ], warnings: warnings)
    }

    private static func location(_ text: String, option: String) throws -> DatabaseLocation {
        do {
            return try DatabaseLocation(text)
        } catch let failure as Failure {
            throw ValidationError("\(option) \(failure.message).")
        }
    }

    private static func run(
        _ from: DatabaseLocation, _ to: DatabaseLocation, follows: Bool, _ progress: Progress
    ) throws -> CopyResult {
        var isClose = false
        do {
            return try InstallationCopy(from: from.copySource(), to: to.copyTarget()) { step in
                progress.show(step)
                guard case .following(let lag) = step, lag.isSmall, !isClose else { return }
                isClose = true
                progress.clear()
                Output.say(
                    "The copy follows its source. Stop the server when you like: the rest takes about \(lag.text), and then the copy "
                        + "ends.")
            }.run(follows: follows)
        } catch let error as any DriverError {
            throw Failure.unusable("The copy stopped: \(error.description). Start it again to go on.")
        }
    }
}

extension Progress {
    fileprivate func show(_ step: InstallationCopy.Step) {
        switch step {
        case .comparing(let table): show("Comparing \(table) with the earlier copy")
        case .copying(let table, let rows): show("Copying \(table): \(rows) rows")
        case .verifying(let table, let rows): show("Verifying \(table): \(rows) rows")
        case .following(let lag): show("Following: \(lag.rows) rows in \(lag.text)")
        }
    }
}

extension CopyLag {
    /// The time that the pass took, in seconds with one digit behind the point.
    fileprivate var text: String {
        let tenths = Int((duration / .milliseconds(100)).rounded(.up))
        return "\(tenths / 10).\(tenths % 10) seconds"
    }
}
