/// A service that checks the stored data for consistency.
package struct VerificationService: Sendable {
    let storage: any Database

    package init(storage: any Database) {
        self.storage = storage
    }

    /// Returns all checks, in the order in which they run.
    ///
    /// - Parameter day: the day whose rows are compared with their counters, since 1970 in UTC; nil for today.
    package func checks(day: Int64? = nil) -> [Check] {
        [Self.pages, Self.references] + CreditChecks.all + AuditChecks.all + ClaimChecks.all + RollupChecks.all(day: day)
            + DayChecks.all(day: day)
    }

    private static let pages = Check(
        "storage.pages", "Every page of the database is well formed, and indexes agree with their tables."
    ) {
        CheckResult(examined: 1, problems: try $0.damage(within: nil) ?? [])
    }

    private static let references = Check("storage.references", "Each row that a foreign key names is there.") {
        CheckResult(examined: 1, problems: try $0.brokenReferences(limit: CheckResult.mostProblems))
    }

    /// Returns the damage to the database's files; nil if the time limit ended the check first.
    package func damage(within limit: Duration) async throws -> [String]? {
        try await storage.read { try $0.damage(within: limit) }
    }

    /// Runs a check. It reads one consistent snapshot, so a server may run at the same time.
    package func result(of check: Check) async throws -> CheckResult {
        try await storage.read { try check.examine($0) }
    }
}
