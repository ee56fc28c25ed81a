import LindenKernel
import SQLStorage

/// The table by which writers take turns, and the checks of a database before it is used.
///
/// `commit_counter` has one row, which each write transaction increments first. So writers of all processes wait for each other as on SQLite, and
/// a process sees from the number whether another one has written. It is no part of the migrations, because SQLite does not need it.
enum PostgresSchema {
    private static let oldestServer: Int32 = 130_000

    private static let commitCounter = """
        CREATE TABLE IF NOT EXISTS commit_counter (
            id SMALLINT PRIMARY KEY CHECK (id = 1),
            commits BIGINT NOT NULL
        ) WITH (fillfactor = 10);
        INSERT INTO commit_counter (id, commits) VALUES (1, 0) ON CONFLICT (id) DO NOTHING;
        """

    /// Begins a write transaction once no other writer has one. Returns its number.
    static func beginWriting(_ connection: PostgresConnection) throws -> Int64 {
        let turn = "UPDATE commit_counter SET commits = commits + 1 RETURNING commits"
        let number = try connection.begin("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE; \(turn)")
        guard let number = number.flatMap(Int64.init) else {
            throw Failure.unavailable("The database has lost the row of its table commit_counter.")
        }
        return number
    }

    /// The number of write transactions so far.
    static func commits(_ connection: PostgresConnection) throws -> Int64 {
        try connection.run("SELECT commits FROM commit_counter").first.flatMap { Int64($0) } ?? 0
    }

    /// Checks that a database can be used, creates the tables of an empty one, and applies pending migrations.
    ///
    /// - Parameters:
    ///   - address: the database, for messages.
    ///   - options: whether tables are created if there are none, and whether the database may hold an unfinished copy.
    static func prepare(
        _ connection: PostgresConnection, _ address: PostgresAddress, _ options: PostgresOptions, clock: WallClock
    ) throws {
        if let problem = try problem(of: connection) { throw Failure.unusable("The database \(address.shown) \(problem).") }
        let tables = try connection.query("SELECT tablename FROM pg_tables WHERE schemaname = current_schema()") { $0.text(0) }
        // The table of migrations is created with the first one, so a database with other tables only is another program's.
        let isNew = !tables.contains("migrations")
        if isNew, !tables.filter({ $0 != "commit_counter" }).isEmpty {
            throw Failure.unusable("The database \(address.shown) is not one of Linden: it has another program's tables.")
        }
        guard !isNew || options.creates else {
            throw Failure.notFound(
                "The database \(address.shown) has no tables of Linden; linden serve, linden migrate and linden apps create make "
                    + "them.")
        }
        if tables.contains(CopyProgress.table), !options.isCopyTarget { throw Failure.unfinishedCopy(address.shown) }
        if !tables.contains("commit_counter") { try createCommitCounter(connection) }
        try Migrator(connection: connection, clock: clock, translate: { $0 }).migrate(isNew: isNew) { body in
            do {
                _ = try beginWriting(connection)
                let isDone = try body()
                if isDone { try connection.commit() } else { connection.rollBack() }
                return isDone
            } catch {
                connection.rollBack()
                throw error
            }
        }
    }

    /// Two processes that create a table at once may both find that there is none; then one of them fails.
    private static func createCommitCounter(_ connection: PostgresConnection) throws {
        do {
            try connection.execute(script: commitCounter)
        } catch let error as PostgresError where error.state == "23505" || error.state == "42P07" {
            try connection.execute(script: commitCounter)
        }
    }

    /// The reason why a database cannot be used; nil if it can.
    private static func problem(of connection: PostgresConnection) throws -> String? {
        guard connection.serverVersion >= oldestServer else { return "is on PostgreSQL before 13, which is not supported" }
        let encoding = try connection.run("SHOW server_encoding").first ?? ""
        guard encoding == "UTF8" else { return "has the encoding \(encoding), and must have UTF8: \(creation)" }
        // Lists are ordered by bytes, and compared without regard to the case of ASCII letters alone, as on SQLite.
        guard try connection.run("SELECT 'a' > 'B' AND LOWER('Ä') = 'Ä'").first == "t" else {
            return "sorts texts by a language, and must have the locale C: \(creation)"
        }
        guard try connection.run("SHOW transaction_read_only").first == "off" else {
            return "cannot be written: it is read-only, as a standby is"
        }
        guard try connection.run("SELECT current_schema()").first != nil else {
            return "has no schema for tables: its search_path names none that exists"
        }
        return nil
    }

    private static let creation = "createdb --template=template0 --encoding=UTF8 --locale=C linden"
}
