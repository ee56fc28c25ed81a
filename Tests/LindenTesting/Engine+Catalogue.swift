import SQLStorage

/// What SQLite and PostgreSQL write differently, for tests that look at the whole schema or change it.
extension Engine {
    /// A column, and the expression that shows its value as text.
    package struct Column: Sendable {
        package let table: String
        package let name: String
        package let shown: String
    }

    /// The columns of all tables, by the names of their tables.
    package static func columns(_ connection: any SQLConnection) throws -> [Column] {
        let catalogue: SQL =
            isPostgres
            ? """
            SELECT columns.table_name, column_name, CASE WHEN data_type = 'bytea' THEN 1 ELSE 0 END
            FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
            WHERE table_schema = current_schema() AND table_type = 'BASE TABLE' ORDER BY 1, ordinal_position
            """
            : """
            SELECT tables.name, columns.name, 0 FROM sqlite_master AS tables, pragma_table_info(tables.name) AS columns
            WHERE tables.type = 'table' AND tables.name NOT LIKE 'sqlite%' ORDER BY 1, columns.cid
            """
        return try connection.query(catalogue) { row in
            let name = "\"\(row.text(1))\""
            return Column(
                table: row.text(0), name: row.text(1), shown: row.bool(2) ? "encode(\(name), 'escape')" : "CAST(\(name) AS TEXT)")
        }
    }

    /// Creates a trigger that runs a statement after each row that an event writes.
    ///
    /// - Parameter event: such as `INSERT ON devices`.
    package static func createTrigger(
        _ name: String, after event: String, running statement: String, _ connection: any SQLConnection
    ) throws {
        guard isPostgres else {
            return try connection.execute(script: "CREATE TRIGGER \(name) AFTER \(event) BEGIN \(statement); END;")
        }
        try connection.execute(
            script: """
                CREATE FUNCTION \(name)() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN \(statement); RETURN NULL; END $$;
                CREATE TRIGGER \(name) AFTER \(event) FOR EACH ROW EXECUTE FUNCTION \(name)();
                """)
    }
}
