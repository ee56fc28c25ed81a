import ArgumentParser
import Foundation
import Linden
import LindenKernel
import LindenReporting
import LindenServices

struct ExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Export clicks, sessions or events to a file. A server may run meanwhile.",
        discussion: """
            With --output, rows are written to FILE.partial, which is renamed to FILE when it is complete; --resume continues it after an \
            interruption. FILE.manifest.json describes the contents. Without --output, rows are written to standard output and the manifest \
            to standard error.

            The manifest's checkpoint is the start of the next export: with --since, exports follow one another without gaps or \
            duplicates.

            Columns and cells are those of Branch's daily exports. Columns whose names end in _iso have times to the second \
            (2027-01-31 18:00:00+0000), as clients of Branch read them; --times iso8601 writes ISO 8601 with milliseconds \
            (2027-01-31T18:00:00.123Z). The columns timestamp and event_timestamp have milliseconds either way.

            Ids have 18 digits, more than spreadsheets, and pandas by default, hold in a number: they round them, and different ids become \
            equal. --ids text writes id:846151029384756123, which all of them take for text.
            """)

    @OptionGroup var app: AppOption
    @Option(help: ArgumentHelp("What to write: " + ExportTopic.allCases.map(\.rawValue).joined(separator: ", ") + "."))
    var topic: String
    @Option(
        help: ArgumentHelp(
            "The first day (UTC), a time in ISO 8601, or a period such as yesterday, 30d or last-month. Default: the oldest row.",
            valueName: "time"))
    var from: String?
    @Option(
        help: ArgumentHelp(
            "The last day (inclusive), a time, or a period. Default: now, or the end of the period in --from.",
            valueName: "time"))
    var to: String?
    @Option(name: .customLong("as"), help: "csv or ndjson.")
    var form = "csv"
    @Option(
        help: ArgumentHelp(
            """
            Names of columns, separated by commas, or a group: all (Branch's 142 and the link's URL, the default), native (16 that are \
            fast to read).
            """,
            valueName: "names"))
    var fields = "all"
    @Option(help: ArgumentHelp("The format of times in _iso columns: branch or iso8601.", valueName: "form"))
    var times = "branch"
    @Option(help: ArgumentHelp("The format of ids that Linden assigned: number or text.", valueName: "form"))
    var ids = ExportIDs.number.rawValue
    @Flag(help: "Compress the file with gzip.")
    var gzip = false
    @Option(name: .shortAndLong, help: ArgumentHelp("The file to write. Default: standard output.", valueName: "file"))
    var output: String?
    @Option(help: ArgumentHelp("Only rows after an earlier export: the checkpoint in its manifest.", valueName: "checkpoint"))
    var since: String?
    @Flag(
        help: "Continue an interrupted export to the same file. Without it, asks before FILE.partial is discarded."
    )
    var resume = false
    @OptionGroup var confirmation: Confirmation
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard ExportFormat(rawValue: form) != nil else {
            throw ValidationError("--as must be " + ExportFormat.allCases.map(\.rawValue).joined(separator: " or ") + ".")
        }
        guard exportTimes != nil else { throw ValidationError("--times must be branch or iso8601.") }
        guard ExportIDs(rawValue: ids) != nil else {
            throw ValidationError("--ids must be " + ExportIDs.allCases.map(\.rawValue).joined(separator: " or ") + ".")
        }
        guard !resume || output != nil else { throw ValidationError("--resume needs --output.") }
    }

    func run() async throws {
        let compression = try Compression(gzip)
        if let output {
            if !resume { try askToDiscardPartialFile(of: output) }
            try confirmation.askToReplace([output, output + ".manifest.json"])
        }
        try await common.withServices { services in
            let scope = try await services.apps.scope(of: app.app)
            var request = ExportRequest(
                scope: scope, topic: try ExportTopic(named: topic),
                range: try ExportRange(from: from, to: to, now: WallClock.system.now()))
            request.columns = try ExportColumn.columns(named: fields.split(separator: ",").map(String.init), of: request.topic)
            request.format = ExportFormat(rawValue: form) ?? .csv
            request.times = exportTimes ?? request.times
            request.ids = ExportIDs(rawValue: ids) ?? .number
            request.since = try since.map(ExportCheckpoint.init)
            var cursor = try await services.exports.begin(request)
            let sink: any ExportSink =
                try output.map { try ExportFile(path: $0, asked: asked, isResumed: resume, compression: compression, &cursor) }
                ?? ExportStream(compression: compression)
            let progress = Progress()
            while let bytes = try await cursor.next() {
                try sink.write(bytes, upTo: cursor)
                progress.show(cursor)
            }
            progress.clear()
            conclude(try sink.finish(cursor))
        }
    }

    /// Asks for confirmation before the partial file of an interrupted export is discarded.
    private func askToDiscardPartialFile(of output: String) throws {
        let partial = ExportFile.partialPath(of: output)
        guard FileManager.default.fileExists(atPath: partial) else { return }
        try confirmation.ask("\(partial) is of an export that was broken off, and --resume goes on with it. Discard it?")
    }

    private func conclude(_ manifest: JSONObject) {
        guard let output else {
            Output.say(JSON.object(manifest).text)
            return
        }
        Output(format: common.format).show((["file": .string(output)] as JSONObject).merging(manifest))
    }

    /// The options of the export. A partial file is resumed only if its export had the same ones.
    private var asked: JSON {
        [
            "app": .string(app.app), "topic": .string(topic), "from": JSON(from), "to": JSON(to), "as": .string(form),
            "fields": .string(fields), "gzip": .bool(gzip), "since": JSON(since), "times": .string(times), "ids": .string(ids),
        ]
    }

    /// The format of `--times`; nil if its value is invalid.
    private var exportTimes: ExportTimes? {
        switch times {
        case "branch": .branch(in: nil)
        case "iso8601": .iso8601
        default: nil
        }
    }
}
