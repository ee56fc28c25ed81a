import LindenKernel

/// The consistency checks of the audit log.
enum AuditChecks {
    static let all = [
        Check(
            "audit.chain",
            "Each entry of the audit log follows the one before without a gap, covers its hash, and has the details that were written; "
                + "the newest one is there."
        ) { try chain($0) }
    ]

    private static let page = 1000

    private static func chain(_ reader: any AuditReader) throws -> CheckResult {
        var (last, problems, isAtEnd): (AuditHead, [String], Bool) = (.beginning, [], false)
        while problems.count < CheckResult.mostProblems, !isAtEnd {
            let entries = try reader.auditEntries(after: last.position, limit: page)
            for entry in entries {
                if entry.position != last.position + 1 {
                    problems.append("Entries \(last.position + 1) to \(entry.position - 1) are missing.")
                }
                if entry.hash != entry.chained(to: last.hash) {
                    problems.append("Entry \(entry.position) is not the one that was written, or not after its predecessor.")
                }
                if !entry.hasItsDetails { problems.append("The details of entry \(entry.position) were changed.") }
                last = AuditHead(position: entry.position, hash: entry.hash)
            }
            isAtEnd = entries.count < page
        }
        if isAtEnd, let problem = problem(last, head: try reader.auditHead() ?? .beginning) { problems.append(problem) }
        return CheckResult(examined: last.position, problems: Array(problems.prefix(CheckResult.mostProblems)))
    }

    /// Compares the last entry with the one that was appended last.
    private static func problem(_ last: AuditHead, head: AuditHead) -> String? {
        if head.position > last.position { return "Entries \(last.position + 1) to \(head.position), the newest, are missing." }
        return head == last ? nil : "Entry \(last.position) is not the one that was appended last, entry \(head.position)."
    }
}
