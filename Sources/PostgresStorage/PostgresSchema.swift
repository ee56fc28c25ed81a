import Foundation
import LindenKernel
import Logging
import SQLStorage

/// The tables and triggers that PostgreSQL has besides those of the migrations, see ``PostgresTurn``, and the checks of a database
/// before it is used.
enum PostgresSchema {
    /// PostgreSQL 14 is the first one with `idle_session_timeout`, without which a stopped server would lead for ever.
    private static let oldestServer: Int32 = 140_000

    /// The tables whose rows processes cache.
    private static let cachedTables = [
        "address_keys", "app_keys", "app_routes", "apps", "associated_apps", "domains", "former_secrets", "links",
    ]

    /// Creates what turns need. Only one process at a time does.
    private static let turns = """
        SELECT pg_advisory_xact_lock(\(PostgresTurn.lock));
        CREATE TABLE IF NOT EXISTS revisions (
            id SMALLINT PRIMARY KEY CHECK (id = 1),
            revision BIGINT NOT NULL
        ) WITH (fillfactor = 10);
        INSERT INTO revisions (id, revision) VALUES (1, 0) ON CONFLICT (id) DO NOTHING;
        CREATE SEQUENCE IF NOT EXISTS newest_ids MINVALUE 0 START 0;
        """

    /// Counts a revision once in a transaction, however many rows it changes. The use of a link with a usage limit is read from the
    /// database each time, and no cached value.
    private static let countRevision = """

        BEGIN
            IF TG_TABLE_NAME = 'links' AND TG_OP = 'UPDATE' THEN
                IF NEW.clicks_taken <> OLD.clicks_taken OR NEW.used_at IS DISTINCT FROM OLD.used_at THEN
                    RETURN NULL;
                END IF;
            END IF;
            IF current_setting('linden.has_revision', true) IS DISTINCT FROM 'yes' THEN
                PERFORM set_config('linden.has_revision', 'yes', true);
                EXECUTE format('UPDATE %I.revisions SET revision = revision + 1', TG_TABLE_SCHEMA);
            END IF;
            RETURN NULL;
        END
        """

    /// Tries to become the leader of all servers, by a lock that ends with the connection. False if another server is.
    static func lead(_ connection: PostgresConnection) throws -> Bool {
        try connection.run("SELECT pg_try_advisory_lock(\(PostgresSession.leaderLock))").first == "t"
    }

    /// Lets another server lead. The connection has no other lock outside of transactions.
    static func leaveLead(_ connection: PostgresConnection) {
        _ = try? connection.run("SELECT pg_advisory_unlock_all()")
    }

    /// Checks that a database can be used, creates the tables of an empty one, and applies pending migrations.
    ///
    /// - Parameters:
    ///   - address: the database, for messages.
    ///   - options: whether tables are created if there are none, and whether the database may hold an unfinished copy.
    static func prepare(
        _ connection: PostgresConnection, _ address: PostgresAddress, _ options: PostgresOptions, clock: WallClock,
        logger: Logger = Logger(label: "linden")
    ) throws {
        if let problem = try problem(of: connection) { throw Failure.unusable("The database \(address.shown) \(problem).") }
        let tables = try connection.query("SELECT tablename FROM pg_tables WHERE schemaname = current_schema()") { $0.text(0) }
        // The table of migrations is created with the first one, so a database with other tables only is another program's.
        let isNew = !tables.contains("migrations")
        if isNew, !tables.filter({ $0 != "revisions" }).isEmpty {
            throw Failure.unusable("The database \(address.shown) is not one of Linden: it has another program's tables.")
        }
        guard !isNew || options.creates else {
            throw Failure.notFound(
                "The database \(address.shown) has no tables of Linden; linden serve, linden migrate and linden apps create make "
                    + "them.")
        }
        if tables.contains(CopyProgress.table), !options.isCopyTarget { throw Failure.unfinishedCopy(address.shown) }
        if !tables.contains("revisions") { try connection.execute(script: turns) }
        try Migrator(connection: connection, clock: clock, translate: { $0 }).migrate(isNew: isNew) { body in
            try inTurn(connection, options, logger, body)
        }
        try createTriggers(connection, options, logger)
    }

    /// Changes the schema in a turn, and commits if `body` returns true.
    ///
    /// While an ALTER TABLE waits for another session's lock, such as pg_dump's, all later statements on the table wait behind it, and all
    /// writers for the turn. So it waits for a short time only, gives back the turn, and is tried again.
    private static func inTurn(
        _ connection: PostgresConnection, _ options: PostgresOptions, _ logger: Logger, _ body: () throws -> Bool
    ) throws -> Bool {
        let end = ContinuousClock.now + options.schemaPatience
        while true {
            do {
                let turn = try PostgresTurn(connection)
                _ = try connection.run("SET LOCAL lock_timeout = \(options.schemaLockLimit.inMilliseconds)")
                let isDone = try body()
                if isDone { try turn.commit(connection) } else { connection.rollBack() }
                return isDone
            } catch let error as PostgresError where error.state == PostgresTurn.refused && ContinuousClock.now < end {
                connection.rollBack()
                logger.warning(
                    "The schema could not be brought up to date yet, because another session, such as that of pg_dump, uses its tables.",
                    metadata: ["error": "\(error)"])
                Thread.sleep(forTimeInterval: options.schemaLockLimit * 2 / .seconds(1))
            } catch {
                connection.rollBack()
                throw error
            }
        }
    }

    /// Creates the triggers that count changes of cached values where they are missing, as after the first migrations, and their function where
    /// it is of an earlier version.
    private static func createTriggers(
        _ connection: PostgresConnection, _ options: PostgresOptions, _ logger: Logger
    ) throws {
        let present = try connection.query(
            """
            SELECT relname FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
            WHERE tgname = 'count_revision' AND relnamespace = current_schema()::regnamespace
            """
        ) { $0.text(0) }
        let missing = cachedTables.filter { !present.contains($0) }
        let isCurrent = try connection.hasRows(
            """
            SELECT 1 FROM pg_proc
            WHERE proname = 'count_revision' AND pronamespace = current_schema()::regnamespace AND prosrc = \(countRevision)
            """)
        guard !missing.isEmpty || !isCurrent else { return }
        _ = try inTurn(connection, options, logger) {
            try connection.execute(
                script: """
                    CREATE OR REPLACE FUNCTION count_revision() RETURNS TRIGGER LANGUAGE plpgsql AS $$\(countRevision)$$
                    """)
            for table in missing {
                // No process caches that there is no link.
                let events = table == "links" ? "UPDATE OR DELETE" : "INSERT OR UPDATE OR DELETE"
                try connection.execute(
                    script: """
                        DROP TRIGGER IF EXISTS count_revision ON \(table);
                        CREATE TRIGGER count_revision AFTER \(events) ON \(table) FOR EACH ROW EXECUTE FUNCTION count_revision();
                        """)
            }
            return true
        }
    }

    /// The reason why a database cannot be used; nil if it can.
    private static func problem(of connection: PostgresConnection) throws -> String? {
        guard connection.serverVersion >= oldestServer else { return "is on PostgreSQL before 14, which is not supported" }
        let encoding = try connection.run("SHOW server_encoding").first ?? ""
        guard encoding == "UTF8" else { return "has the encoding \(encoding), and must have UTF8: \(creation)" }
        // Lists are ordered by bytes, and compared without regard to the case of ASCII letters alone, as on SQLite.
        guard try connection.run("SELECT 'a' > 'B' AND LOWER('Ä') = 'Ä'").first == "t" else {
            return "sorts texts by a language, and must have the locale C: \(creation)"
        }
        guard try connection.run("SELECT current_schema()").first != nil else {
            return "has no schema for tables: its search_path names none that exists"
        }
        return nil
    }

    private static let creation = "createdb --template=template0 --encoding=UTF8 --locale=C linden"
}
