import Linden
import LindenKernel
import LindenServices

/// A connection that forwards all calls, and notes which rows of audited tables they write: each row is read before its first write and
/// once more by ``changes()``. So no repository needs to know of the audit log, and none can forget it.
final class ChangeRecorder: SQLConnection {
    private struct Noted {
        let table: AuditedTable
        let key: [SQLValue]
        let before: AuditedRow?
    }

    private let connection: any SQLConnection
    private var noted: [Noted] = []
    private var keys: Set<BytewiseText> = []
    /// The numbers of written rows of counted tables.
    private var counts: [(table: AuditedTable, change: AuditEntry.Change, rows: Int)] = []

    init(_ connection: any SQLConnection) {
        self.connection = connection
    }

    // MARK: Connection

    func query<Value>(_ sql: SQL, _ decode: (any SQLRow) throws -> Value) throws -> [Value] {
        let counted = try note(sql)
        let values = try connection.query(sql, decode)
        count(counted, values.count)
        return values
    }

    func read(_ sql: SQL, while body: (any SQLRow) throws -> Bool) throws { try connection.read(sql, while: body) }

    func changedRows(by sql: SQL) throws -> Int {
        let counted = try note(sql)
        let rows = try connection.changedRows(by: sql)
        count(counted, rows)
        return rows
    }

    func changedRows(by sql: StaticSQL, _ bind: (any SQLBindings) -> Void) throws -> Int {
        let values = CollectedBindings()
        bind(values)
        let counted = try note(SQL(text: sql.text, values: values.values))
        let rows = try connection.changedRows(by: sql, bind)
        count(counted, rows)
        return rows
    }

    func read(_ sql: StaticSQL, _ bind: (any SQLBindings) -> Void, while body: (any SQLRow) throws -> Bool) throws {
        assert(WriteStatement(sql.text) == nil, "What it changes is not noted: \(sql.text)")
        try connection.read(sql, bind, while: body)
    }

    func hasRows(_ sql: StaticSQL, _ bind: (any SQLBindings) -> Void) throws -> Bool { try connection.hasRows(sql, bind) }

    func damage(within limit: Duration?) throws -> [String]? { try connection.damage(within: limit) }

    func brokenReferences(limit: Int) throws -> [String] { try connection.brokenReferences(limit: limit) }

    func execute(script: String) throws { try connection.execute(script: script) }

    // MARK: Notes

    /// Notes the rows that a statement is about to write. Returns the table if its rows are counted instead.
    private func note(_ sql: SQL) throws -> (table: AuditedTable, change: AuditEntry.Change)? {
        let text = sql.text
        guard let statement = WriteStatement.known(text), let table = AuditedTable.named(statement.table) else { return nil }
        if table.isCounted {
            return (table, text.hasPrefix("INSERT") ? .created : text.hasPrefix("UPDATE") ? .changed : .deleted)
        }
        switch statement.rows {
        case .inserted(let values):
            let key = table.key.compactMap { column in values[column].flatMap { sql.value(of: $0) } }
            guard key.count == table.key.count else { throw UnrecordedWrite(statement: text) }
            try note(table, key)
        case .unknown: throw UnrecordedWrite(statement: text)
        case .matching(let condition):
            let select = "SELECT \(table.key.joined(separator: ", ")) FROM \(table.name)"
            let rows = condition.map { SQL(select + " WHERE ", $0, of: sql.values) } ?? SQL(text: select, values: [])
            for key in try connection.query(
                rows, { row in table.key.indices.map { row.value($0, isBlob: table.key[$0] == "hash") } })
            {
                try note(table, key)
            }
        }
        return nil
    }

    private func note(_ table: AuditedTable, _ key: [SQLValue]) throws {
        guard keys.insert(BytewiseText("\(table.name) \(key)")).inserted else { return }
        noted.append(Noted(table: table, key: key, before: try row(of: table, key)))
    }

    private func count(_ counted: (table: AuditedTable, change: AuditEntry.Change)?, _ rows: Int) {
        guard let (table, change) = counted, rows > 0, table.changes.contains(change) else { return }
        if let index = counts.firstIndex(where: { $0.table.name == table.name && $0.change == change }) {
            counts[index].rows += rows
        } else {
            counts.append((table, change, rows))
        }
    }

    private func row(of table: AuditedTable, _ key: [SQLValue]) throws -> AuditedRow? {
        let condition = table.key.enumerated().map { "\($1) = $\($0 + 1)" }.joined(separator: " AND ")
        let sql = SQL(text: "SELECT \(AuditedRow.selection(of: table)) FROM \(table.name) WHERE \(condition)", values: key)
        return try connection.first(sql) { AuditedRow(row: $0, of: table) }
    }

    // MARK: Changes

    /// A row that differs from its state before the first write, or a number of rows.
    struct Change {
        let subject: AuditEntry.Subject
        let identity: Identity.ID?
        let before: JSONObject
        let after: JSONObject
    }

    /// Returns what the statements so far have changed, in the order of the first writes.
    func changes() throws -> [Change] {
        let rows = try noted.compactMap { note -> Change? in
            let (table, before) = (note.table, note.before)
            let after = try row(of: table, note.key)
            guard let known = after ?? before, !table.isOnlyOfIdentities || known.identity != nil else { return nil }
            let values = AuditedRow.difference(before, after)
            let isSame = before != nil && after != nil && values.before.isEmpty && values.after.isEmpty
            let kind = change(of: table, before, after)
            guard !isSame, table.changes.contains(kind) else { return nil }
            return Change(
                subject: AuditEntry.Subject(noun: table.noun, id: known.subject, change: kind, app: known.app, mode: known.mode),
                identity: known.identity ?? before?.identity, before: values.before, after: values.after)
        }
        return rows
            + counts.map { table, change, rows in
                Change(
                    subject: AuditEntry.Subject(noun: table.noun, id: nil, change: change, app: nil, mode: nil), identity: nil,
                    before: [:], after: ["rows": JSON(rows)])
            }
    }

    private func change(of table: AuditedTable, _ before: AuditedRow?, _ after: AuditedRow?) -> AuditEntry.Change {
        guard let before else { return .created }
        guard let after else { return .deleted }
        if let deletion = table.deletion, after.has(deletion), !before.has(deletion) { return .deleted }
        return .changed
    }
}

/// A statement on an audited table whose key the recorder does not find in its text: an error of the program.
private struct UnrecordedWrite: Error, CustomStringConvertible {
    let statement: String

    var description: String { "The audit log cannot record the statement: \(statement)" }
}

private final class CollectedBindings: SQLBindings {
    private(set) var values: [SQLValue] = []

    func bind(_ integer: Int64?) { values.append(integer.map(SQLValue.integer) ?? .null) }
    func bind(_ text: String?) { values.append(text.map(SQLValue.text) ?? .null) }
}

extension SQL {
    /// The value of a parameter such as `$3`; nil for any other expression.
    fileprivate func value(of parameter: Substring) -> SQLValue? {
        guard parameter.hasPrefix("$"), let number = Int(parameter.dropFirst()), values.indices.contains(number - 1) else {
            return nil
        }
        return values[number - 1]
    }
}

extension SQLRow {
    /// The value of a key: an id or a mode, a text, or a hash.
    fileprivate func value(_ column: Int, isBlob: Bool) -> SQLValue {
        if isBlob { return .blob(blob(column)) }
        let text = text(column)
        return Int64(text).map { String($0) == text ? .integer($0) : .text(text) } ?? .text(text)
    }
}
