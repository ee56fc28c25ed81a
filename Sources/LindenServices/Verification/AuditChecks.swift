import LindenKernel

/// The consistency checks of the audit log.
enum AuditChecks {
    static let all = [
        Check(
            "audit.chain",
            "Each entry of the audit log follows the one before without a gap, covers its hash, and has the details that were written."
        ) { try chain($0) }
    ]

    private static let page = 1000

    private static func chain(_ reader: any AuditReader) throws -> CheckResult {
        var (position, hash, problems): (Int64, [UInt8], [String]) = (0, [], [])
        while problems.count < CheckResult.mostProblems {
            let entries = try reader.auditEntries(after: position, limit: page)
            for entry in entries {
                if entry.position != position + 1 {
                    problems.append("Entries \(position + 1) to \(entry.position - 1) are missing.")
                }
                if entry.hash != entry.chained(to: hash) {
                    problems.append("Entry \(entry.position) is not the one that was written, or not after its predecessor.")
                }
                if !entry.hasItsDetails { problems.append("The details of entry \(entry.position) were changed.") }
                (position, hash) = (entry.position, entry.hash)
            }
            if entries.count < page { break }
        }
        return CheckResult(examined: position, problems: Array(problems.prefix(CheckResult.mostProblems)))
    }
}
