import Linden
import LindenKernel
import LindenServices
import LindenTesting
import PostgresStorage
import SQLStorage
import Synchronization
import Testing

/// What becomes of writes when the database refuses them or goes away.
@Suite(.enabled(if: Engine.isPostgres)) struct PostgresFailureTests {
    @Test(arguments: ["40001", "40P01"])
    func aWriteThatLosesAgainstAConcurrentOneIsRepeated(state: String) async throws {
        try await Installation.run { installation in
            let runs = Atomic<Int>(0)
            try await installation.sql { connection in
                try connection.execute("INSERT INTO installation (name, value) VALUES ('note', 'x')")
                guard runs.add(1, ordering: .relaxed).newValue < 3 else { return }
                try connection.execute(script: "DO $$ BEGIN RAISE EXCEPTION 'lost' USING ERRCODE = '\(state)'; END $$")
            }
            #expect(runs.load(ordering: .relaxed) == 3)
            #expect(try await installation.count("SELECT COUNT(*) FROM installation WHERE name = 'note'") == 1)
        }
    }

    @Test func aWriteWhoseConnectionIsLostIsUnavailableAndLeavesNothing() async throws {
        try await Installation.run { installation in
            let failure = await #expect(throws: Failure.self) {
                try await installation.sql { connection in
                    try connection.execute("INSERT INTO installation (name, value) VALUES ('note', 'x')")
                    try connection.execute("SELECT pg_terminate_backend(pg_backend_pid())")
                }
            }
            #expect(failure?.code == .unavailable)
            #expect(installation.storage.writeProblem != nil)

            #expect(try await installation.count("SELECT COUNT(*) FROM installation WHERE name = 'note'") == 0)
            _ = try await installation.createApp()
            #expect(installation.storage.writeProblem == nil)
        }
    }

    @Test func aWriteThatFindsTheDiskFullIsUnavailableUntilThereIsRoom() async throws {
        try await Installation.run { installation in
            let failure = await #expect(throws: Failure.self) {
                try await installation.sql { connection in
                    try connection.execute("INSERT INTO installation (name, value) VALUES ('note', 'x')")
                    try connection.execute(script: "DO $$ BEGIN RAISE EXCEPTION 'no space left' USING ERRCODE = '53100'; END $$")
                }
            }
            #expect(failure?.code == .unavailable)
            #expect(failure?.message == "The disk of the database is full.")
            #expect(installation.storage.writeProblem == failure?.message)

            #expect(try await installation.count("SELECT COUNT(*) FROM installation WHERE name = 'note'") == 0)
            _ = try await installation.createApp()
            #expect(installation.storage.writeProblem == nil)
        }
    }

    @Test func connectionsThatWereLostWhileIdleAreOpenedAgainUnnoticed() async throws {
        try await Installation.run { installation in
            _ = try await installation.createApp("Orchard")
            try await installation.terminateOtherConnections()
            _ = try await installation.createApp("Pears")
            for _ in 0..<4 { #expect(try await installation.storage.read { try $0.apps() }.count == 2) }
        }
    }

    /// As after a failover, when the name of the primary's host still is that of a standby.
    @Test func aServerThatConnectsAgainAndMayNotWriteNeitherReadsNorWritesUntilItMay() async throws {
        try await Installation.run { installation in
            _ = try await installation.createApp("Orchard")
            let name = try await installation.databaseName()
            try Engine.postgres("ALTER DATABASE \(name) SET default_transaction_read_only = on")
            defer { try? Engine.postgres("ALTER DATABASE \(name) RESET default_transaction_read_only") }
            try await installation.terminateOtherConnections()
            for _ in 0..<4 {
                let write = await #expect(throws: Failure.self) { try await installation.createApp("Pears") }
                let read = await #expect(throws: Failure.self) { try await installation.storage.read { try $0.apps() } }
                #expect([write?.code, read?.code] == [.unavailable, .unavailable])
            }
            #expect(installation.storage.writeProblem != nil)

            try Engine.postgres("ALTER DATABASE \(name) RESET default_transaction_read_only")
            #expect(try await eventually { (try? await installation.createApp("Pears")) != nil })
            #expect(installation.storage.writeProblem == nil)
            #expect(try await eventually { (try? await installation.storage.read { try $0.apps() })?.count == 2 })
        }
    }

    @Test func aDatabaseThatLosesCommitsWhenItCrashesGetsItsStringsAgain() async throws {
        try await Installation.run { installation in
            let path = try await installation.appWithLink().path
            try await installation.visit(path, from: "203.0.113.7")
            try await installation.sql { try $0.execute(script: "DELETE FROM clicks; DELETE FROM strings") }
            try await installation.terminateOtherConnections()
            try await installation.visit(path, from: "203.0.113.7")
            #expect(try await installation.count("SELECT COUNT(*) FROM clicks JOIN strings ON strings.id = user_agent_id") == 1)
        }
    }

    @Test func aWriteThatFailsByTheDatabaseLeavesItsNeighboursAlone() async throws {
        try await Installation.run { installation in
            let outcomes = await withTaskGroup(of: Bool.self) { group in
                for number in 0..<150 {
                    group.addTask {
                        let outcome: Void? = try? await installation.sql { connection in
                            try connection.execute("INSERT INTO installation (name, value) VALUES (\("note \(number)"), 'x')")
                            if number % 3 == 0 { try connection.execute("SELECT 1 / (SELECT 0)") }
                        }
                        return outcome != nil
                    }
                }
                return await group.reduce(into: [Bool]()) { $0.append($1) }
            }
            #expect(outcomes.count { $0 } == 100)
            let count = try await installation.count("SELECT COUNT(*) FROM installation WHERE name LIKE 'note%'")
            #expect(count == 100)
        }
    }

    @Test func aQuestionThatTakesTooLongIsRefusedAndTheNextOneIsAnswered() async throws {
        try await Installation.withFolder { folder in
            let options = PostgresOptions(analysts: 1, questionLimit: .milliseconds(50), creates: true)
            try await Self.withStorage(folder, options) { storage in
                let scope = Scope(app: Identifier(rawValue: 1), mode: .live)
                let failure = await #expect(throws: Failure.self) {
                    try await storage.analyze(scope) { reader in
                        try (reader as! SQLTransaction).connection.execute("SELECT pg_sleep(10)")
                    }
                }
                #expect(failure?.code == .invalid)
                let names = try await storage.analyze(scope) { try $0.eventNames(of: scope) }
                #expect(names == [])
            }
        }
    }

    @Test func whatFailsWhenItsTransactionIsCommittedFailsAlone() async throws {
        try await Installation.run { installation in
            let outcomes = await withTaskGroup(of: Bool.self) { group in
                for number in 0..<60 {
                    group.addTask {
                        let name = "note \(number % 50)"
                        let outcome: Void? = try? await installation.sql { connection in
                            try connection.execute("INSERT INTO installation (name, value) VALUES (\(name), 'x')")
                        }
                        return outcome != nil
                    }
                }
                return await group.reduce(into: [Bool]()) { $0.append($1) }
            }
            #expect(outcomes.count { $0 } == 50, "ten names came twice")
            let count = try await installation.count("SELECT COUNT(*) FROM installation WHERE name LIKE 'note%'")
            #expect(count == 50)
        }
    }

    @Test func aWriteOfMoreStatementsThanAreSentTogetherIsStoredWhole() async throws {
        try await Installation.run { installation in
            try await installation.sql { connection in
                for number in 0..<1000 {
                    try connection.execute("INSERT INTO installation (name, value) VALUES (\("note \(number)"), 'x')")
                    guard number.isMultiple(of: 150) else { continue }
                    let count = try connection.first("SELECT COUNT(*) FROM installation WHERE name LIKE 'note%'") { $0.integer(0) }
                    #expect(count == Int64(number + 1), "a query sees what was written before it")
                }
            }
            #expect(try await installation.count("SELECT COUNT(*) FROM installation WHERE name LIKE 'note%'") == 1000)
        }
    }

    private static func withStorage(
        _ path: String, _ options: PostgresOptions, _ body: (PostgresStorage) async throws -> Void
    ) async throws {
        let storage = try PostgresStorage(address: #require(try Engine.postgresAddress(path)), options: options)
        do {
            try await body(storage)
            await storage.shutdown()
        } catch {
            await storage.shutdown()
            throw error
        }
    }
}

extension Installation {
    /// Runs a test's own statements on the database.
    fileprivate func sql<Value: Sendable>(_ body: @escaping @Sendable (any SQLConnection) throws -> Value) async throws -> Value {
        try await storage.write { try body(($0 as! SQLTransaction).connection) }
    }

    fileprivate func count(_ sql: SQL) async throws -> Int64 {
        try await self.sql { try $0.first(sql) { $0.integer(0) } ?? 0 }
    }

    fileprivate func databaseName() async throws -> String {
        try await sql { try $0.first("SELECT current_database()") { $0.text(0) } ?? "" }
    }

    /// Ends all connections to the database but the writer's, and then the writer's at the end of a transaction.
    fileprivate func terminateOtherConnections() async throws {
        let name = try await databaseName()
        try Engine.postgres("SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = '\(name)'")
    }
}
