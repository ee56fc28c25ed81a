import LindenKernel
import SQLStorage
import SQLiteStorage

/// Rows for tests of copies, in every table of the schema.
extension CopyDatabase {
    /// Inserts some rows into each table. The n-th row has the number n in all of its integers, so that it references n-th rows.
    ///
    /// - Parameters:
    ///   - key: the key of the installation.
    ///   - note: the end of texts besides the keys.
    package func insertSamples(_ numbers: ClosedRange<Int> = 1...5, key: String = "orchard", note: String = "") throws {
        for table in try copiedTables() {
            for number in numbers {
                let row = table.columns.map { column -> SQLValue in
                    if table.name == "installation", number == 1 { return .text(column.name == "name" ? "public_id_key" : key) }
                    // An account is an identity's or has a purpose, not both.
                    if table.name == "credit_accounts", column.name == "purpose" { return .null }
                    return Self.sample(column, number, table.key.contains(column.name) ? "" : note)
                }
                try connection.execute(SQL(text: table.insertion, values: row))
            }
        }
    }

    /// Deletes the n-th row of each table.
    package func deleteSamples(_ number: Int) throws {
        for table in try copiedTables() {
            let key = table.columns.filter { table.key.contains($0.name) }
            let condition = key.enumerated().map { "\"\($1.name)\" = $\($0 + 1)" }.joined(separator: " AND ")
            try connection.execute(
                SQL(text: "DELETE FROM \(table.name) WHERE \(condition)", values: key.map { Self.sample($0, number, "") }))
        }
    }

    /// Deletes the second row of each table, changes the third, and inserts the rows 6 to 8.
    package func changeSamples() throws {
        try deleteSamples(2)
        try deleteSamples(3)
        try insertSamples(3...3, note: " changed")
        try insertSamples(6...8)
    }

    private func copiedTables() throws -> [CopiedTable] {
        try CopiedTable.inOrderOfReferences(tables().filter { !CopiedTable.uncopied.contains($0.name) })
    }

    private static func sample(_ column: CopiedTable.Column, _ number: Int, _ note: String) -> SQLValue {
        switch column.kind {
        case .integer, .smallInteger: .integer(Int64(number))
        case .text: .text("\(column.name)\t\(number)\n\\ ä 🍐\(note)")
        case .bytes: .blob([UInt8(number), 0, 255, 92])
        }
    }

    /// The rows of each table as text, but for the cursors, one of which a copy moves.
    package func contents() throws -> [String: [String]] {
        var contents: [String: [String]] = [:]
        for table in try copiedTables() where table.name != "aggregation_cursors" {
            let order = table.key.map { "\"\($0)\"" }.joined(separator: ", ")
            let sql = SQL(text: "SELECT \(table.columnList) FROM \(table.name) ORDER BY \(order)", values: [])
            contents[table.name] = try connection.query(sql) { row in
                table.columns.enumerated().map { index, column in
                    if row.isNull(index) { return "NULL" }
                    switch column.kind {
                    case .integer, .smallInteger: return String(row.integer(index))
                    case .text: return row.text(index)
                    case .bytes: return "\(row.blob(index))"
                    }
                }.joined(separator: "|")
            }
        }
        return contents
    }
}

extension SQLiteCopyTarget {
    /// Opens a database, and creates it if there is none.
    package static func open(_ path: String) throws -> SQLiteCopyTarget {
        try SQLiteCopyTarget(path: path, holder: ServerLease.Holder(processID: 1, address: "nothing", baseURL: "a-test"))
    }
}

/// Interrupts a copy.
package struct Interruption: Error {
    package init() {}
}
