import Linden
import LindenKernel
import LindenServices
import LindenTesting
import PostgresStorage
import SQLStorage
import SQLiteStorage
import Testing

/// Copies between SQLite and PostgreSQL.
@Suite(.enabled(if: Engine.isPostgres)) struct EngineCopyTests {
    @Test func everyRowComesBackFromTheOtherEngineAsItWas() async throws {
        try await Self.withDatabases { databases in
            try databases.fill()
            let there = try databases.toPostgres()
            let back = try databases.fromPostgres()
            #expect(there.tables.map(\.name) == back.tables.map(\.name))

            let tables = try databases.postgresTarget().connection.query(
                "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()"
            ) { $0.text(0) }
            #expect(Set(there.tables.map(\.name)) == Set(tables).subtracting(["migrations", "revisions"]))
            let contents = try SQLiteCopySource(path: databases.file).contents()
            #expect(contents.values.allSatisfy { $0.count >= 5 })
            #expect(try PostgresCopySource(address: databases.address).contents() == contents)
            #expect(try SQLiteCopySource(path: databases.otherFile).contents() == contents)
        }
    }

    @Test func aDatabaseIsCopiedToAnotherOneOnPostgreSQL() async throws {
        try await Self.withDatabases { databases in
            try databases.fill()
            try databases.toPostgres()
            let source = try PostgresCopySource(address: databases.address)
            let other = try #require(try Engine.postgresAddress(databases.folder + "/other"))
            _ = try InstallationCopy(from: source, to: PostgresCopyTarget(address: other)).run()
            #expect(try PostgresCopySource(address: other).contents() == source.contents())
        }
    }

    /// PostgreSQL stores no such character.
    @Test func theCharacterU0000BecomesTheReplacementCharacter() async throws {
        try await Self.withDatabases { databases in
            try databases.fill { try $0.execute("UPDATE events SET name = \("a\0b") WHERE id = 1") }
            try databases.toPostgres()
            let name = try PostgresCopySource(address: databases.address).connection.first("SELECT name FROM events WHERE id = 1") {
                $0.text(0)
            }
            #expect(name == "a\u{FFFD}b")
        }
    }

    @Test func aCopyThatWasInterruptedGoesOnWhereItStopped() async throws {
        try await Self.withDatabases { databases in
            try databases.fill()
            var first: [String] = []
            #expect(throws: Interruption.self) {
                try databases.toPostgres { step in
                    guard case .copying(let table, _) = step else { return }
                    first.append(table)
                    if first.count == 50 { throw Interruption() }
                }
            }
            let opening = #expect(throws: Failure.self) { try PostgresStorage(address: databases.address) }
            #expect(opening?.message.contains("holds an unfinished copy") == true)

            try databases.change { try $0.execute("UPDATE apps SET name = 'Pears' WHERE id = 2") }
            var second: Set<String> = []
            let result = try databases.toPostgres { if case .copying(let table, _) = $0 { second.insert(table) } }
            #expect(result.isContinued)
            #expect(second.contains("apps") && !second.contains("aggregation_cursors"))
            let contents = try SQLiteCopySource(path: databases.file).contents()
            #expect(try PostgresCopySource(address: databases.address).contents() == contents)
        }
    }

    /// Rows that others refer to are deleted and come again with their range; in the end all references hold, and are checked as before.
    @Test func aCopyToPostgreSQLFollowsWhatAServerWritesToAnyTable() async throws {
        try await Self.withDatabases { databases in
            try databases.fill()
            var server: SQLiteCopyTarget? = try SQLiteCopyTarget.open(databases.file)
            var passes = 0
            let result = try databases.toPostgres(follows: true) { step in
                guard case .following = step else { return }
                passes += 1
                if passes == 1 { try server?.changeSamples() } else { server = nil }
            }
            #expect(passes == 2 && !result.isServed)
            let contents = try SQLiteCopySource(path: databases.file).contents()
            #expect(contents.values.allSatisfy { $0.count >= 7 })
            #expect(try PostgresCopySource(address: databases.address).contents() == contents)
            let deferrable = try databases.postgresTarget().connection.first(
                "SELECT COUNT(*) FROM pg_constraint WHERE contype = 'f' AND condeferrable"
            ) { $0.integer(0) }
            #expect(deferrable == 0)
        }
    }

    @Test func aCopyOfADatabaseOnPostgreSQLFollowsItsServer() async throws {
        try await Self.withDatabases { databases in
            try databases.fill()
            try databases.toPostgres()
            var server: PostgresCopyTarget? = try databases.postgresTarget()
            var passes = 0
            try databases.fromPostgres(follows: true) { step in
                guard case .following = step else { return }
                passes += 1
                if passes == 1 { try server?.insertSamples(6...8) } else { server = nil }
            }
            // PostgreSQL takes a moment to see that the server's session has ended.
            #expect(passes >= 2)
            let contents = try PostgresCopySource(address: databases.address).contents()
            #expect(contents.values.allSatisfy { $0.count >= 8 })
            #expect(try SQLiteCopySource(path: databases.otherFile).contents() == contents)
        }
    }

    @Test func aDamagedCopyOnPostgreSQLIsFound() async throws {
        try await Self.withDatabases { databases in
            try databases.fill()
            #expect(throws: Interruption.self) {
                try databases.toPostgres { if case .verifying = $0 { throw Interruption() } }
            }
            try databases.postgresTarget().connection.execute("UPDATE events SET name = 'x' WHERE id = 2")
            let failure = #expect(throws: Failure.self) { try databases.toPostgres() }
            #expect(failure?.message.contains("the table events has other values") == true)
        }
    }

    @Test func aDatabaseWithDataOrWithAServerIsNoTarget() async throws {
        try await Self.withDatabases { databases in
            try databases.fill()
            let server = try databases.postgresTarget()
            let served = #expect(throws: Failure.self) { try databases.toPostgres() }
            #expect(served?.message.contains("is served already") == true)
            withExtendedLifetime(server) {}
        }
        try await Self.withDatabases { databases in
            try databases.fill()
            try databases.toPostgres()
            let filled = #expect(throws: Failure.self) { try databases.toPostgres() }
            #expect(filled?.message.contains("has data: the table ") == true)
        }
    }

    @Test func theCopyOfADatabaseThatAServerHasSaysSo() async throws {
        try await Self.withDatabases { databases in
            try databases.fill()
            try databases.toPostgres()
            let server = try databases.postgresTarget()
            let result = try databases.fromPostgres()
            #expect(result.isServed)
            withExtendedLifetime(server) {}
        }
    }

    @Test func pendingClicksMatchAnInstallOnTheOtherEngine() async throws {
        try await Self.withDatabases { databases in
            let clock = TestClock()
            let options = SQLiteOptions(readers: 1, creates: true, pendingClickLimit: 100)
            let file = try SQLiteStorage(path: databases.file, options: options, clock: clock.clock)
            let key = try await Installation.run(on: file, clock: clock) { server in
                let (app, link) = try await server.appWithLink()
                for number in 1...6 { try await server.visit(link, from: "2001:db8:\(number)::1") }
                #expect(try await server.matches(app, installs: 1, from: "2001:db8:1::1") == 1)
                return app.key.branchKey
            }
            let there = try databases.toPostgres(clock: clock)
            #expect(there.newPendingClicks == 6)

            let storage = try PostgresStorage(address: databases.address, clock: clock.clock)
            try await Installation.run(on: storage, clock: clock, seed: 2) { server in
                let app = try await server.services.directory.app(branchKey: key)
                var matches: [Int] = []
                for number in 1...3 { matches.append(try await server.matches(app, installs: 2, from: "2001:db8:\(number)::1")) }
                #expect(matches == [0, 1, 1])
            }
            let back = try databases.fromPostgres(clock: clock)
            #expect(back.newPendingClicks == 0)

            let other = try SQLiteStorage(path: databases.otherFile, options: options, clock: clock.clock)
            try await Installation.run(on: other, clock: clock, seed: 3) { server in
                let app = try await server.services.directory.app(branchKey: key)
                var matches: [Int] = []
                for number in 1...6 { matches.append(try await server.matches(app, installs: 2, from: "2001:db8:\(number)::1")) }
                #expect(matches == [0, 0, 0, 1, 1, 1])
            }
        }
    }

    /// A copy would have to set them behind the greatest value.
    @Test func theMigrationsMakeNoSequences() async throws {
        try await Self.withDatabases { databases in
            let sequences = try databases.postgresTarget().connection.query("SELECT sequencename FROM pg_sequences") { $0.text(0) }
            #expect(sequences == ["newest_ids"])
        }
    }

    private static func withDatabases(_ body: (CopiedDatabases) async throws -> Void) async throws {
        try await Installation.withFolder { folder in
            let address = try #require(try Engine.postgresAddress(folder + "/copy"))
            try await body(CopiedDatabases(folder: folder, address: address))
        }
    }
}

/// A file, a database on PostgreSQL, and a second file.
private struct CopiedDatabases {
    let folder: String
    let address: PostgresAddress

    var file: String { folder + "/old.db" }
    var otherFile: String { folder + "/new.db" }

    func fill(then body: (any SQLConnection) throws -> Void = { _ in }) throws {
        let database = try SQLiteCopyTarget.open(file)
        try database.insertSamples()
        try body(database.connection)
    }

    func change(_ body: (any SQLConnection) throws -> Void) throws {
        let database = try SQLiteCopyTarget.open(file)
        try body(database.connection)
    }

    func postgresTarget() throws -> PostgresCopyTarget { try PostgresCopyTarget(address: address) }

    /// Copies in portions of two rows.
    @discardableResult
    func toPostgres(
        clock: TestClock = TestClock(), follows: Bool = false, report: @escaping (InstallationCopy.Step) throws -> Void = { _ in }
    ) throws -> CopyResult {
        try InstallationCopy(
            from: SQLiteCopySource(path: file), to: postgresTarget(), portion: 2, clock: clock.clock, patience: .zero,
            report: report
        ).run(follows: follows)
    }

    @discardableResult
    func fromPostgres(
        clock: TestClock = TestClock(), follows: Bool = false, report: @escaping (InstallationCopy.Step) throws -> Void = { _ in }
    ) throws -> CopyResult {
        try InstallationCopy(
            from: PostgresCopySource(address: address), to: SQLiteCopyTarget.open(otherFile), portion: 2, clock: clock.clock,
            patience: .zero, report: report
        ).run(follows: follows)
    }
}
