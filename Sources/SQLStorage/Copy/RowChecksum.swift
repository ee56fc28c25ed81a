import Crypto

/// The number of rows and a sum of their hashes. Independent of the engine and of the order of the rows, so that a part of a table can
/// be added later.
package struct RowChecksum: Sendable, Equatable {
    package private(set) var rows: Int64
    /// The sum, modulo 2^64, of the first 8 bytes of each row's SHA-256.
    private(set) var sum: Int64

    init(rows: Int64 = 0, sum: Int64 = 0) {
        self.rows = rows
        self.sum = sum
    }

    /// Adds the rows of another part of the table.
    mutating func add(_ other: RowChecksum) {
        rows += other.rows
        sum &+= other.sum
    }

    /// - Parameter buffer: memory to be used again for each row.
    mutating func add(_ row: [SQLValue], _ buffer: inout [UInt8]) {
        buffer.removeAll(keepingCapacity: true)
        for value in row {
            switch value {
            case .null: buffer.append(0)
            case .integer(let integer): buffer.append(1, integer)
            case .text(let text):
                buffer.append(2, Int64(text.utf8.count))
                buffer.append(contentsOf: text.utf8)
            case .blob(let bytes):
                buffer.append(3, Int64(bytes.count))
                buffer.append(contentsOf: bytes)
            }
        }
        rows += 1
        sum &+= SHA256.hash(data: buffer).withUnsafeBytes { Int64(bigEndian: $0.loadUnaligned(as: Int64.self)) }
    }
}

extension [UInt8] {
    /// Appends the kind of a value, and the value or its length.
    fileprivate mutating func append(_ kind: UInt8, _ number: Int64) {
        append(kind)
        Swift.withUnsafeBytes(of: number.bigEndian) { append(contentsOf: $0) }
    }
}
