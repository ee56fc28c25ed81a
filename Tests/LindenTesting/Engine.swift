import CPostgres
import Foundation
import LindenKernel
import PostgresStorage
import SQLStorage
import SQLiteStorage
import Synchronization

/// The engine of the databases of ``Installation``: SQLite, or the PostgreSQL server that the environment's `LINDEN_TEST_POSTGRES` names.
package enum Engine {
    private static let server = ProcessInfo.processInfo.environment["LINDEN_TEST_POSTGRES"].map { PostgresDatabases(server: $0) }

    package static let isSQLite = server == nil
    package static let isPostgres = server != nil

    /// Opens a database, passes it to a closure and closes it.
    ///
    /// - Parameter path: a file, which on PostgreSQL is the name of a database, or `:memory:` for one that ends with the closure.
    static func withStorage<Result>(
        path: String, pendingClickLimit: Int?, clock: WallClock, _ body: (any SQLDatabase) async throws -> Result
    ) async throws -> Result {
        guard let server else {
            let options = SQLiteOptions(readers: 2, checkpoints: true, creates: true, pendingClickLimit: pendingClickLimit)
            return try await close(SQLiteStorage(path: path, options: options, clock: clock), after: body)
        }
        let name = try server.database(path == ":memory:" ? nil : path)
        defer { if path == ":memory:" { server.takeBack(name) } }
        let options = PostgresOptions(readers: 2, creates: true)
        return try await close(PostgresStorage(address: server.address(of: name), options: options, clock: clock), after: body)
    }

    static func close<Result>(_ storage: any SQLDatabase, after body: (any SQLDatabase) async throws -> Result) async throws
        -> Result
    {
        do {
            let result = try await body(storage)
            await storage.shutdown()
            return result
        } catch {
            await storage.shutdown()
            throw error
        }
    }

    /// Removes the databases whose paths are in a folder.
    static func removeDatabases(in folder: String) {
        server?.removeDatabases(in: folder)
    }

    /// The address of a database on PostgreSQL, which is created if it does not exist; nil without a server.
    package static func postgresAddress(_ path: String) throws -> PostgresAddress? {
        try server.map { try $0.address(of: $0.database(path)) }
    }

    /// The address of a database by its name on PostgreSQL.
    package static func postgresAddress(named name: String, password: String? = nil) throws -> PostgresAddress {
        guard let server else { throw Failure.unavailable("There is no PostgreSQL.") }
        return try server.address(of: name, password: password)
    }

    /// Runs commands on a database of PostgreSQL, on a connection of their own.
    package static func postgres(_ commands: String, on name: String = "postgres") throws {
        try server?.run(commands, on: name)
    }

    /// Returns a connection to a database of PostgreSQL that has run commands, as that of a process which was stopped behind them.
    ///
    /// - Parameter isSending: whether it was stopped in the middle of a pipeline that it sent.
    package static func stoppedConnection(_ path: String, after commands: String, isSending: Bool) throws -> StoppedConnection? {
        try server.map { StoppedConnection(try $0.connection(to: $0.database(path), running: commands), isSending) }
    }
}

/// A connection of libpq that does nothing more, until it ends with this object.
package final class StoppedConnection {
    private let handle: OpaquePointer?

    fileprivate init(_ handle: OpaquePointer?, _ isSending: Bool) {
        self.handle = handle
        guard isSending else { return }
        PQenterPipelineMode(handle)
        PQsendQueryParams(handle, "SELECT 1", 0, nil, nil, nil, nil, 0)
        PQflush(handle)
    }

    deinit {
        PQfinish(handle)
    }
}

/// The databases that the tests use on a server. They are copies of one with an empty schema, which takes a tenth of the time of its migrations;
/// those without a name are emptied and used again.
private final class PostgresDatabases: Sendable {
    private struct State {
        var hasTemplate = false
        var count = 0
        var free: [String] = []
        var named: [String: String] = [:]
    }

    private let server: String
    private let prefix = "linden_\(ProcessInfo.processInfo.processIdentifier)"
    private let state = Mutex(State())

    /// - Parameter server: the URL of any database of the server, whose user may create others.
    init(server: String) {
        self.server = String(server[..<(server.lastIndex(of: "/") ?? server.endIndex)])
    }

    func address(of name: String, password: String? = nil) throws -> PostgresAddress {
        try PostgresAddress("\(server)/\(name)" + (password.map { "?password=\($0)" } ?? ""))
    }

    func database(_ path: String?) throws -> String {
        try state.withLock { state in
            if let path, let name = state.named[path] { return name }
            if path == nil, let name = state.free.popLast() { return name }
            let template = prefix + "_template"
            if !state.hasTemplate {
                try run("CREATE DATABASE \(template) TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C'", on: "postgres")
                try PostgresStorage.migrate(address(of: template))
                state.hasTemplate = true
            }
            state.count += 1
            let name = prefix + "_\(state.count)"
            try run("CREATE DATABASE \(name) TEMPLATE \(template) STRATEGY file_copy", on: "postgres")
            if let path { state.named[path] = name }
            return name
        }
    }

    /// Empties a database for the next test, or drops it if a test has changed its schema.
    func takeBack(_ name: String) {
        do {
            try run(Self.reset, on: name)
            state.withLock { $0.free.append(name) }
        } catch {
            drop(name)
        }
    }

    func removeDatabases(in folder: String) {
        let names = state.withLock { state in
            let paths = state.named.keys.filter { $0.hasPrefix(folder) }
            return paths.compactMap { state.named.removeValue(forKey: $0) }
        }
        names.forEach(drop)
    }

    private func drop(_ name: String) {
        try? run("DROP DATABASE IF EXISTS \(name) WITH (FORCE)", on: "postgres")
    }

    func run(_ commands: String, on name: String) throws {
        PQfinish(try connection(to: name, running: commands))
    }

    /// Opens a connection that the caller closes, and runs commands on it.
    func connection(to name: String, running commands: String) throws -> OpaquePointer? {
        let connection = PQconnectdb("\(server)/\(name)")
        let result = PQexec(connection, commands)
        defer { PQclear(result) }
        guard PQresultStatus(result) == PGRES_COMMAND_OK || PQresultStatus(result) == PGRES_TUPLES_OK else {
            defer { PQfinish(connection) }
            throw Failure.unavailable(String(cString: PQerrorMessage(connection)))
        }
        return connection
    }

    /// Deletes all rows, without regard to the order that references require. Fails if there is a table that the migrations do not make.
    private static let reset = """
        DO $$
        DECLARE table_name TEXT;
        BEGIN
            IF EXISTS (SELECT FROM pg_tables WHERE schemaname = 'public' AND tablename IN ('notes', 'numbers'))
                OR EXISTS (SELECT FROM pg_trigger WHERE NOT tgisinternal AND tgname <> 'count_revision')
            THEN
                RAISE EXCEPTION 'a test has made tables or triggers';
            END IF;
            SET LOCAL session_replication_role = replica;
            FOR table_name IN SELECT tablename FROM pg_tables
                WHERE schemaname = 'public' AND tablename NOT IN ('migrations', 'revisions', 'installation')
            LOOP
                EXECUTE 'DELETE FROM ' || table_name;
            END LOOP;
            DELETE FROM installation WHERE installation.name <> 'schema_version';
            PERFORM setval('newest_ids', 0);
        END $$
        """
}
