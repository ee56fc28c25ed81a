import CSQLite
import Foundation
import LindenKernel
import SQLStorage

/// The examination of a database file at rest, without changing it.
package enum DatabaseInspection {
    /// Returns the migrations of a database that this version can serve.
    ///
    /// Reads all pages, and looks up what foreign keys name. Fails with `unusable` for a damaged file, one of another program, and one of a newer version.
    ///
    /// - Parameter isStopped: asked ten times a second; once it is true, the examination fails.
    package static func check(_ path: String, isStopped: @escaping @Sendable () -> Bool = { false }) throws -> [Migrator.Step] {
        do {
            let connection = try SQLiteConnection(path: path, access: .atRest)
            defer { connection.close() }
            return try interrupting(connection, when: isStopped) { try check(connection) }
        } catch let error as SQLiteError {
            throw Failure.unusable("It \(error.openingProblem).")
        }
    }

    /// Runs statements, and interrupts them once a condition holds. The check of a table's pages is a single step of the statement, in which
    /// SQLite calls no progress handler.
    private static func interrupting<Value>(
        _ connection: SQLiteConnection, when isStopped: @escaping @Sendable () -> Bool, _ body: () throws -> Value
    ) rethrows -> Value {
        let (isDone, isGone) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        nonisolated(unsafe) let handle = connection.handle
        Thread.detachNewThread {
            while isDone.wait(timeout: .now() + .milliseconds(100)) == .timedOut {
                if isStopped() { sqlite3_interrupt(handle) }
            }
            isGone.signal()
        }
        defer {
            isDone.signal()
            isGone.wait()
        }
        return try body()
    }

    private static func check(_ connection: SQLiteConnection) throws -> [Migrator.Step] {
        guard try connection.tables().contains("migrations") else {
            throw Failure.unusable("It is not a database of Linden.")
        }
        guard let damage = try connection.damage(within: nil) else { throw Failure.unusable("It was not checked to its end.") }
        if let first = damage.first { throw Failure.unusable("It is damaged: \(first)") }
        if let broken = try connection.brokenReferences(limit: 1).first { throw Failure.unusable("It is damaged: \(broken)") }
        return try Migrator(connection: connection, clock: .system, translate: SQLiteDialect.translate).steps()
    }
}
