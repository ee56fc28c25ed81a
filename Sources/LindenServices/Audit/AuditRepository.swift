import Linden
import LindenKernel

/// Restricts a list of entries of the audit log. A member that is nil restricts nothing.
package struct AuditFilter: Sendable {
    package var app: App.ID?
    package var actorKind: AuditActor.Kind?
    /// The id of an access token, a user or an app with its secret.
    package var actorID: Int64?
    package var noun: String?
    package var subject: String?
    package var times: Range<Timestamp>?

    package init() {}
}

/// Position and hash of the newest entry of the audit log.
package struct AuditHead: Sendable, Equatable {
    package let position: Int64
    package let hash: [UInt8]

    /// The entry before the first one, which does not exist.
    package static let beginning = AuditHead(position: 0, hash: [])

    package init(position: Int64, hash: [UInt8]) {
        self.position = position
        self.hash = hash
    }
}

package protocol AuditReader {
    /// Returns the position of the last of the newest `count` entries in a range of positions, as far as an index finds them by the filter's
    /// row, actor or app; nil if the range has fewer. Reads only an index.
    func lastAuditEntry(_ filter: AuditFilter, in positions: Range<Int64>, among count: Int) throws -> Int64?
    /// Returns the entries in a range of positions that pass a filter, newest first. Its times are not compared.
    func auditEntries(_ filter: AuditFilter, in positions: Range<Int64>, limit: Int) throws -> [AuditEntry]
    /// Returns the position of the first entry that was written at a time or later; nil if there is none.
    func firstAuditEntry(since time: Timestamp) throws -> Int64?
    /// Returns position and hash of the entry that was appended last, as stored apart from the log; nil if there was none.
    func auditHead() throws -> AuditHead?
    /// Returns the entries that follow a position, oldest first.
    func auditEntries(after position: Int64, limit: Int) throws -> [AuditEntry]
}

package protocol AuditRepository: AuditReader {
    /// Runs `body` and appends an entry to the audit log for each row that it changed, as far as its table is recorded.
    ///
    /// - Parameter seed: random text, from which the salts of the entries are made.
    func recordChanges<Value>(by author: AuditAuthor, salting seed: String, _ body: () throws -> Value) throws -> Value
}

/// Lists the audit log.
package struct AuditService: Sendable {
    private let storage: any Database

    package init(storage: any Database) {
        self.storage = storage
    }

    /// Returns a page of entries, newest first, and the position before which the next page begins; nil at the end.
    ///
    /// At most ``mostEntriesRead`` entries are read for a page. If few of them pass the filter, the page is short or even empty, and the next
    /// one continues where it ended.
    package func list(
        _ filter: AuditFilter, before position: Int64? = nil, limit: Int
    ) async throws -> (entries: [AuditEntry], next: Int64?) {
        var rest = try await positions(in: filter.times).clamped(to: 0..<max(position ?? .max, 0))
        var found: [AuditEntry] = []
        for _ in 0..<Self.mostPortions {
            // One more than the page holds, which is the next page's.
            let (positions, wanted) = (rest, limit + 1 - found.count)
            let portion = try await storage.read { reader -> (entries: [AuditEntry], end: Int64?) in
                let end = try reader.lastAuditEntry(filter, in: positions, among: Self.portion)
                let read = positions.clamped(to: (end ?? 0)..<Int64.max)
                return (try reader.auditEntries(filter, in: read, limit: wanted), end)
            }
            found += portion.entries
            guard found.count <= limit else {
                found.removeLast()
                return (found, found.last?.position)
            }
            guard let end = portion.end else { return (found, nil) }
            rest = rest.clamped(to: 0..<end)
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
    /// The number of entries that one transaction reads, so that none takes long.
    private static let portion = 5000
    private static let mostPortions = 20
}
