import ArgumentParser
import Foundation

@main
struct AttributionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "attribution",
        abstract: "Measure the CPU time that probabilistic attribution adds to an install.",
        discussion: """
            Starts sessions in a SQLite database of its own, as the server does for the requests of SDKs. Benchmarks/README.md explains the \
            result. The exit status is 1 if an install is attributed otherwise than its kind.
            """)

    @Option(help: "How many clicks the database holds before the first round.")
    var clicks = 20_000
    @Option(help: "How many other people have clicked at the address of each install.")
    var neighbours = 3
    @Option(help: "How many rounds there are.")
    var rounds = 7
    @Option(help: "How many installs of each kind are measured in a round.")
    var count = 500
    @Option(help: "How many installs of each kind are prepared in a round, at least --count. By default as many.")
    var prepare: Int?
    @Option(help: "Only this kind of install; may be given several times.")
    var only: [InstallKind] = []
    @Option(help: ArgumentHelp("Write the report as JSON too.", valueName: "file"))
    var json: String?

    func validate() throws {
        // With more neighbours, there are more clicks than the rules compare.
        guard (1...20).contains(neighbours) else { throw ValidationError("--neighbours must be 1 to 20.") }
        guard rounds > 0, count > 0 else { throw ValidationError("--rounds and --count must be at least 1.") }
        guard prepare ?? count >= count else { throw ValidationError("--prepare must be at least --count, which is \(count).") }
        let least = 50 * (neighbours + 1)
        // Statistics of the app's devices begin with 100 of them.
        guard clicks >= least else { throw ValidationError("--clicks must be at least \(least) for \(neighbours) neighbours.") }
    }

    func run() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("linden-attribution-" + UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let kinds = InstallKind.allCases.filter { only.isEmpty || only.contains($0) }
        let run = AttributionRun(
            clicks: clicks, neighbours: neighbours, rounds: rounds, prepared: prepare ?? count, count: count, kinds: kinds)
        let report = try await run.measure(in: folder.appendingPathComponent("linden.db").path)
        print(report.text)
        if let json { try report.json.write(to: URL(fileURLWithPath: json)) }
    }
}
