import CSQLite
import SQLStorage

/// A prepared statement and its current row.
final class SQLiteStatement: SQLRow, SQLBindings {
    private let handle: OpaquePointer
    private let database: OpaquePointer?
    /// The index of each parameter `$1`, `$2` …: SQLite numbers them by first appearance.
    private let positions: [Int32]
    /// The number of parameters bound one by one since the last reset, and the last error of these.
    private var boundCount: Int32 = 0
    private var bindingCode = SQLITE_OK

    init(_ database: OpaquePointer?, _ text: String) throws {
        var handle: OpaquePointer?
        let code = sqlite3_prepare_v3(database, text, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
        guard code == SQLITE_OK, let handle else { throw SQLiteError(database, code: code) }
        self.handle = handle
        self.database = database
        positions = (0..<sqlite3_bind_parameter_count(handle)).map { sqlite3_bind_parameter_index(handle, "$\($0 + 1)") }
    }

    deinit {
        sqlite3_finalize(handle)
    }

    func bind(_ values: [SQLValue]) throws {
        precondition(values.count == positions.count, "a statement's values and parameters differ in number")
        for (value, position) in zip(values, positions) {
            let code =
                switch value {
                case .null: sqlite3_bind_null(handle, position)
                case .integer(let integer): sqlite3_bind_int64(handle, position, integer)
                case .text(let text): bind(text, at: position)
                case .blob(let bytes):
                    bytes.withUnsafeBytes { bytes in
                        bytes.isEmpty
                            ? sqlite3_bind_zeroblob(handle, position, 0)
                            : sqlite3_bind_blob64(handle, position, bytes.baseAddress, UInt64(bytes.count), transient)
                    }
                }
            guard code == SQLITE_OK else { throw SQLiteError(database, code: code) }
        }
    }

    private func bind(_ text: String, at position: Int32) -> Int32 {
        var text = text
        return text.withUTF8 { utf8 in
            utf8.withMemoryRebound(to: CChar.self) {
                // An empty buffer may have a null base address, which SQLite would bind as NULL.
                sqlite3_bind_text64(
                    handle, position, $0.baseAddress ?? emptyText, UInt64($0.count), transient, UInt8(SQLITE_UTF8))
            }
        }
    }

    // MARK: Bindings one by one; those of the last execution are cleared, so nil stays NULL

    func bind(_ integer: Int64?) {
        boundCount += 1
        guard let integer else { return }
        note(sqlite3_bind_int64(handle, boundCount, integer))
    }

    func bind(_ text: String?) {
        boundCount += 1
        guard let text else { return }
        note(bind(text, at: boundCount))
    }

    private func note(_ code: Int32) {
        if code != SQLITE_OK { bindingCode = code }
    }

    /// Throws the error of a parameter that could not be bound.
    func checkBindings() throws {
        precondition(Int(boundCount) == positions.count, "a statement's values and parameters differ in number")
        guard bindingCode == SQLITE_OK else { throw SQLiteError(database, code: bindingCode) }
    }

    // MARK: Steps

    /// Advances to the next row; false after the last.
    func step() throws -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw SQLiteError(database, code: code)
        }
    }

    func reset() {
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
        boundCount = 0
        bindingCode = SQLITE_OK
    }

    // MARK: Row

    func isNull(_ column: Int) -> Bool {
        sqlite3_column_type(handle, Int32(column)) == SQLITE_NULL
    }

    func integer(_ column: Int) -> Int64 {
        sqlite3_column_int64(handle, Int32(column))
    }

    func text(_ column: Int) -> String {
        guard let start = sqlite3_column_text(handle, Int32(column)) else { return "" }
        let count = Int(sqlite3_column_bytes(handle, Int32(column)))
        return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    func blob(_ column: Int) -> [UInt8] {
        guard let start = sqlite3_column_blob(handle, Int32(column)) else { return [] }
        return Array(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, Int32(column)))))
    }
}

/// Makes SQLite copy a value before the call returns (`SQLITE_TRANSIENT`, a macro that Swift does not import).
private let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

/// An empty C string with static lifetime.
nonisolated(unsafe) private let emptyText: UnsafePointer<CChar> = {
    let text = UnsafeMutablePointer<CChar>.allocate(capacity: 1)
    text.pointee = 0
    return UnsafePointer(text)
}()
