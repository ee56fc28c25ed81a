import LindenKernel
import SQLStorage
import SQLiteStorage

/// Rows for tests of copies, in every table of the schema.
extension CopyDatabase {
    /// Inserts some rows into each table. The n-th row has the number n in all of its integers, so that it references n-th rows.
    ///
    /// - Parameter key: the key of the installation.
    package func insertSamples(_ count: Int = 5, key: String = "orchard") throws {
        for table in try tables() where !CopiedTable.uncopied.contains(table.name) {
            for number in 1...count {
                let row = table.columns.map { column -> SQLValue in
                    if table.name == "installation", number == 1 { return .text(column.name == "name" ? "public_id_key" : key) }
                    // An account is an identity's or has a purpose, not both.
                    if table.name == "credit_accounts", column.name == "purpose" { return .null }
                    switch column.kind {
                    case .integer, .smallInteger: return .integer(Int64(number))
                    case .text: return .text("\(column.name)\t\(number)\n\\ ä 🍐")
                    case .bytes: return .blob([UInt8(number), 0, 255, 92])
                    }
                }
                try connection.execute(SQL(text: table.insertion, values: row))
            }
        }
    }

    /// The rows of each table as text, but for the cursors, one of which a copy moves.
    package func contents() throws -> [String: [String]] {
        var contents: [String: [String]] = [:]
        for table in try tables() where !CopiedTable.uncopied.contains(table.name) && table.name != "aggregation_cursors" {
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
