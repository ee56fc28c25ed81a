import ArgumentParser
import Foundation

@main
struct AccuracyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accuracy",
        abstract: "Measure how often installs are given to the right click.",
        discussion: """
            Histories of clicks and installs are made up, so that the truth is known, and run through Linden's rules and those that \
            others have published. Benchmarks/README.md tells how to read the result. The exit status is 1 if an opening that names \
            its click or link is not given to it.
            """)

    @Option(help: "How many people take part in each history.")
    var people = 100_000
    @Option(help: "What chance begins with; the same seed gives the same histories.")
    var seed: UInt64 = 1
    @Option(help: "Only this mix of networks; may be given several times.")
    var mix: [String] = []
    @Option(help: ArgumentHelp("Write the report as JSON too.", valueName: "file"))
    var json: String?

    func validate() throws {
        guard people > 0 else { throw ValidationError("--people must be at least 1.") }
        let names = NetworkMix.all.map(\.name)
        guard mix.allSatisfy(names.contains) else {
            throw ValidationError("--mix must be one of \(names.joined(separator: ", ")).")
        }
    }

    func run() async throws {
        let started = ContinuousClock.now
        let mixes = NetworkMix.all.filter { mix.isEmpty || mix.contains($0.name) }
        let report = await AccuracyReport(mixes, people: people, seed: seed) { Self.say("\($0) done") }
        print(report.text)
        if let json { try report.json.write(to: URL(fileURLWithPath: json)) }
        Self.say(String(format: "%.1f seconds", (ContinuousClock.now - started).inSeconds))
        guard report.isDeterministicPathExact else {
            Self.say("An opening that names its click or link was not given to it.")
            throw ExitCode.failure
        }
    }

    private static func say(_ text: String) {
        FileHandle.standardError.write(Data((text + "\n").utf8))
    }
}
