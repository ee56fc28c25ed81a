import LindenKernel
import LindenServices

/// A table whose changes by operators are recorded in the audit log, with the columns that an entry shows.
package struct AuditedTable: Sendable {
    struct Column: Sendable {
        enum Kind: Sendable {
            case text, number, flag, time
            /// A JSON object, whose members are compared and shown one by one.
            case object
            /// A secret: only whether it changed is recorded.
            case hidden
        }

        let name: String
        let kind: Kind
        /// The expression that selects it.
        let sql: String

        init(_ name: String, _ kind: Kind = .text, sql: String? = nil) {
            self.name = name
            self.kind = kind
            self.sql = sql ?? name
        }
    }

    package let name: String
    /// The kind of row in entries.
    let noun: String
    let key: [String]
    let columns: [Column]
    /// The expressions that select the id of the row in entries, its app and mode, and the identity that its values are about.
    var subject: String?
    var app = "app_id"
    var mode = "mode"
    var identity: String?
    /// The column with the time of a deletion that keeps the row.
    var deletion: String?
    /// Whether only rows with an identity are recorded.
    var isOnlyOfIdentities = false
    /// The changes that are recorded: an operator's call also touches rows that it is not about.
    var changes: Set<AuditEntry.Change> = [.created, .changed, .deleted]
    /// Whether rows are counted rather than shown, because a call writes thousands.
    var isCounted = false

    static func named(_ name: String) -> AuditedTable? { byName[name] }

    private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
}
