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
