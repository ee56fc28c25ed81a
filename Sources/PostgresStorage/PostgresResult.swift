import CPostgres

/// The result of a statement that succeeded.
struct PostgresResult: ~Copyable {
    private let handle: OpaquePointer

    init(_ handle: OpaquePointer) {
        self.handle = handle
    }

    deinit {
        PQclear(handle)
    }

    /// Ends this value and returns the result of libpq, which the caller frees.
    consuming func release() -> OpaquePointer {
        let handle = handle
        discard self
        return handle
    }

    /// The number of rows that it returned.
    var rows: Int { Int(PQntuples(handle)) }

    /// The command with its numbers of rows, such as `INSERT 0 1`.
    var command: String { String(cString: PQcmdStatus(handle)) }

    /// Whether the statement is an INSERT, UPDATE or DELETE.
    var isWrite: Bool {
        guard let command = PQcmdStatus(handle) else { return false }
        return switch UInt8(bitPattern: command[0]) {
        case UInt8(ascii: "I"), UInt8(ascii: "U"): true
        case UInt8(ascii: "D"): UInt8(bitPattern: command[2]) == UInt8(ascii: "L")
        default: false
        }
    }

    /// The number of rows that it wrote or deleted.
    var changes: Int { Int(String(cString: PQcmdTuples(handle))) ?? 0 }

    /// The first column of the first row of a command's result, which is text; nil if there is none.
    var first: String? { text(0) }

    /// A column of the first row of a command's result, which is text; nil if there is none.
    func text(_ column: Int32) -> String? {
        rows > 0 && PQgetisnull(handle, 0, column) == 0 ? String(cString: PQgetvalue(handle, 0, column)) : nil
    }
}
