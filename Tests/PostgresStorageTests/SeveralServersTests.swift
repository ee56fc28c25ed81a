import Linden
import LindenKernel
import LindenServices
import LindenTesting
import PostgresStorage
import SQLStorage
import Testing

/// Several servers on one database.
@Suite(.enabled(if: Engine.isPostgres)) struct SeveralServersTests {
    @Test func idsOfAllServersIncreaseInTheOrderInWhichTheirRowsBecomeVisible() async throws {
        try await withServers(2) { servers in
            let ids = try await withThrowingTaskGroup(of: Int64.self) { group in
                for number in 0..<200 {
                    group.addTask {
                        try await servers[number % 2].write { transaction in
                            let connection = (transaction as! SQLTransaction).connection
                            let id = try transaction.newID(Event.self).rawValue
                            let last = try connection.first("SELECT MAX(day) FROM rates") { $0.optionalInteger(0) ?? 0 }
                            #expect(id > last ?? 0)
                            try connection.execute(
                                "INSERT INTO rates (currency, day, base, rate) VALUES ('XTS', \(id), 'XTS', '1')")
                            return id
                        }
                    }
                }
                return try await group.reduce(into: Set()) { $0.insert($1) }
            }
            #expect(ids.count == 200)
        }
    }

    @Test func aServerWhoseClockIsBehindMakesNoIdsBeforeThoseOfOthers() async throws {
        try await Installation.withFolder { folder in
            let (ahead, behind) = (TestClock(), TestClock())
            ahead.advance(by: .seconds(3600))
            try await Self.withStorage(folder, clock: ahead) { first in
                try await Self.withStorage(folder, clock: behind) { second in
                    let newest = try await first.write { try $0.newID(Event.self).rawValue }
                    #expect(try await second.write { try $0.newID(Event.self).rawValue } > newest)
                }
            }
        }
    }

    @Test(arguments: [
        "UPDATE apps SET name = 'Pears'", "UPDATE app_keys SET ends_at = 1", "UPDATE links SET channel = 'mail'",
        "DELETE FROM links",
        "INSERT INTO address_keys (day, secret, needed_until) VALUES (1, '\\x00', 2)",
    ])
    func aChangeOfWhatServersCacheIsSeenByTheOthers(change: String) async throws {
        try await withServers(2) { servers in
            try await Self.addAppWithLink(to: servers[0])
            #expect(try await eventually { servers[1].foreignChanges > 0 })
            let (own, before) = (servers[0].foreignChanges, servers[1].foreignChanges)
            try await servers[0].write { try ($0 as! SQLTransaction).connection.execute(script: change) }
            #expect(try await eventually { servers[1].foreignChanges > before })
            #expect(servers[0].foreignChanges == own, "its own changes are no others'")
        }
    }

    @Test func whatNoServerCachesEmptiesNoCache() async throws {
        try await withServers(2) { servers in
            try await Self.addAppWithLink(to: servers[0])
            #expect(try await eventually { servers[1].foreignChanges > 0 })
            let before = servers[1].foreignChanges
            for change in [
                "UPDATE links SET clicks_taken = clicks_taken + 1", "UPDATE links SET used_at = 1", Self.newLink(2),
            ] {
                try await servers[0].write { try ($0 as! SQLTransaction).connection.execute(script: change) }
            }
            try await Task.sleep(for: .milliseconds(600))
            #expect(servers[1].foreignChanges == before)
        }
    }

    @Test(arguments: [true, false]) func oneServerLeadsAndTheNextOneWhenItEnds(prepares: Bool) async throws {
        try await withServers(3, prepares: prepares) { servers in
            #expect(try await eventually { servers.count { $0.isLeader } == 1 })
            let leader = try #require(servers.first { $0.isLeader })
            await leader.shutdown()
            let others = servers.filter { $0 !== leader }
            #expect(try await eventually { others.count { $0.isLeader } == 1 })
        }
    }

    @Test(arguments: [true, false])
    func aServerThatLosesItsConnectionLeadsNoMoreUntilItHasTheLockAgain(prepares: Bool) async throws {
        try await withServers(2, prepares: prepares) { servers in
            #expect(try await eventually { servers.count { $0.isLeader } == 1 })
            for _ in 0..<3 {
                let name = try await servers[0].read {
                    try ($0 as! SQLTransaction).connection.first("SELECT current_database()") { $0.text(0) } ?? ""
                }
                try Engine.postgres("SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = '\(name)'")
                #expect(try await eventually { servers.count { $0.isLeader } == 1 })
            }
        }
    }

    /// Autovacuum would take a minute, in which look-ups read whole tables.
    @Test func theLeaderSoonTellsThePlannerThatATableHasGrown() async throws {
        try await withServers(1) { servers in
            try await servers[0].write {
                try ($0 as! SQLTransaction).connection.execute(
                    script: """
                        INSERT INTO rates (currency, day, base, rate) SELECT 'XTS', day, 'XTS', '1' FROM generate_series(1, 500) AS day
                        """)
            }
            #expect(
                try await eventually {
                    try await servers[0].read {
                        try ($0 as! SQLTransaction).connection.hasRows(
                            "SELECT 1 FROM pg_class WHERE oid = 'rates'::regclass AND reltuples = 500")
                    }
                })
        }
    }

    @Test func aCommandNeverLeads() async throws {
        try await Installation.withFolder { folder in
            try await Self.withStorage(folder, PostgresOptions(readers: 1, analysts: 1)) { command in
                try await Task.sleep(for: .milliseconds(600))
                #expect(!command.isLeader)
            }
        }
    }

    private static func newLink(_ id: Int) -> String {
        """
        INSERT INTO links (id, app_id, mode, host, path, has_alias, type, data, creation_source, created_at, updated_at)
        VALUES (\(id), 1, 0, '', 'pears\(id)', 1, 0, '{}', 0, 0, 0)
        """
    }

    private static func addAppWithLink(to server: PostgresStorage) async throws {
        let app = """
            INSERT INTO apps (id, name, configuration, created_at, updated_at) VALUES (1, 'Orchard', '{}', 0, 0);
            INSERT INTO app_keys (branch_key, app_id, mode, secret_hash, created_at) VALUES ('key_live_1', 1, 0, '\\x00', 0);
            """
        try await server.write { try ($0 as! SQLTransaction).connection.execute(script: app + newLink(1)) }
    }

    private func withServers(_ count: Int, prepares: Bool = true, _ body: ([PostgresStorage]) async throws -> Void) async throws {
        try await Installation.withFolder { folder in
            var options = PostgresOptions(readers: 1, analysts: 1, creates: true, isServer: true)
            options.prepares = prepares
            var servers: [PostgresStorage] = []
            for _ in 0..<count { servers.append(try Self.storage(folder, options)) }
            do {
                try await body(servers)
                for server in servers { await server.shutdown() }
            } catch {
                for server in servers { await server.shutdown() }
                throw error
            }
        }
    }

    private static func storage(
        _ path: String, _ options: PostgresOptions = PostgresOptions(readers: 1, analysts: 1, creates: true, isServer: true),
        clock: TestClock = TestClock()
    ) throws -> PostgresStorage {
        try PostgresStorage(address: #require(try Engine.postgresAddress(path)), options: options, clock: clock.clock)
    }

    static func withStorage(
        _ path: String, _ options: PostgresOptions = PostgresOptions(readers: 1, analysts: 1, creates: true, isServer: true),
        clock: TestClock = TestClock(), _ body: (PostgresStorage) async throws -> Void
    ) async throws {
        let storage = try storage(path, options, clock: clock)
        do {
            try await body(storage)
            await storage.shutdown()
        } catch {
            await storage.shutdown()
            throw error
        }
    }
}

/// Whether a condition becomes true within ten seconds.
func eventually(_ condition: () async throws -> Bool) async throws -> Bool {
    for _ in 0..<500 {
        if try await condition() { return true }
        try await Task.sleep(for: .milliseconds(20))
    }
    return false
}
