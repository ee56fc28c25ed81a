import ArgumentParser
import Foundation

@main
struct AccuracyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accuracy",
        abstract: "Measure the false match rate and recall of probabilistic attribution.",
        discussion: """
            Generates histories of clicks, installs and later openings in which the true cause of each is known, and runs Linden's rules \
            and published ones over them. Benchmarks/README.md explains the result. Rules are tuned on seeds below 100. The exit status \
            is 1 if an opening that names its click or link is not attributed to it.
            """)

    @Option(help: "How many people take part in each history.")
    var people = 100_000
    @Option(help: "The first seed; the same seed gives the same histories.")
    var seed: UInt64 = 101
    @Option(help: "How many histories of each mix are added up, with one seed after the other.")
    var histories = 1
    @Option(help: "Only this mix of networks; may be given several times.")
    var mix: [String] = []
    @Flag(help: "Try other thresholds as well: the precision–recall curves.")
    var curves = false
    @Flag(help: "Run the mixed history under other assumptions as well.")
    var sensitivity = false
    @Option(help: ArgumentHelp("Write the report as JSON too.", valueName: "file"))
    var json: String?
    @OptionGroup(title: "Assumptions") var assumptions: Assumptions

    func validate() throws {
        guard people > 0 else { throw ValidationError("--people must be at least 1.") }
        guard histories > 0 else { throw ValidationError("--histories must be at least 1.") }
        let names = NetworkMix.all.map(\.name)
        guard mix.allSatisfy(names.contains) else {
            throw ValidationError("--mix must be one of \(names.joined(separator: ", ")).")
        }
    }

    func run() async throws {
        let started = ContinuousClock.now
        let mixes = NetworkMix.all.filter { mix.isEmpty || mix.contains($0.name) }
        let options = AccuracyReport.Options(
            people: people, seed: seed, histories: histories, assumptions: assumptions, hasCurves: curves,
            hasSensitivity: sensitivity)
        let report = await AccuracyReport(mixes, options) { Self.say("\($0) done") }
        print(report.text)
        if let json { try report.json.write(to: URL(fileURLWithPath: json)) }
        Self.say(String(format: "%.1f seconds", (ContinuousClock.now - started).inSeconds))
        guard report.isDeterministicPathExact else {
            Self.say("An opening that names its click or link was not attributed to it.")
            throw ExitCode.failure
        }
    }

    private static func say(_ text: String) {
        FileHandle.standardError.write(Data((text + "\n").utf8))
    }
}
