import Foundation
import Linden
import LindenKernel
import LindenTesting
import PostgresStorage
import SQLStorage
import Testing

/// Changes of the schema while others use the database, as in a rolling upgrade.
@Suite(.enabled(if: Engine.isPostgres)) struct SchemaChangeTests {
    private static let changed: SQL =
        "SELECT 1 FROM pg_trigger WHERE tgname = 'count_revision' AND tgrelid = 'domains'::regclass"

    @Test func aNodeThatIsUpgradedWaitsForABackupWithoutStoppingTheOthers() async throws {
        try await Self.withOldServer { server, address, folder in
            var backup = try Engine.stoppedConnection(folder, after: "BEGIN; LOCK TABLE domains IN SHARE MODE", isSending: false)
            let log = LogRecorder()
            async let upgraded = Self.open(address, patience: .seconds(60), log: log)
            // If the node kept the turn of all writers while it waits, a write would fail after its own patience.
            while log.messages.count(where: { $0.contains("could not be brought up to date yet") }) < 3 {
                _ = try await server.write { try $0.newID(Event.self) }
                try await Task.sleep(for: .milliseconds(50))
            }
            #expect(try await !Self.isChanged(server))
            withExtendedLifetime(backup) {}
            backup = nil
            try await upgraded.shutdown()
            #expect(try await Self.isChanged(server))
        }
    }

    @Test func aTableThatStaysInUseStopsTheStartWithAMessage() async throws {
        try await Self.withOldServer { _, address, folder in
            let backup = try Engine.stoppedConnection(folder, after: "BEGIN; LOCK TABLE domains IN SHARE MODE", isSending: false)
            let failure = await #expect(throws: Failure.self) { try await Self.open(address, patience: .zero) }
            #expect(failure?.code == .unusable)
            #expect(failure?.message.contains("is busy: another session, such as that of pg_dump, uses its tables") == true)
            withExtendedLifetime(backup) {}
        }
    }

    @Test func theFunctionOfTriggersOfAnEarlierVersionIsReplaced() async throws {
        try await Installation.withFolder { folder in
            try await SeveralServersTests.withStorage(folder) { server in
                try await server.write {
                    try ($0 as! SQLTransaction).connection.execute(
                        script: """
                            CREATE OR REPLACE FUNCTION count_revision() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$
                            """)
                }
                let address = try #require(try Engine.postgresAddress(folder))
                try await Self.open(address, patience: .zero).shutdown()
                let isReplaced = try await server.read {
                    try ($0 as! SQLTransaction).connection.hasRows(
                        "SELECT 1 FROM pg_proc WHERE proname = 'count_revision' AND prosrc LIKE '%used_at%'")
                }
                #expect(isReplaced)
            }
        }
    }

    /// A server on a database whose schema lacks a trigger, which the next one to be opened creates.
    private static func withOldServer(_ body: (PostgresStorage, PostgresAddress, String) async throws -> Void) async throws {
        try await Installation.withFolder { folder in
            try await SeveralServersTests.withStorage(folder) { server in
                try await server.write {
                    try ($0 as! SQLTransaction).connection.execute(script: "DROP TRIGGER count_revision ON domains")
                }
                try await body(server, #require(try Engine.postgresAddress(folder)), folder)
            }
        }
    }

    /// Opens a database on a thread of its own, since that waits.
    private static func open(
        _ address: PostgresAddress, patience: Duration, log: LogRecorder = LogRecorder()
    ) async throws -> PostgresStorage {
        var options = PostgresOptions(readers: 1, analysts: 1)
        options.schemaLockLimit = .milliseconds(300)
        options.schemaPatience = patience
        return try await withCheckedThrowingContinuation { [options] continuation in
            Thread.detachNewThread {
                continuation.resume(with: Result { try PostgresStorage(address: address, options: options, logger: log.logger) })
            }
        }
    }

    private static func isChanged(_ server: PostgresStorage) async throws -> Bool {
        try await server.read { try ($0 as! SQLTransaction).connection.hasRows(changed) }
    }
}
