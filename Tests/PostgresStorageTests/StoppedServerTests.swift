import Foundation
import Linden
import LindenKernel
import LindenServices
import LindenTesting
import PostgresStorage
import SQLStorage
import Synchronization
import Testing

/// Servers that stop while they write, and those that wait for them.
@Suite(.enabled(if: Engine.isPostgres)) struct StoppedServerTests {
    /// PostgreSQL waits without limit for the rest of what a process sends.
    @Test(arguments: [true, false]) func aServerThatStopsWhileItWritesIsDisconnectedByTheNextOne(isSending: Bool) async throws {
        try await Installation.withFolder { folder in
            try await SeveralServersTests.withStorage(folder, Self.options(turnLimit: .milliseconds(300))) { server in
                let stopped = try Engine.stoppedConnection(
                    folder, after: "BEGIN; SELECT pg_advisory_xact_lock(\(PostgresTurn.lock))", isSending: isSending)
                let began = ContinuousClock.now
                _ = try await server.write { try $0.newID(Event.self) }
                #expect((.milliseconds(250)..<Duration.seconds(30)).contains(ContinuousClock.now - began))
                withExtendedLifetime(stopped) {}
            }
        }
    }

    @Test func aServerWhoseStatementTakesLongIsLeftAlone() async throws {
        try await Installation.withFolder { folder in
            try await SeveralServersTests.withStorage(folder, Self.options(turnLimit: .milliseconds(100))) { waiting in
                try await SeveralServersTests.withStorage(folder, Self.options(turnLimit: .seconds(8))) { slow in
                    let hasBegun = Atomic(false)
                    async let long = slow.write { transaction in
                        hasBegun.store(true, ordering: .relaxed)
                        return try (transaction as! SQLTransaction).connection.hasRows("SELECT pg_sleep(3)")
                    }
                    while !hasBegun.load(ordering: .relaxed) { try await Task.sleep(for: .milliseconds(10)) }
                    let failure = await #expect(throws: Failure.self) { try await waiting.write { try $0.newID(Event.self) } }
                    #expect(failure?.code == .unavailable)
                    #expect(try await long)
                    _ = try await waiting.write { try $0.newID(Event.self) }
                }
            }
        }
    }

    @Test func aServerThatWakesAfterItsSessionWasEndedIsUnavailable() async throws {
        try await Installation.run { installation in
            let failure = await #expect(throws: Failure.self) {
                try await installation.storage.write { transaction in
                    let connection = (transaction as! SQLTransaction).connection
                    try connection.execute("SET LOCAL idle_in_transaction_session_timeout = 100")
                    _ = try connection.hasRows("SELECT 1")
                    usleep(500_000)
                    try connection.execute("INSERT INTO installation (name, value) VALUES ('note', 'x')")
                }
            }
            #expect(failure?.code == .unavailable)
            _ = try await installation.createApp()
        }
    }

    @Test func aServerWhoseClockIsBehindGoesOnWriting() async throws {
        try await Installation.withFolder { folder in
            let (ahead, behind) = (TestClock(), TestClock())
            ahead.advance(by: .seconds(3600))
            let options = Self.options(turnLimit: .seconds(8))
            try await SeveralServersTests.withStorage(folder, options, clock: ahead) { first in
                try await SeveralServersTests.withStorage(folder, options, clock: behind) { second in
                    var newest: Int64 = 0
                    for _ in 0..<30 {
                        for server in [first, second, second] {
                            let id = try await server.write { try $0.newID(Event.self).rawValue }
                            #expect(id > newest)
                            newest = id
                        }
                        ahead.advance(by: .seconds(10))
                        behind.advance(by: .seconds(10))
                    }
                }
            }
        }
    }

    /// Its row is among the commits that a database may lose when it crashes.
    @Test func aServerThatConnectsAgainDoesNotKeepANodeNumberThatTheDatabaseHasLost() async throws {
        try await Installation.withFolder { folder in
            let options = Self.options(turnLimit: .seconds(8))
            try await SeveralServersTests.withStorage(folder, options) { first in
                try await SeveralServersTests.withStorage(folder, options) { second in
                    let name = try await first.write { transaction in
                        _ = try transaction.newID(Event.self)
                        let connection = (transaction as! SQLTransaction).connection
                        return try connection.first("SELECT current_database()") { $0.text(0) } ?? ""
                    }
                    try Engine.postgres("DELETE FROM nodes", on: name)
                    try Engine.postgres("SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = '\(name)'")
                    var nodes: Set<Int64> = []
                    for server in [second, first] {
                        nodes.insert(try await server.write { try $0.newID(Event.self).rawValue >> 12 & 1023 })
                    }
                    #expect(nodes.count == 2)
                }
            }
        }
    }

    private static func options(turnLimit: Duration) -> PostgresOptions {
        var options = PostgresOptions(readers: 1, analysts: 1, creates: true, isServer: true)
        options.turnLimit = turnLimit
        return options
    }
}
