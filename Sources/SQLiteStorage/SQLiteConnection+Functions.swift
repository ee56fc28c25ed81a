import CSQLite

extension SQLiteConnection {
    /// Defines `OCTET_LENGTH` of standard SQL, the bytes of a text, which SQLite has since 3.43: its `LENGTH` counts characters.
    ///
    /// - Parameter handle: a connection that was just opened.
    static func defineFunctions(_ handle: OpaquePointer?) {
        guard sqlite3_libversion_number() < 3_043_000 else { return }
        let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC
        sqlite3_create_function_v2(
            handle, "octet_length", 1, flags, nil,
            { context, _, values in
                guard let value = values?[0], sqlite3_value_type(value) != SQLITE_NULL else { return sqlite3_result_null(context) }
                sqlite3_result_int64(context, Int64(sqlite3_value_bytes(value)))
            }, nil, nil, nil)
    }
}
