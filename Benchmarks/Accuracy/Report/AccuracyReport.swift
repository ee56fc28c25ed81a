import Foundation
import Linden

/// The results of one run of the benchmark. Deterministic: equal seeds, size and assumptions give an equal report.
struct AccuracyReport: Sendable, Codable {
    struct Sensitivity: Sendable, Codable {
        let changed: String
        let installs: Confusion
        let openings: Confusion
    }

    struct Options: Sendable {
        var people: Int
        var seed: UInt64
        /// The number of histories per mix that are summed, with consecutive seeds.
        var histories = 1
        var assumptions = Assumptions.standard
        var hasCurves = false
        var hasSensitivity = false
    }

    let seed: UInt64
    let histories: Int
    let people: Int
    let ruleVersion: Int
    let mixes: [MixReport]
    let goals: [Goal]
    let contests: [Contest]
    /// The results of the mixed history under other assumptions.
    let sensitivity: [Sensitivity]
    /// The results of openings that identify their click or link, where no error is allowed.
    let deterministic: MixReport

    /// Evaluates the mixes in parallel.
    init(_ mixes: [NetworkMix], _ options: Options, progress: @escaping @Sendable (String) -> Void) async {
        seed = options.seed
        histories = options.histories
        people = options.people
        ruleVersion = AttributionRules.standard.version
        let reports = await withTaskGroup(of: MixReport.self) { group in
            for mix in mixes {
                group.addTask {
                    let report = Self.report(on: mix, options)
                    progress(mix.name)
                    return report
                }
            }
            return await group.reduce(into: [String: MixReport]()) { $0[$1.mix] = $1 }
        }
        self.mixes = mixes.compactMap { reports[$0.name] }
        goals = [Goal](self.mixes, .linden)
        contests = self.mixes.flatMap { mix in mix.results.compactMap { Contest(mix, .linden, against: $0) } }
        sensitivity = options.hasSensitivity ? await Self.sensitivity(options, progress) : []
        deterministic = MixReport(
            of: .deterministic(people: options.people / 10, seed: options.seed, options.assumptions), by: [.linden],
            withCurves: false)
    }

    private static func report(on mix: NetworkMix, _ options: Options) -> MixReport {
        func measure(_ seed: UInt64) -> MixReport {
            MixReport(
                of: HistoryGenerator.history(mix, people: options.people, seed: seed, assumptions: options.assumptions),
                by: Contender.all, withCurves: options.hasCurves)
        }
        var report = measure(options.seed)
        for number in 1..<max(1, options.histories) { report.add(measure(options.seed + UInt64(number))) }
        return report
    }

    private static func sensitivity(_ options: Options, _ progress: @escaping @Sendable (String) -> Void) async -> [Sensitivity] {
        let variants = [Assumptions.Variant(name: "as they are", assumptions: options.assumptions)] + options.assumptions.variants
        return await withTaskGroup(of: (Int, Sensitivity).self) { group in
            for (index, variant) in variants.enumerated() {
                group.addTask {
                    let tally = (0..<UInt64(options.histories)).map { number in
                        Tally(
                            of: HistoryGenerator.history(
                                .mixed, people: options.people, seed: options.seed + number, assumptions: variant.assumptions),
                            by: Contender.linden.attributor())
                    }.reduce(Tally(), +)
                    progress(variant.name)
                    return (index, Sensitivity(changed: variant.name, installs: tally.installs, openings: tally.openings))
                }
            }
            return await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }

    var isDeterministicPathExact: Bool {
        deterministic.results.allSatisfy { $0.tally.named.precision == 1 && $0.tally.named.recall == 1 }
    }

    var json: Data {
        get throws {
            let encoder = JSONEncoder()
            encoder.keyEncodingStrategy = .convertToSnakeCase
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
            return try encoder.encode(self)
        }
    }
}
