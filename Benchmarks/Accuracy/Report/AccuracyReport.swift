import Foundation
import Linden

/// Everything one run of the benchmark found out. The same seed and size give the same report.
struct AccuracyReport: Sendable, Codable {
    let seed: UInt64
    let people: Int
    let ruleVersion: Int
    let mixes: [MixReport]
    /// By the name of the mix.
    let goals: [String: Goal]
    /// Openings that name their click or link: nothing may go wrong there.
    let deterministic: MixReport

    /// Mixes are independent, so they are worked on at once.
    init(_ mixes: [NetworkMix], people: Int, seed: UInt64, progress: @escaping @Sendable (String) -> Void) async {
        self.seed = seed
        self.people = people
        ruleVersion = AttributionRules.standard.version
        let reports = await withTaskGroup(of: MixReport.self) { group in
            for mix in mixes {
                group.addTask {
                    let report = MixReport(of: HistoryGenerator.history(mix, people: people, seed: seed), by: Contender.all)
                    progress(mix.name)
                    return report
                }
            }
            return await group.reduce(into: [String: MixReport]()) { $0[$1.mix] = $1 }
        }
        self.mixes = mixes.compactMap { reports[$0.name] }
        goals = Dictionary(uniqueKeysWithValues: self.mixes.map { ($0.mix, Goal($0)) })
        deterministic = MixReport(of: .deterministic(people: people / 10, seed: seed), by: [.linden])
    }

    var isDeterministicPathExact: Bool {
        deterministic.results.allSatisfy { $0.precision == 1 && $0.recall == 1 && $0.falseMatches == 0 }
    }

    var text: String {
        var text = Contender.all.map { "\($0.name): \($0.rule)" }.joined(separator: "\n") + "\n\n"
        text += mixes.map(\.text).joined(separator: "\n")
        let exact = deterministic.results[0]
        text += """

            == \(deterministic.mix): \(deterministic.description)
            \(deterministic.installs) installs, \(deterministic.organic) of them organic: \
            precision \(exact.precision.percent), recall \(exact.recall.percent)

            """
        return text
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
