import LindenKernel
import SQLStorage

/// Rows in the binary format of PostgreSQL's COPY (https://www.postgresql.org/docs/current/sql-copy.html#id-1.9.55.9.4).
struct BinaryRows {
    /// The signature, no flags, and no extension.
    static let header = Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0x00] + [UInt8](repeating: 0, count: 8)
    static let trailer: [UInt8] = [0xFF, 0xFF]

    private(set) var bytes: [UInt8] = []

    /// Returns the rows so far, and begins again without them.
    mutating func take() -> [UInt8] {
        defer { bytes.removeAll(keepingCapacity: true) }
        return bytes
    }

    /// Appends the header or the trailer.
    mutating func append(_ frame: [UInt8]) {
        bytes.append(contentsOf: frame)
    }

    mutating func append(_ row: [SQLValue], of table: CopiedTable) throws {
        append(number: Int16(row.count))
        for (value, column) in zip(row, table.columns) {
            switch value {
            case .null: append(number: Int32(-1))
            case .integer(let integer):
                if column.kind == .smallInteger {
                    guard let small = Int16(exactly: integer) else {
                        throw Failure.unusable("The number \(integer) is too large for the column \(column.name) of \(table.name).")
                    }
                    append(number: Int32(2))
                    append(number: small)
                } else {
                    append(number: Int32(8))
                    append(number: integer)
                }
            case .text(let text):
                append(number: Int32(text.utf8.count))
                bytes.append(contentsOf: text.utf8)
            case .blob(let blob):
                append(number: Int32(blob.count))
                bytes.append(contentsOf: blob)
            }
        }
    }

    private mutating func append(number: some FixedWidthInteger) {
        withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }
}
