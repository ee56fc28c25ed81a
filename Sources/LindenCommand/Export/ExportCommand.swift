import ArgumentParser
import Linden

struct ExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write clicks, sessions or events to a file, also while the server runs.",
        discussion: """
            With --output, the file is complete once it has its name; until then it is FILE.partial, which --resume goes on with. Beside \
            it FILE.manifest.json says what is in it. Without --output, rows go to the standard output and the manifest to the standard \
            error.

            The manifest's checkpoint is where the next export goes on: with --since, exports follow one another without a gap and \
            without a row twice.
            """)

    @OptionGroup var app: AppOption
    @Option(help: ArgumentHelp("What to write: " + ExportTopic.allCases.map(\.rawValue).joined(separator: ", ") + "."))
    var topic: String
    @Option(
        help: ArgumentHelp(
            "The first day (UTC), a time in ISO 8601, or a period such as yesterday, 30d or last-month; the beginning of all if left out.",
            valueName: "time"))
    var from: String?
    @Option(
        help: ArgumentHelp(
            "The last day, with all of it, a time, or a period; if left out, now or the end of a period that --from names.",
            valueName: "time"))
    var to: String?
    @Option(name: .customLong("as"), help: "csv or ndjson.")
    var form = "csv"
    @Option(
        help: ArgumentHelp(
            "Columns by name, separated by commas; all (Branch's 142, the default) or native (16 that are quick to tell).",
            valueName: "names"))
    var fields = "all"
    @Flag(help: "Pack the file.")
    var gzip = false
    @Option(name: .shortAndLong, help: ArgumentHelp("Where to write; the standard output if left out.", valueName: "file"))
    var output: String?
    @Option(help: ArgumentHelp("Only what came after an earlier export: the checkpoint in its manifest.", valueName: "checkpoint"))
    var since: String?
    @Flag(help: "Go on with an export to the same file that was broken off.")
    var resume = false
    @OptionGroup var confirmation: Confirmation
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard ExportFormat(rawValue: form) != nil else {
            throw ValidationError("--as must be " + ExportFormat.allCases.map(\.rawValue).joined(separator: " or ") + ".")
        }
        guard !resume || output != nil else { throw ValidationError("--resume needs --output.") }
    }

    func run() async throws {
        let packing = try Packing(gzip)
        if let output { try confirmation.askToReplace([output, output + ".manifest.json"]) }
        try await common.withServices { services in
            let scope = try await services.apps.context(app.app).scope
            var request = ExportRequest(
                scope: scope, topic: try ExportTopic(named: topic),
                range: try ExportRange(from: from, to: to, now: WallClock.system.now()))
            request.columns = try ExportColumn.columns(named: fields.split(separator: ",").map(String.init), of: request.topic)
            request.format = ExportFormat(rawValue: form) ?? .csv
            request.since = try since.map(ExportCheckpoint.init)
            var cursor = try await services.exports.begin(request)
            let sink: any ExportSink =
                try output.map { try ExportFile(path: $0, asked: asked, isResumed: resume, packing: packing, &cursor) }
                ?? ExportStream(packing: packing)
            let progress = Progress()
            while let bytes = try await cursor.next() {
                try sink.write(bytes, upTo: cursor)
                progress.show(cursor)
            }
            progress.clear()
            conclude(try sink.finish(cursor))
        }
    }

    private func conclude(_ manifest: JSONObject) {
        guard let output else {
            Output.say(JSON.object(manifest).text)
            return
        }
        Output(format: common.format).show((["file": .string(output)] as JSONObject).merging(manifest))
    }

    /// What a broken-off export must have been asked for to be gone on with.
    private var asked: JSON {
        [
            "app": .string(app.app), "topic": .string(topic), "from": JSON(from), "to": JSON(to), "as": .string(form),
            "fields": .string(fields), "gzip": .bool(gzip), "since": JSON(since),
        ]
    }
}
