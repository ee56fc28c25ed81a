import Foundation

/// Microseconds of CPU time, of which a quarter of the installs take less and a quarter more.
struct Spread: Encodable {
    let lowerQuartile: Double
    let median: Double
    let upperQuartile: Double

    init(_ values: [Double]) {
        let sorted = values.sorted()
        func value(_ share: Double) -> Double {
            sorted.isEmpty ? 0 : sorted[Int((Double(sorted.count - 1) * share).rounded())]
        }
        (lowerQuartile, median, upperQuartile) = (value(0.25), value(0.5), value(0.75))
    }

    var text: String { String(format: "%8.1f %8.1f %8.1f", lowerQuartile, median, upperQuartile) }
}

/// The results of the attribution benchmark.
struct AttributionReport: Encodable {
    /// The CPU time of one install of a kind in a round.
    struct Round: Encodable {
        let round: Int
        let kind: InstallKind
        /// On all threads of the process.
        let all: Spread
        /// In the write transaction, without its commit.
        let transaction: Spread
        /// In the rules, on evidence that is gathered already: microseconds.
        let rules: Double
    }

    let clicks: Int
    let neighbours: Int
    let installsPerRound: Int
    var rounds: [Round] = []

    private static let differences: [(name: String, kind: InstallKind, other: InstallKind)] = [
        ("a decision that refuses: refused - off", .refused, .off),
        ("a decision without clicks: organic - off", .organic, .off),
        ("a decision that matches: matched - named", .matched, .named),
    ]

    var text: String {
        let rows = rounds.map { round in
            let number = String(format: "%5d", round.round)
            let kind = round.kind.rawValue.padding(toLength: 8, withPad: " ", startingAt: 0)
            let rules = String(format: "%8.1f", round.rules)
            return "\(number)  \(kind)\(round.all.text)  \(round.transaction.text) \(rules)"
        }
        let parts: [(name: String, path: KeyPath<Round, Spread>)] = [("all", \.all), ("transaction", \.transaction)]
        var differences: [String] = []
        for (name, kind, other) in Self.differences {
            for part in parts {
                guard let spread = difference(kind, minus: other, part.path) else { continue }
                let title = "\(name): \(part.name)".padding(toLength: 56, withPad: " ", startingAt: 0)
                differences.append(title + spread.text)
            }
        }
        let header = [
            "Microseconds of CPU per install; \(installsPerRound) installs of each kind in a round, in turn",
            "round  kind        all threads: quartiles      transaction: quartiles    rules",
        ]
        if !differences.isEmpty { differences.insert("\nDifferences of medians within a round: quartiles of the rounds", at: 0) }
        return (header + rows + differences).joined(separator: "\n")
    }

    /// Returns the differences of two kinds' medians over the rounds; nil if one was not measured.
    private func difference(_ kind: InstallKind, minus other: InstallKind, _ part: KeyPath<Round, Spread>) -> Spread? {
        let values = rounds.filter { $0.kind == kind }.compactMap { round in
            rounds.first { $0.round == round.round && $0.kind == other }.map {
                round[keyPath: part].median - $0[keyPath: part].median
            }
        }
        return values.isEmpty ? nil : Spread(values)
    }

    var json: Data {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
            return try encoder.encode(self)
        }
    }
}
