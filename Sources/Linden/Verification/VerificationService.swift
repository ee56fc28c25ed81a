/// Proves that what is stored agrees with itself.
package struct VerificationService: Sendable {
    private let storage: any Storage

    package init(storage: any Storage) {
        self.storage = storage
    }

    /// Every check, in the order in which they are made.
    ///
    /// - Parameter day: whose rows are held against their counters, since 1970 in UTC; nil for today.
    package func checks(day: Int64? = nil) -> [Check] { CreditChecks.all + RollupChecks.all(day: day) }

    /// Each check looks at one moment's view, so a server may run beside it.
    package func result(of check: Check) async throws -> CheckResult {
        try await storage.read { try check.examine($0) }
    }
}
