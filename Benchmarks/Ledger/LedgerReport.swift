import Foundation

/// The results of the ledger benchmark.
struct LedgerReport: Encodable {
    struct Timing: Encodable {
        let name: String
        let examined: Int64
        let seconds: Double
        let problems: Int
    }

    let transactions: Int
    /// Seconds to write all transactions.
    let filling: Double
    let checks: [Timing]

    var problems: Int { checks.reduce(0) { $0 + $1.problems } }
    private var verifying: Double { checks.reduce(0) { $0 + $1.seconds } }

    var text: String {
        let lines = checks.map { check in
            String(
                format: "  %-22@ %10lld looked at  %6.2f s  %@", check.name as NSString, check.examined, check.seconds,
                (check.problems == 0 ? "right" : "\(check.problems) problems") as NSString)
        }
        return
            ([
                String(
                    format: "%d transactions written in %.1f s: %.0f a second, each on the disk before it is acknowledged",
                    transactions, filling, Double(transactions) / filling),
                String(format: "proved in %.2f s:", verifying),
            ] + lines).joined(separator: "\n")
    }

    var json: Data {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
            return try encoder.encode(self)
        }
    }
}
