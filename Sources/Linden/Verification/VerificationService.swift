/// Proves that what is stored agrees with itself.
package struct VerificationService: Sendable {
    /// Every check, in the order in which they are made.
    package let checks: [Check]
    private let storage: any Storage

    package init(storage: any Storage, checks: [Check] = CreditChecks.all) {
        self.storage = storage
        self.checks = checks
    }

    /// Each check looks at one moment's view, so a server may run beside it.
    package func result(of check: Check) async throws -> CheckResult {
        try await storage.read { try check.examine($0) }
    }
}
