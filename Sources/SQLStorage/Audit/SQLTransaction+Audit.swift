import Linden
import LindenKernel
import LindenServices
import LinkRouting

extension SQLTransaction {
    package func recordChanges<Value>(by author: AuditAuthor, salting seed: String, _ body: () throws -> Value) throws -> Value {
        let recorder = ChangeRecorder(connection)
        let value = try withConnection(recorder, body)
        let changes = try recorder.changes()
        guard !changes.isEmpty else { return value }
        // Not the last row: an entry after one that was removed would take its place, and hide the removal.
        var last = try auditHead() ?? .beginning
        for (number, change) in changes.enumerated() {
            let salt = Hex.encode(Secret.hash("\(seed):\(number)").prefix(16))
            let details = AuditDetails(by: author, before: change.before, after: change.after, salt: salt)
            let entry = AuditEntry(after: last, at: now, by: author, change.subject, isPersonal: change.identity != nil, details)
            try append(entry, identity: change.identity)
            last = AuditHead(position: entry.position, hash: entry.hash)
        }
        try connection.execute(
            """
            INSERT INTO installation (name, value) VALUES ('audit_head', \(last.text))
            ON CONFLICT (name) DO UPDATE SET value = excluded.value
            """)
        return value
    }

    package func auditHead() throws -> AuditHead? {
        try connection.first("SELECT value FROM installation WHERE name = 'audit_head'") { $0.text(0) }.flatMap(
            AuditHead.init(text:))
    }

    private func append(_ entry: AuditEntry, identity: Identity.ID?) throws {
        let (subject, details) = (entry.subject, entry.details)
        try connection.execute(
            """
            INSERT INTO audit_entries (position, created_at, app_id, mode, actor_kind, actor_id, interface, action, noun, subject,
                change, is_personal, identity_id, details, salt, details_hash, hash)
            VALUES (\(entry.position), \(entry.time), \(subject.app), \(subject.mode), \(entry.actorKind.rawValue), \(entry.actorID),
                \(entry.interface), \(entry.action), \(subject.noun), \(subject.id), \(subject.change.rawValue), \(entry.isPersonal),
                \(identity), \(details.text), \(details.salt), \(details.hash), \(entry.hash))
            """)
    }

    package func lastAuditEntry(_ filter: AuditFilter, in positions: Range<Int64>, among count: Int) throws -> Int64? {
        var conditions = AuditConditions(positions)
        if let subject = filter.subject, let noun = filter.noun {
            conditions.require("noun =", noun)
            conditions.require("subject =", subject)
        } else if let id = filter.actorID, let kind = filter.actorKind {
            conditions.require("actor_kind =", kind.rawValue)
            conditions.require("actor_id =", id)
        } else {
            conditions.require("app_id =", filter.app)
        }
        return try connection.first(conditions.query("position", limit: 1, offset: count - 1)) { $0.integer(0) }
    }

    package func auditEntries(_ filter: AuditFilter, in positions: Range<Int64>, limit: Int) throws -> [AuditEntry] {
        var conditions = AuditConditions(positions)
        conditions.require("app_id =", filter.app)
        conditions.require("actor_kind =", filter.actorKind?.rawValue)
        conditions.require("actor_id =", filter.actorID)
        conditions.require("noun =", filter.noun)
        conditions.require("subject =", filter.subject)
        return try connection.query(conditions.query("\(AuditEntry.columns)", limit: limit), AuditEntry.init(row:))
    }

    package func firstAuditEntry(since time: Timestamp) throws -> Int64? {
        try connection.first(
            "SELECT position FROM audit_entries WHERE created_at >= \(time) ORDER BY created_at, position LIMIT 1"
        ) { $0.integer(0) }
    }

    package func auditEntries(after position: Int64, limit: Int) throws -> [AuditEntry] {
        try connection.query(
            """
            SELECT \(raw: AuditEntry.columns) FROM audit_entries WHERE position > \(position) ORDER BY position LIMIT \(limit)
            """, AuditEntry.init(row:))
    }

    /// Erases the details of some entries about an identity. The chain does not need them. Returns false if there may be more.
    package func eraseAuditDetails(of identity: Identity.ID) throws -> Bool {
        let erased = try connection.changedRows(
            by: """
                UPDATE audit_entries SET details = NULL, salt = NULL, identity_id = NULL
                WHERE position IN (SELECT position FROM audit_entries WHERE identity_id = \(identity) LIMIT \(Self.entriesPerErasure))
                """)
        return erased < Self.entriesPerErasure
    }

    /// An entry has some 10 KB of details, and an identity may have any number of entries.
    private static let entriesPerErasure = 200
}

extension AuditHead {
    /// The position and the hash in hexadecimal, such as `17 9f86d081…`.
    fileprivate var text: String { "\(position) \(Hex.encode(hash))" }

    fileprivate init?(text: String) {
        let words = text.split(separator: " ")
        guard words.count == 2, let position = Int64(words[0]), let hash = Hex.decode(words[1]) else { return nil }
        self.init(position: position, hash: hash)
    }
}

/// The conditions of a query of the audit log, which depend on its filter.
private struct AuditConditions {
    private var texts = ["position >= $1", "position < $2"]
    private var values: [SQLValue]

    init(_ positions: Range<Int64>) {
        values = [.integer(positions.lowerBound), .integer(positions.upperBound)]
    }

    /// Adds a comparison with a value, unless that is nil.
    mutating func require(_ comparison: String, _ value: (some SQLEncodable)?) {
        guard let value else { return }
        values.append(value.sqlValue)
        texts.append("\(comparison) $\(values.count)")
    }

    /// Returns the query of the newest entries that meet the conditions.
    func query(_ columns: String, limit: Int, offset: Int = 0) -> SQL {
        SQL(
            text: """
                SELECT \(columns) FROM audit_entries WHERE \(texts.joined(separator: " AND "))
                ORDER BY position DESC LIMIT $\(values.count + 1) OFFSET $\(values.count + 2)
                """, values: values + [.integer(Int64(limit)), .integer(Int64(offset))])
    }
}

extension AuditEntry {
    fileprivate static let columns: StaticString = """
        position, created_at, app_id, mode, actor_kind, actor_id, interface, action, noun, subject, change, details, salt, \
        details_hash, hash, is_personal
        """

    fileprivate init(row: any SQLRow) {
        self.init(
            position: row.integer(0), time: row.time(1), actorKind: AuditActor.Kind(rawValue: row.text(4)) ?? .command,
            actorID: row.optionalInteger(5), interface: row.text(6), action: row.text(7),
            subject: Subject(
                noun: row.text(8), id: row.optionalText(9), change: Change(rawValue: row.text(10)) ?? .changed,
                app: row.optionalID(2), mode: row.optionalInteger(3).flatMap(Mode.init(rawValue:))),
            isPersonal: row.bool(15),
            details: AuditDetails(text: row.optionalText(11), salt: row.optionalText(12), hash: row.blob(13)), hash: row.blob(14))
    }
}
