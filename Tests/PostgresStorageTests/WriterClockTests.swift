import Linden
import LindenKernel
import LindenTesting
import PostgresStorage
import SQLStorage
import Synchronization
import Testing

/// Servers whose machine's clock is wrong.
@Suite(.enabled(if: Engine.isPostgres)) struct WriterClockTests {
    @Test(arguments: [true, false]) func aServerWhoseClockIsAheadOfTheDatabasesWritesNothing(prepares: Bool) async throws {
        let lead = Atomic<Int64>(0)
        let clock = WallClock { WallClock.system.now() + .milliseconds(lead.load(ordering: .relaxed)) }
        try await Self.withServer(clock: clock, prepares: prepares) { server, other in
            _ = try await server.write { try $0.newID(Event.self) }
            #expect(try await eventually { server.isLeader })

            lead.store(3_600_500, ordering: .relaxed)
            let failure = await #expect(throws: Failure.self) { try await server.write { try $0.newID(Event.self) } }
            #expect(failure?.code == .unavailable)
            #expect(failure?.message.contains("this machine's clock is 3600 seconds ahead of the database's") == true)
            #expect(server.writeProblem == failure?.message)
            #expect(try await eventually { !server.isLeader && other.isLeader })
            let id = try await other.write { try $0.newID(Event.self) }
            #expect(id.time < WallClock.system.now() + .seconds(60))

            lead.store(3000, ordering: .relaxed)
            try await server.write {
                try ($0 as! SQLTransaction).connection.execute("INSERT INTO installation (name, value) VALUES ('note', 'x')")
            }
            #expect(server.writeProblem == nil)
        }
    }

    /// A server with a clock of its own, and another one.
    private static func withServer(
        clock: WallClock, prepares: Bool, _ body: (PostgresStorage, PostgresStorage) async throws -> Void
    ) async throws {
        try await Installation.withFolder { folder in
            let address = try #require(try Engine.postgresAddress(folder))
            var options = PostgresOptions(readers: 1, analysts: 1, creates: true, isServer: true)
            options.clockTolerance = PostgresOptions.mostClockDifference
            options.prepares = prepares
            let server = try PostgresStorage(address: address, options: options, clock: clock)
            let other = try PostgresStorage(address: address, options: options)
            do {
                try await body(server, other)
            } catch {
                await server.shutdown()
                await other.shutdown()
                throw error
            }
            await server.shutdown()
            await other.shutdown()
        }
    }
}
