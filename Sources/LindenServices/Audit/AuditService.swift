import Linden
import LindenKernel
import LindenReporting

/// Lists the audit log.
package struct AuditService: Sendable {
    private let storage: any Database
    private let turns: AnswerTurns<App.ID>

    package init(storage: any Database, turns: AnswerTurns<App.ID>) {
        self.storage = storage
        self.turns = turns
    }

    /// Returns a page of entries, newest first, and the position before which the next page begins; nil at the end.
    ///
    /// At most ``mostEntriesRead`` entries are read for a page, and a page ends once its details have ``mostBytes``. If few entries pass the
    /// filter, the page is short or even empty, and the next one continues where it ended.
    package func list(
        _ filter: AuditFilter, before position: Int64? = nil, limit: Int
    ) async throws -> (entries: [AuditEntry], next: Int64?) {
        // Whatever the limit: with a filter that few entries pass, as many are looked at.
        try await turns.run(of: filter.app ?? .allApps) { try await read(filter, before: position, limit: limit) }
    }

    private func read(
        _ filter: AuditFilter, before position: Int64?, limit: Int
    ) async throws -> (entries: [AuditEntry], next: Int64?) {
        var rest = try await positions(in: filter.times).clamped(to: 0..<max(position ?? .max, 0))
        var (found, bytes, portions) = ([AuditEntry](), 0, 0)
        while portions < Self.mostPortions {
            // One more than the page holds, which is the next page's.
            let (positions, wanted) = (rest, min(limit + 1 - found.count, Self.entriesAtOnce))
            let portion = try await storage.read { reader -> (entries: [AuditEntry], end: Int64?) in
                let end = try reader.lastAuditEntry(filter, in: positions, among: Self.portion)
                let read = positions.clamped(to: (end ?? 0)..<Int64.max)
                return (try reader.auditEntries(filter, in: read, limit: wanted), end)
            }
            for entry in portion.entries {
                guard found.count < limit, bytes < Self.mostBytes else { return (found, found.last?.position) }
                found.append(entry)
                bytes += entry.details.text?.utf8.count ?? 0
            }
            if portion.entries.count == wanted, let last = found.last {
                rest = rest.clamped(to: 0..<last.position)
            } else {
                guard let end = portion.end else { return (found, nil) }
                rest = rest.clamped(to: 0..<end)
                portions += 1
            }
        }
        return (found, rest.upperBound)
    }

    /// The positions of entries that were written in a range of times; all of them for nil.
    private func positions(in times: Range<Timestamp>?) async throws -> Range<Int64> {
        guard let times else { return 0..<Int64.max }
        let (first, end) = try await storage.read { reader in
            (try reader.firstAuditEntry(since: times.lowerBound), try reader.firstAuditEntry(since: times.upperBound))
        }
        guard let first else { return 0..<0 }
        return first..<max(first, end ?? .max)
    }

    /// The most entries that are read for a page.
    package static let mostEntriesRead = portion * mostPortions
    /// The bytes of details at which a page ends.
    package static let mostBytes = 1 << 20
    /// The number of entries among which one transaction looks, and the most that it reads, so that none takes long.
    private static let portion = 5000
    private static let entriesAtOnce = 100
    private static let mostPortions = 20
}

extension Identifier<App> {
    /// Stands for all apps in the turns of lists.
    static var allApps: App.ID { Identifier(rawValue: 0) }
}
