import Foundation
import LindenKernel
import SQLStorage

/// A database on PostgreSQL that is copied, or a copy's target.
package class PostgresCopyDatabase: CopyDatabase {
    package let name: String
    let database: PostgresConnection

    init(_ address: PostgresAddress, _ database: PostgresConnection) {
        name = address.shown
        self.database = database
    }

    package var connection: any SQLConnection { database }

    package func migrations() throws -> [Migrator.Step] {
        try Migrator(connection: database, clock: .system, translate: { $0 }).steps()
    }

    package func tables() throws -> [CopiedTable] {
        let tables = try database.query("SELECT tablename FROM pg_tables WHERE schemaname = current_schema() ORDER BY tablename") {
            $0.text(0)
        }
        return try tables.map { table in
            // array_position counts from 0 here, as the index's own list of columns does.
            let columns = try database.query(
                """
                SELECT attname, format_type(atttypid, atttypmod), COALESCE(array_position(CAST(indkey AS SMALLINT[]), attnum), -1)
                FROM pg_attribute LEFT JOIN pg_index ON indrelid = attrelid AND indisprimary
                WHERE attrelid = CAST(quote_ident(\(table)) AS REGCLASS) AND attnum > 0 AND NOT attisdropped ORDER BY attnum
                """
            ) { row in
                (name: row.text(0), type: row.text(1), position: row.integer(2))
            }
            let references = try database.query(
                """
                SELECT relname FROM pg_constraint JOIN pg_class ON pg_class.oid = confrelid
                WHERE contype = 'f' AND conrelid = CAST(quote_ident(\(table)) AS REGCLASS)
                """
            ) { $0.text(0) }
            return CopiedTable(
                name: table, columns: try columns.map { CopiedTable.Column($0.name, try kind($0.type, of: $0.name, in: table)) },
                key: columns.filter { $0.position >= 0 }.sorted { $0.position < $1.position }.map(\.name),
                references: Set(references))
        }
    }

    private func kind(_ type: String, of column: String, in table: String) throws -> CopiedTable.Column.Kind {
        switch type {
        case "bigint": return .integer
        case "smallint": return .smallInteger
        case "text": return .text
        case "bytea": return .bytes
        default:
            throw Failure.unusable(
                "The column \(column) of the table \(table) of \(name) has the type \(type), which cannot be copied.")
        }
    }
}

/// A database that is read in one transaction, beside servers that write.
package final class PostgresCopySource: PostgresCopyDatabase, CopySource {
    /// Fails with `unusable` with a sentence for the operator.
    package init(address: PostgresAddress) throws {
        do {
            let connection = try PostgresConnection(PostgresSession(address, for: .copies, PostgresOptions()))
            try Self.beginView(connection)
            super.init(address, connection)
        } catch let error as PostgresError {
            throw Failure.unusable("The database \(address.shown) \(error.openingProblem).")
        }
    }

    /// The target may take any time for a portion.
    private static func beginView(_ connection: PostgresConnection) throws {
        try connection.begin(
            "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
            then: "SET LOCAL idle_in_transaction_session_timeout = 0; SELECT 1")
    }

    package func renewView() throws {
        database.rollBack()
        try Self.beginView(database)
    }

    package let hasPendingClicksInMemory = false

    package func isServed() throws -> Bool {
        let lock = PostgresSession.leaderLock
        let isFree = "SELECT CASE WHEN pg_try_advisory_lock(\(lock)) THEN pg_advisory_unlock(\(lock)) ELSE FALSE END"
        return try database.run(isFree).first != "t"
    }
}

/// A database that no server has, because this process has the lock of their leader.
package final class PostgresCopyTarget: PostgresCopyDatabase, CopyTarget {
    /// The bytes of rows that are sent together.
    private static let chunk = 64 << 10

    /// The rows that were not sent yet; nil while no COPY runs.
    private var rows: BinaryRows?
    /// The turn of the open transaction.
    private var turn: PostgresTurn?

    /// Opens a database, and creates its tables if it has none. Fails with `conflict` if a server has it, else with `unusable`.
    package init(address: PostgresAddress, clock: WallClock = .system) throws {
        var options = PostgresOptions(acknowledgesEarly: true, creates: true)
        options.isCopyTarget = true
        do {
            let connection = try PostgresConnection(PostgresSession(address, for: .writes, options))
            try Self.keepServersAway(connection, address)
            try PostgresSchema.prepare(connection, address, options, clock: clock)
            super.init(address, connection)
        } catch let error as PostgresError {
            throw Failure.unusable("The database \(address.shown) \(error.openingProblem).")
        }
    }

    /// PostgreSQL takes a moment to notice that a process was killed.
    private static func keepServersAway(_ connection: PostgresConnection, _ address: PostgresAddress) throws {
        let end = ContinuousClock.now + .seconds(2)
        while try !PostgresSchema.lead(connection) {
            guard ContinuousClock.now < end else {
                throw Failure(
                    .conflict, "The database \(address.shown) is served already. Stop its servers, or name another database.")
            }
            usleep(50_000)
        }
    }

    package let storesNUL = false

    package func beginWriting() throws { turn = try PostgresTurn(database) }

    package func insert(_ row: [SQLValue], into table: CopiedTable) throws {
        if rows == nil {
            try database.beginCopy(into: table)
            rows = BinaryRows()
            rows?.append(BinaryRows.header)
        }
        try rows?.append(row, of: table)
        if let count = rows?.bytes.count, count >= Self.chunk { try send() }
    }

    package func endInserting() throws {
        guard rows != nil else { return }
        rows?.append(BinaryRows.trailer)
        try send()
        rows = nil
        try database.endCopy()
    }

    private func send() throws {
        if let bytes = rows?.take() { try database.putCopyData(bytes) }
    }

    /// The constraints are as before when the transaction ends, however it does.
    package func deferReferences() throws { try alterReferences("DEFERRABLE INITIALLY DEFERRED") }

    package func checkReferences() throws {
        _ = try database.run("SET CONSTRAINTS ALL IMMEDIATE")
        try alterReferences("NOT DEFERRABLE")
    }

    private func alterReferences(_ mode: String) throws {
        let references = try database.query(
            """
            SELECT CAST(conrelid AS REGCLASS)::TEXT, quote_ident(conname) FROM pg_constraint
            WHERE contype = 'f' AND connamespace = CAST(quote_ident(current_schema()) AS REGNAMESPACE)
            """
        ) { (table: $0.text(0), name: $0.text(1)) }
        for reference in references {
            _ = try database.run("ALTER TABLE \(reference.table) ALTER CONSTRAINT \(reference.name) \(mode)")
        }
    }

    package func commit() throws { try turn?.commit(database) }

    package func rollBack() {
        rows = nil
        database.rollBack()
    }

    /// Gives the planner the statistics that it would otherwise miss for some minutes.
    package func finish() throws { try PostgresStatistics.analyzeAll(database) }
}
