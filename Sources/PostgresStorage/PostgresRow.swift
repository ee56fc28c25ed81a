import CPostgres
import SQLStorage

/// The rows of a result in libpq's binary format. The current one is read by its columns; a value of a type that Linden does not use is an
/// error, see ``problem``.
final class PostgresRow: SQLRow {
    /// The types of columns, by their numbers in the catalogue of every PostgreSQL.
    private enum Kind: UInt32 {
        case bool = 16
        case bytes = 17
        case name = 19
        case int8 = 20
        case int2 = 21
        case int4 = 23
        case text = 25
        case unknown = 705
        case varchar = 1043

        var isText: Bool { self == .text || self == .name || self == .unknown || self == .varchar }
    }

    private let result: OpaquePointer
    private let kinds: [Kind?]
    private var row: Int32 = -1
    /// The first value that could not be read as it was asked for.
    private(set) var problem: String?

    init(_ result: consuming PostgresResult) {
        let result = result.release()
        self.result = result
        kinds = (0..<PQnfields(result)).map { Kind(rawValue: PQftype(result, $0)) }
    }

    deinit {
        PQclear(result)
    }

    var count: Int { Int(PQntuples(result)) }

    /// The memory of all rows, in bytes.
    var byteCount: Int { Int(PQresultMemorySize(result)) }

    /// Advances to the next row; false after the last.
    func next() -> Bool {
        row += 1
        return row < PQntuples(result)
    }

    /// Throws the error of a value that could not be read.
    func check() throws {
        if let problem { throw PostgresError(state: "42804", message: problem) }
    }

    func isNull(_ column: Int) -> Bool {
        PQgetisnull(result, row, Int32(column)) != 0
    }

    func integer(_ column: Int) -> Int64 {
        guard let bytes = bytes(column) else { return 0 }
        switch kinds[column] {
        case .int8?: return Int64(bigEndian: bytes.loadUnaligned(as: Int64.self))
        case .int4?: return Int64(Int32(bigEndian: bytes.loadUnaligned(as: Int32.self)))
        case .int2?: return Int64(Int16(bigEndian: bytes.loadUnaligned(as: Int16.self)))
        case .bool?: return bytes[0] == 0 ? 0 : 1
        case let kind? where kind.isText:
            if let integer = Int64(String(decoding: bytes, as: UTF8.self)) { return integer }
        default: break
        }
        return fail(column, "an integer", 0)
    }

    func text(_ column: Int) -> String {
        guard let bytes = bytes(column) else { return "" }
        switch kinds[column] {
        case let kind? where kind.isText: return String(decoding: bytes, as: UTF8.self)
        case .bytes?, nil: return fail(column, "a text", "")
        default: return String(integer(column))
        }
    }

    func blob(_ column: Int) -> [UInt8] {
        guard let bytes = bytes(column) else { return [] }
        guard let kind = kinds[column], kind == .bytes || kind.isText else { return fail(column, "bytes", []) }
        return Array(bytes)
    }

    /// The value's bytes; nil for NULL.
    private func bytes(_ column: Int) -> UnsafeRawBufferPointer? {
        guard !isNull(column), let start = PQgetvalue(result, row, Int32(column)) else { return nil }
        return UnsafeRawBufferPointer(start: start, count: Int(PQgetlength(result, row, Int32(column))))
    }

    private func fail<Value>(_ column: Int, _ wanted: String, _ value: Value) -> Value {
        let type = PQftype(result, Int32(column))
        problem = problem ?? "column \(column) is of the type \(type), and not \(wanted)"
        return value
    }
}
