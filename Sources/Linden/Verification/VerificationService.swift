/// Proves that what is stored agrees with itself.
package struct VerificationService: Sendable {
    private let storage: any Storage

    package init(storage: any Storage) {
        self.storage = storage
    }

    /// Every check, in the order in which they are made.
    ///
    /// - Parameter day: whose rows are held against their counters, since 1970 in UTC; nil for today.
    package func checks(day: Int64? = nil) -> [Check] {
        [Self.pages] + CreditChecks.all + RollupChecks.all(day: day)
    }

    private static let pages = Check(
        "storage.pages", "Every page of the database is well formed, and indexes agree with their tables."
    ) {
        CheckResult(examined: 1, problems: try $0.damage(within: nil) ?? [])
    }

    /// What is damaged, as far as a time is enough to find it; nil if it is not enough to read all.
    package func damage(within limit: Duration) async throws -> [String]? {
        try await storage.read { try $0.damage(within: limit) }
    }

    /// Each check looks at one moment's view, so a server may run beside it.
    package func result(of check: Check) async throws -> CheckResult {
        try await storage.read { try check.examine($0) }
    }
}
