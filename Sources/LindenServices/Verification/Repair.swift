import Linden
import LindenKernel
import LindenReporting

/// A repair of what a check found: derives wrong rows again from the rows that are their source. It never makes up a row whose source is not
/// there, and changes no log and no ledger entry.
package struct Repair: Sendable {
    /// The name, that of the check whose rows it derives.
    package let name: String
    /// What the rows are derived from, such as `the entries of each account`.
    package let source: String
    /// The checks whose problems it can solve.
    private let checks: Set<String>
    /// Returns what is to be changed.
    let changes: @Sendable (any DatabaseReader) throws -> [Change]

    /// Whether it may solve a problem that a check found.
    package func solves(_ check: String) -> Bool { checks.contains(check) }

    /// A change that a repair makes.
    struct Change {
        /// The change in one sentence.
        let text: String
        let apply: (any DatabaseTransaction) throws -> Void
    }

    init(
        _ name: String, from source: String, checks: Set<String>? = nil,
        changes: @escaping @Sendable (any DatabaseReader) throws -> [Change]
    ) {
        self.name = name
        self.source = source
        self.checks = checks ?? [name]
        self.changes = changes
    }
}

/// The result of a repair, or of the dry run of one.
package struct RepairResult: Sendable {
    package let repair: Repair
    /// The number of changes.
    package let changes: Int
    /// A sample of the changes, one sentence each.
    package let examples: [String]
    /// Why the repair was not possible; nil if it was.
    package let problem: String?

    /// The maximum number of examples in a result.
    package static let mostExamples = 20

    fileprivate init(_ repair: Repair, _ changes: [Repair.Change]) {
        self.repair = repair
        self.changes = changes.count
        examples = changes.prefix(Self.mostExamples).map(\.text)
        problem = nil
    }

    /// The result of a repair that was not possible.
    package init(_ repair: Repair, problem: String) {
        self.repair = repair
        (changes, examples, self.problem) = (0, [], problem)
    }
}

extension VerificationService {
    /// Returns the repairs for the problems of some checks, in the order in which they must run: each may rely on the ones before.
    ///
    /// - Parameters:
    ///   - checks: the names of the checks that failed.
    ///   - day: as for ``checks(day:)``.
    package func repairs(of checks: Set<String>, day: Int64? = nil) -> [Repair] {
        Repair.all(day: day).filter { checks.contains(where: $0.solves) }
    }

    /// Returns what a repair would change.
    package func plan(_ repair: Repair) async throws -> RepairResult {
        try await storage.read { RepairResult(repair, try repair.changes($0)) }
    }

    /// Runs a repair, in one transaction. No server may run meanwhile: it would wait for the transaction.
    package func run(_ repair: Repair) async throws -> RepairResult {
        try await storage.write { transaction in
            let changes = try repair.changes(transaction)
            for change in changes { try change.apply(transaction) }
            return RepairResult(repair, changes)
        }
    }
}
