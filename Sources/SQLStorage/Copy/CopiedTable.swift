import LindenKernel

/// A table as a database's own schema describes it.
package struct CopiedTable: Sendable {
    package struct Column: Sendable {
        package enum Kind: Sendable {
            case integer
            /// An integer of 16 bits. SQLite has integers of 64 bits only.
            case smallInteger
            case text
            case bytes

            fileprivate var isInteger: Bool { self == .integer || self == .smallInteger }
        }

        package let name: String
        package let kind: Kind

        package init(_ name: String, _ kind: Kind) {
            self.name = name
            self.kind = kind
        }
    }

    /// Tables that are not copied, because each database makes its own.
    package static let uncopied: Set = [
        // The migrations of the target make its schema, at a time of its own.
        "migrations",
        // Processes on PostgreSQL see by it that others changed what they cache; its number says nothing about the data.
        "revisions",
        CopyProgress.table,
    ]

    package let name: String
    package let columns: [Column]
    /// The columns of the primary key, in its order.
    package let key: [String]
    /// The tables that its foreign keys name.
    package let references: Set<String>
    /// The names of all columns, separated by commas.
    package let columnList: String
    /// The text of an INSERT with a parameter for each column.
    package let insertion: String

    package init(name: String, columns: [Column], key: [String], references: Set<String>) {
        self.name = name
        self.columns = columns
        self.key = key
        self.references = references
        columnList = Self.list(columns.map(\.name))
        insertion = "INSERT INTO \(name) (\(columnList)) VALUES (\(Self.parameters(columns.count)))"
    }

    /// Whether both tables can hold the same rows.
    func matches(_ other: CopiedTable) -> Bool {
        columns.count == other.columns.count && key == other.key
            && zip(columns, other.columns).allSatisfy { own, other in
                own.name == other.name && (own.kind == other.kind || own.kind.isInteger && other.kind.isInteger)
            }
    }

    /// Orders tables so that each comes after those that it references.
    package static func inOrderOfReferences(_ tables: [CopiedTable]) throws -> [CopiedTable] {
        var ordered: [CopiedTable] = []
        var rest = tables.sorted { $0.name < $1.name }
        while !rest.isEmpty {
            let waiting = Set(rest.map(\.name))
            let next = rest.filter { $0.references.isDisjoint(with: waiting) }
            guard !next.isEmpty else {
                throw Failure.unusable(
                    "These tables reference each other, and cannot be copied: \(waiting.sorted().joined(separator: ", ")).")
            }
            ordered += next
            rest.removeAll { $0.references.isDisjoint(with: waiting) }
        }
        return ordered
    }
}

extension CopiedTable {
    private static func list(_ names: [String]) -> String { names.map { "\"\($0)\"" }.joined(separator: ", ") }

    private var selection: String { "SELECT \(columnList) FROM \(name)" }

    private var keyList: String { Self.list(key) }

    /// Selects all rows, in any order.
    var rows: SQL { SQL(text: selection, values: []) }

    /// Selects the rows after one primary key and up to another, in the order of the key; nil for no bound.
    func rows(after first: [SQLValue]?, through last: [SQLValue]? = nil) -> SQL {
        let condition = condition(after: first, through: last)
        return SQL(text: "\(selection)\(condition.text) ORDER BY \(keyList)", values: condition.values)
    }

    /// Deletes the rows after one primary key and up to another.
    func deletion(after first: [SQLValue]?, through last: [SQLValue]) -> SQL {
        let condition = condition(after: first, through: last)
        return SQL(text: "DELETE FROM \(name)\(condition.text)", values: condition.values)
    }

    private func condition(after first: [SQLValue]?, through last: [SQLValue]?) -> (text: String, values: [SQLValue]) {
        var (conditions, values) = ([String](), [SQLValue]())
        for (comparison, key) in [(">", first), ("<=", last)] {
            guard let key else { continue }
            conditions.append("(\(keyList)) \(comparison) (\(Self.parameters(key.count, after: values.count)))")
            values += key
        }
        return (conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND "), values)
    }

    /// Selects any one row.
    var anyRow: SQL { SQL(text: "\(selection) LIMIT 1", values: []) }

    private static func parameters(_ count: Int, after earlier: Int = 0) -> String {
        (1...count).map { "$\(earlier + $0)" }.joined(separator: ", ")
    }

    /// Reads a row of all columns.
    ///
    /// - Parameter storesNUL: false to replace U+0000 in texts by U+FFFD.
    func values(of row: any SQLRow, storesNUL: Bool) -> [SQLValue] {
        var values: [SQLValue] = []
        values.reserveCapacity(columns.count)
        for (index, column) in columns.enumerated() {
            guard !row.isNull(index) else {
                values.append(.null)
                continue
            }
            switch column.kind {
            case .integer, .smallInteger: values.append(.integer(row.integer(index)))
            case .text: values.append(.text(storesNUL ? row.text(index) : row.text(index).withoutNUL))
            case .bytes: values.append(.blob(row.blob(index)))
            }
        }
        return values
    }

    /// The primary key of a row.
    func key(of row: [SQLValue]) -> [SQLValue] {
        key.compactMap { name in columns.firstIndex { $0.name == name }.map { row[$0] } }
    }
}

extension String {
    fileprivate var withoutNUL: String {
        guard utf8.contains(0) else { return self }
        return String(String.UnicodeScalarView(unicodeScalars.map { $0 == "\0" ? "\u{FFFD}" : $0 }))
    }
}
