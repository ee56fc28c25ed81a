import Linden
import LindenKernel
import LindenServices
import LindenTesting

extension Exchange {
    /// The entries of the audit log, oldest first.
    func auditEntries() async throws -> [AuditEntry] {
        try await services.audit.list(AuditFilter(), limit: 1000).entries.reversed()
    }

    /// The problems that `linden verify` finds in the audit log.
    func auditProblems() async throws -> [String] {
        let check = services.verification.checks().first { $0.name == "audit.chain" }!
        return try await services.verification.result(of: check).problems
    }
}
