import CSQLite

extension SQLiteConnection {
    /// Defines functions that PostgreSQL has and SQLite does not.
    ///
    /// - Parameter handle: a connection that was just opened.
    static func defineFunctions(_ handle: OpaquePointer?) {
        let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC
        sqlite3_create_function_v2(handle, "strpos", 2, flags, nil, position, nil, nil, nil)
        // SQLite has it since 3.43.
        guard sqlite3_libversion_number() < 3_043_000 else { return }
        sqlite3_create_function_v2(handle, "octet_length", 1, flags, nil, byteCount, nil, nil, nil)
    }

    /// `OCTET_LENGTH` of standard SQL, the bytes of a text: SQLite's `LENGTH` counts characters.
    private static let byteCount: Function = { context, _, values in
        guard let value = values?[0], sqlite3_value_type(value) != SQLITE_NULL else { return sqlite3_result_null(context) }
        sqlite3_result_int64(context, Int64(sqlite3_value_bytes(value)))
    }

    /// `STRPOS(text, part)`: 0 if the text does not contain the part, otherwise its position, here in bytes. The time is proportional to the
    /// text alone; `LIKE` and `INSTR` compare the part at each position, which takes seconds for a long part that nearly matches everywhere.
    private static let position: Function = { context, _, values in
        guard let text = values?[0], let part = values?[1], let start = sqlite3_value_text(text),
            let wanted = sqlite3_value_text(part)
        else { return sqlite3_result_null(context) }
        let found = memmem(start, Int(sqlite3_value_bytes(text)), wanted, Int(sqlite3_value_bytes(part)))
        sqlite3_result_int64(context, found.map { Int64(UnsafeRawPointer($0) - UnsafeRawPointer(start)) + 1 } ?? 0)
    }

    private typealias Function =
        @convention(c) (_ context: OpaquePointer?, _ count: Int32, _ values: UnsafeMutablePointer<OpaquePointer?>?) -> Void
}
