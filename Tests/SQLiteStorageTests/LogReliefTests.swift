import Foundation
import Linden
import LindenKernel
import LindenServices
import LindenTesting
import SQLStorage
import SQLiteStorage
import Testing

/// The write-ahead log while readers follow one another without a moment between them.
@Suite(.enabled(if: Engine.isSQLite)) struct LogReliefTests {
    @Test(arguments: [true, false]) func theLogDoesNotGrowWithoutBound(isByQuestions: Bool) async throws {
        try await Self.run(isByQuestions: isByQuestions) { storage, path in
            for _ in 0..<80 {
                try await Self.write(storage, bytes: 1 << 20)
                // Readers pause every two seconds. On the fastest disk, too, the log grows by 32 MB until then.
                try await Task.sleep(for: .milliseconds(62))
            }
            #expect(try Self.logBytes(path) < 56 << 20)
        }
    }

    /// What is written while a question reads is moved when it has ended, and all writers wait for that.
    @Test(.timeLimit(.minutes(2))) func aQuestionKeepsNoMoreOfTheLogThanIsMovedInAMoment() async throws {
        try await Installation.withFolder { folder in
            let options = SQLiteOptions(durability: .normal, questionLimit: .seconds(600), checkpoints: true, creates: true)
            let storage = try SQLiteStorage(path: folder + "/linden.db", options: options)
            _ = try await storage.write { try Self.connection($0).execute("CREATE TABLE fillings (filling TEXT)") }
            let question = Task {
                try await storage.analyze(Scope(app: App.ID(rawValue: 1), mode: .live)) { reader in
                    _ = try Self.connection(reader).first("SELECT COUNT(*) FROM apps") { $0.integer(0) }
                    let endless: SQL = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT COUNT(*) FROM n"
                    _ = try Self.connection(reader).first(endless) { $0.integer(0) }
                }
            }
            try await Task.sleep(for: .milliseconds(300))
            for _ in 0..<40 { try await Self.write(storage, bytes: 1 << 20) }
            #expect(await #expect(throws: Failure.self) { try await question.value }?.code == .unavailable)
            await storage.shutdown()
        }
    }

    @Test func whatIsErasedLeavesTheLog() async throws {
        try await Self.run { storage, path in
            // Each question reads a state of its own.
            let writer = Task { while !Task.isCancelled { try await Self.write(storage, bytes: 1000) } }
            try await Task.sleep(for: .seconds(1))
            #expect(try await storage.purgeWriteAheadLog())
            writer.cancel()
            _ = try await storage.read { try $0.eventNames(of: Scope(app: App.ID(rawValue: 1), mode: .live)) }
        }
    }

    /// Runs a body while questions of half a second overlap, or other reads of some hundredths of a second.
    private static func run(
        isByQuestions: Bool = true, _ body: @escaping @Sendable (SQLiteStorage, String) async throws -> Void
    ) async throws {
        try await Installation.withFolder { folder in
            let path = folder + "/linden.db"
            var options = SQLiteOptions(durability: .normal, questionLimit: .seconds(30), checkpoints: true, creates: true)
            options.largeLogBytes = 16 << 20
            let storage = try SQLiteStorage(path: path, options: options)
            for sql: SQL in [
                "CREATE TABLE fillings (filling TEXT)", "CREATE TABLE ticks (tick INTEGER)", "INSERT INTO ticks VALUES (0)",
            ] {
                _ = try await storage.write { try connection($0).execute(sql) }
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for app in 1...(isByQuestions ? 3 : 8) as ClosedRange<Int64> {
                    group.addTask {
                        try? await Task.sleep(for: .milliseconds((isByQuestions ? 170 : 13) * app))
                        while !Task.isCancelled {
                            try await isByQuestions ? ask(storage, App.ID(rawValue: app)) : storage.read { try read($0, for: 0.05) }
                        }
                    }
                }
                // A reader that has begun reads an older state a moment later.
                group.addTask {
                    while !Task.isCancelled {
                        _ = try await storage.write { try connection($0).execute("UPDATE ticks SET tick = tick + 1") }
                        try? await Task.sleep(for: .milliseconds(3))
                    }
                }
                try await Task.sleep(for: .seconds(1))
                try await body(storage, path)
                group.cancelAll()
            }
            await storage.shutdown()
        }
    }

    private static func ask(_ storage: SQLiteStorage, _ app: App.ID) async throws {
        try await storage.analyze(Scope(app: app, mode: .live)) { try read($0, for: 0.5) }
    }

    private static func read(_ reader: Any, for seconds: Double) throws {
        // The first row that is read begins the view of the database.
        _ = try connection(reader).first("SELECT COUNT(*) FROM apps") { $0.integer(0) }
        Thread.sleep(forTimeInterval: seconds)
    }

    private static func write(_ storage: SQLiteStorage, bytes: Int) async throws {
        let filling = String(repeating: "g", count: bytes)
        try await storage.write { transaction in
            try connection(transaction).execute("DELETE FROM fillings")
            try connection(transaction).execute("INSERT INTO fillings (filling) VALUES (\(filling))")
        }
    }

    private static func connection(_ transaction: Any) -> any SQLConnection { (transaction as! SQLTransaction).connection }

    private static func logBytes(_ path: String) throws -> Int {
        try FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? Int ?? 0
    }
}
