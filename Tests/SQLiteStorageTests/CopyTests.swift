import Linden
import LindenKernel
import LindenServices
import LindenTesting
import SQLStorage
import SQLiteStorage
import Testing

/// A copy to another file. Both directions between the engines are in the tests of PostgreSQL.
@Suite(.enabled(if: Engine.isSQLite)) struct CopyTests {
    @Test func everyTableOfTheSchemaIsCopied() async throws {
        try await Installation.withFolder { folder in
            try Self.fill(folder + "/old.db")
            let result = try Self.copy(folder)

            let source = try SQLiteCopySource(path: folder + "/old.db")
            let tables = try source.connection.query(
                "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'"
            ) { $0.text(0) }
            #expect(Set(result.tables.map(\.name)) == Set(tables).subtracting(["migrations"]))
            #expect(result.tables.allSatisfy { $0.rows == ($0.name == "installation" ? 6 : 5) })
            #expect(!result.isContinued && !result.isServed)
            #expect(try SQLiteCopySource(path: folder + "/new.db").contents() == source.contents())
        }
    }

    @Test func theCopyIsADatabaseLikeItsSource() async throws {
        try await Installation.withFolder { folder in
            let (path, clock) = (folder + "/old.db", TestClock())
            let id = try await Installation.run(path: path, clock: clock) { try await $0.createApp().app.id }
            _ = try Self.copy(folder)
            try await Installation.run(path: folder + "/new.db", clock: clock) { installation in
                let apps = try await installation.storage.read { try $0.apps() }
                #expect(apps.map(\.id) == [id])
                try await installation.createApp("Pears")
                try await installation.expectNoProblems()
            }
        }
    }

    @Test func anInterruptedCopyGoesOnWhereItStopped() async throws {
        try await Installation.withFolder { folder in
            try Self.fill(folder + "/old.db")
            var first: [String] = []
            #expect(throws: Interruption.self) {
                try Self.copy(folder) { step in
                    guard case .copying(let table, _) = step else { return }
                    first.append(table)
                    // In the middle of a table of three portions.
                    if first.count == 50 { throw Interruption() }
                }
            }
            var second: [String] = []
            let result = try Self.copy(folder) { if case .copying(let table, _) = $0 { second.append(table) } }
            #expect(result.isContinued)
            #expect(Set(first).intersection(second) == [first[49]])
            #expect(first.count + second.count == 3 * result.tables.count)
            try Self.expectEqualFiles(folder)
        }
    }

    @Test func rowsThatChangedDuringAnInterruptionAreCopiedAgain() async throws {
        try await Installation.withFolder { folder in
            try Self.fill(folder + "/old.db")
            #expect(throws: Interruption.self) {
                try Self.copy(folder) { if case .verifying = $0 { throw Interruption() } }
            }
            try Self.change(folder + "/old.db") { connection in
                try connection.execute("UPDATE apps SET name = 'Pears' WHERE id = 2")
                try connection.execute("DELETE FROM clicks WHERE id = 3")
                try connection.execute("INSERT INTO rates SELECT 'EUR', day, base, rate FROM rates WHERE day = 1")
            }
            var copied: Set<String> = []
            try Self.copy(folder) { if case .copying(let table, _) = $0 { copied.insert(table) } }
            #expect(copied == ["apps", "clicks", "rates"])
            try Self.expectEqualFiles(folder)
        }
    }

    /// In every table: rows of a range that was copied are deleted, changed and added, and others come behind them.
    @Test func aCopyFollowsWhatAServerWritesToAnyTable() async throws {
        try await Installation.withFolder { folder in
            try Self.fill(folder + "/old.db")
            var server: SQLiteCopyTarget? = try SQLiteCopyTarget.open(folder + "/old.db")
            var passes: [Int64] = []
            let result = try Self.copy(folder, follows: true) { step in
                guard case .following(let lag) = step else { return }
                passes.append(lag.rows)
                switch passes.count {
                case 1: try server?.changeSamples()
                case 2: try server?.insertSamples(9...9)
                default: server = nil
                }
            }
            let tables = Int64(result.tables.count)
            try #require(passes.count == 3)
            // Of the ranges 1 2, 3 4 and 5 the first is copied again, the second where a row has more than numbers and a key, and then what
            // comes behind them.
            #expect(passes[0] == 0 && (4 * tables...6 * tables).contains(passes[1]) && (tables...2 * tables).contains(passes[2]))
            #expect(!result.isServed)
            #expect(result.tables.allSatisfy { $0.rows == ($0.name == "installation" ? 9 : 8) })
            try Self.expectEqualFiles(folder)
        }
    }

    @Test func aCopyThatFollowedIsContinued() async throws {
        try await Installation.withFolder { folder in
            try Self.fill(folder + "/old.db")
            var server: SQLiteCopyTarget? = try SQLiteCopyTarget.open(folder + "/old.db")
            #expect(throws: Interruption.self) {
                try Self.copy(folder, follows: true) { if case .following = $0 { throw Interruption() } }
            }
            try server?.changeSamples()
            server = nil
            let result = try Self.copy(folder, follows: true)
            #expect(result.isContinued && !result.isServed)
            try Self.expectEqualFiles(folder)
        }
    }

    /// What is copied again is read again.
    @Test func damageToAPartThatIsCopiedAgainIsFound() async throws {
        try await Installation.withFolder { folder in
            try Self.fill(folder + "/old.db")
            let server = try SQLiteCopyTarget.open(folder + "/old.db")
            let target = try SQLiteCopyTarget.open(folder + "/new.db")
            var isFollowing = false
            let failure = #expect(throws: Failure.self) {
                try InstallationCopy(
                    from: SQLiteCopySource(path: folder + "/old.db"), to: target, portion: 2, patience: .zero
                ) { step in
                    switch step {
                    case .following where !isFollowing:
                        isFollowing = true
                        try server.changeSamples()
                    case .copying("events", _) where isFollowing:
                        try target.connection.execute("UPDATE events SET name = 'x' WHERE id = 4")
                    default: break
                    }
                }.run(follows: true)
            }
            #expect(failure?.message.contains("a part of the table events has other values") == true)
        }
    }

    @Test(arguments: ["UPDATE events SET name = 'x' WHERE id = 2", "DELETE FROM events WHERE id = 2"])
    func aDamagedCopyIsFound(damage: String) async throws {
        try await Installation.withFolder { folder in
            try Self.fill(folder + "/old.db")
            #expect(throws: Interruption.self) {
                try Self.copy(folder) { if case .verifying = $0 { throw Interruption() } }
            }
            try Self.change(folder + "/new.db") { try $0.execute(script: damage) }
            let failure = #expect(throws: Failure.self) { try Self.copy(folder) }
            #expect(failure?.message.contains("The copy differs from its source: the table events has ") == true)
        }
    }

    @Test func anUnfinishedCopyIsOpenedByNoOtherCommandAndContinuedFromNoOtherSource() async throws {
        try await Installation.withFolder { folder in
            try Self.fill(folder + "/old.db")
            try Self.fill(folder + "/other.db", key: "pears")
            #expect(throws: Interruption.self) { try Self.copy(folder) { _ in throw Interruption() } }

            let opening = #expect(throws: Failure.self) { try SQLiteStorage(path: folder + "/new.db") }
            #expect(opening?.message.contains("holds an unfinished copy. Start linden copy again") == true)
            let source = #expect(throws: Failure.self) { try Self.copy(folder, from: "new.db", to: "next.db") }
            #expect(source?.message.contains("new.db holds an unfinished copy") == true)
            let other = #expect(throws: Failure.self) { try Self.copy(folder, from: "other.db") }
            #expect(other?.message.contains("an unfinished copy of another installation") == true)
        }
    }

    @Test func aDatabaseWithDataIsNoTarget() async throws {
        try await Installation.withFolder { folder in
            try Self.fill(folder + "/old.db")
            try await Installation.run(path: folder + "/new.db") { _ = try await $0.createApp() }
            let failure = #expect(throws: Failure.self) { try Self.copy(folder) }
            #expect(failure?.code == .conflict)
            #expect(failure?.message.contains("has data: the table apps is not empty") == true)
            try await Installation.run(path: folder + "/new.db") { installation in
                let apps = try await installation.storage.read { try $0.apps() }
                #expect(apps.count == 1)
            }
        }
    }

    @Test func aDatabaseThatAServerHasIsNoTarget() async throws {
        try await Installation.withFolder { folder in
            try Self.fill(folder + "/old.db")
            let server = try SQLiteCopyTarget.open(folder + "/new.db")
            let failure = #expect(throws: Failure.self) { try Self.copy(folder) }
            #expect(failure?.message.contains("is served already") == true)
            withExtendedLifetime(server) {}
        }
    }

    @Test func aCopyOfADatabaseThatAServerHasSaysSo() async throws {
        try await Installation.withFolder { folder in
            try Self.fill(folder + "/old.db")
            let server = try SQLiteCopyTarget.open(folder + "/old.db")
            let result = try Self.copy(folder)
            #expect(result.isServed)
            withExtendedLifetime(server) {}
        }
    }

    @Test(arguments: [
        ("CREATE TABLE notes (id INTEGER PRIMARY KEY) STRICT", "The table notes of the database"),
        ("ALTER TABLE rates ADD COLUMN note TEXT", "has other columns"),
        ("ALTER TABLE rates ADD COLUMN note REAL", "has the type REAL, which cannot be copied"),
    ])
    func aTableOrColumnThatTheCopyDoesNotKnowIsAnError(change: String, problem: String) async throws {
        try await Installation.withFolder { folder in
            try Self.fill(folder + "/old.db")
            try Self.change(folder + "/old.db") { try $0.execute(script: change) }
            let failure = #expect(throws: Failure.self) { try Self.copy(folder) }
            #expect(failure?.message.contains(problem) == true)
        }
    }

    /// A running server has them in memory alone. In the copy they are rows, so that the next server does not read them again.
    @Test func clicksThatAServerHasInMemoryMatchAnInstallInTheCopy() async throws {
        try await Installation.withFolder { folder in
            let (path, clock) = (folder + "/old.db", TestClock())
            let key = try await Installation.run(path: path, clock: clock, pendingClickLimit: 100) { server in
                let (app, link) = try await server.appWithLink()
                for number in 1...5 { try await server.visit(link, from: "2001:db8:\(number)::1") }
                #expect(try await server.matches(app, installs: 1, from: "2001:db8:1::1") == 1)
                let result = try Self.copy(folder, clock: clock)
                #expect(result.newPendingClicks == 5)
                return app.key.branchKey
            }
            try await Installation.run(path: folder + "/new.db", clock: clock, seed: 2, pendingClickLimit: 100) { server in
                let app = try await server.services.directory.app(branchKey: key)
                var matches: [Int] = []
                for number in 1...5 { matches.append(try await server.matches(app, installs: 2, from: "2001:db8:\(number)::1")) }
                #expect(matches == [0, 1, 1, 1, 1])
                #expect(try await server.count("SELECT COUNT(*) FROM pending_clicks") == 5)
            }
        }
    }
}

extension CopyTests {
    fileprivate static func fill(_ path: String, key: String = "orchard") throws {
        try SQLiteCopyTarget.open(path).insertSamples(key: key)
    }

    fileprivate static func change(_ path: String, _ body: (any SQLConnection) throws -> Void) throws {
        let database = try SQLiteCopyTarget.open(path)
        try body(database.connection)
    }

    /// Copies in portions of two rows.
    @discardableResult
    fileprivate static func copy(
        _ folder: String, from source: String = "old.db", to target: String = "new.db", clock: TestClock = TestClock(),
        follows: Bool = false, report: @escaping (InstallationCopy.Step) throws -> Void = { _ in }
    ) throws -> CopyResult {
        try InstallationCopy(
            from: SQLiteCopySource(path: folder + "/" + source), to: SQLiteCopyTarget.open(folder + "/" + target), portion: 2,
            clock: clock.clock, patience: .zero, report: report
        ).run(follows: follows)
    }

    fileprivate static func expectEqualFiles(_ folder: String) throws {
        let contents = try SQLiteCopySource(path: folder + "/old.db").contents()
        #expect(try SQLiteCopySource(path: folder + "/new.db").contents() == contents)
    }
}
