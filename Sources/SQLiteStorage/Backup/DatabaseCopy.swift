import CSQLite
import Foundation
import LindenKernel
import SQLStorage

/// A copy of a whole database, page by page, while other processes write to it.
///
/// The source is only read, and never checkpointed, see ``CheckpointGate``. The copy is one view of the database, as of its beginning. Until
/// it is complete, the source's write-ahead log cannot be reused and grows by what is written meanwhile.
package enum DatabaseCopy {
    /// A mebibyte of usual pages: short enough to stop quickly, long enough to be as fast as one step.
    private static let pagesPerStep: CInt = 256

    /// Copies a database into a file, which must be empty, and leaves it to the caller to bring that to the disk.
    ///
    /// - Parameters:
    ///   - isAtRest: whether no process writes to the source. Its folder then need not be writable.
    ///   - spare: the bytes that must stay free on the target's disk.
    ///   - progress: called with the copied and all bytes. What it throws ends the copy.
    /// - Throws: `notFound` or `unusable` with a sentence for the operator, and what `progress` throws.
    package static func write(
        from path: String, to target: String, isAtRest: Bool = false, spare: Int64 = 0,
        progress: (_ copied: Int64, _ all: Int64) throws -> Void
    ) throws {
        try DatabasePath.checkExistence(path)
        do {
            let source = try SQLiteConnection(path: path, access: isAtRest && !hasLog(path) ? .atRest : .readOnly)
            defer { source.close() }
            try check(source, path)
            // Begins the view that all steps read.
            try source.execute(script: "BEGIN; SELECT COUNT(*) FROM sqlite_schema")
            let pageSize = try source.first("PRAGMA page_size") { $0.integer(0) } ?? 0
            let bytes = try pageSize * (source.first("PRAGMA page_count") { $0.integer(0) } ?? 0)
            try checkSpace(bytes + spare, for: target)
            try copy(source, path, to: target) { try progress(bytes - Int64($0) * pageSize, bytes) }
        } catch let error as SQLiteError {
            throw Failure.unusable("The database \(path) \(error.openingProblem).")
        }
    }

    /// Copies the pages. Errors of the target are thrown as `unusable`, those of the source as they are.
    private static func copy(
        _ source: SQLiteConnection, _ path: String, to target: String, progress: (_ remaining: CInt) throws -> Void
    ) throws {
        let copy: SQLiteConnection
        do {
            copy = try SQLiteConnection(path: target, access: .readWrite)
            // An incomplete copy is worthless, so nothing protects it.
            try copy.execute(script: "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
        } catch let error as SQLiteError {
            throw Failure.unusable("\(target) \(error.openingProblem).")
        }
        defer { copy.close() }
        guard let backup = sqlite3_backup_init(copy.handle, "main", source.handle, "main") else {
            throw SQLiteError(copy.handle, code: sqlite3_extended_errcode(copy.handle))
        }
        var code = SQLITE_OK
        do {
            while code == SQLITE_OK {
                code = sqlite3_backup_step(backup, pagesPerStep)
                if code == SQLITE_OK || code == SQLITE_DONE { try progress(sqlite3_backup_remaining(backup)) }
            }
        } catch {
            sqlite3_backup_finish(backup)
            throw error
        }
        sqlite3_backup_finish(backup)
        guard code == SQLITE_DONE else { throw failure(code, path, target) }
    }

    /// The failure of a step. A page that cannot be read is an error of the source, one that cannot be written of the target.
    private static func failure(_ code: CInt, _ path: String, _ target: String) -> Failure {
        let error = SQLiteError(nil, code: code)
        let isOfTarget = [SQLITE_FULL, SQLITE_READONLY, SQLITE_CANTOPEN].contains(code & 0xFF) || code == 10 | 3 << 8
        guard isOfTarget else { return .unusable("The database \(path) \(error.openingProblem).") }
        let reason = code & 0xFF == SQLITE_FULL ? "its disk is full" : error.message
        return .unusable("\(target) cannot be written: \(reason).")
    }

    /// Whether a write-ahead log or a journal belongs to the file, as beside a copy of a running server's files.
    private static func hasLog(_ path: String) -> Bool {
        ["-wal", "-journal"].contains { suffix in
            var status = stat()
            return stat(DatabasePath.resolved(path) + suffix, &status) == 0 && status.st_size > 0
        }
    }

    /// Fails with `unusable` unless the database is one of Linden.
    private static func check(_ source: SQLiteConnection, _ path: String) throws {
        guard try source.tables().contains("migrations") else {
            throw Failure.unusable("\(DatabasePath.absolute(path)) is not a database of Linden.")
        }
    }

    private static func checkSpace(_ needed: Int64, for target: String) throws {
        var status = statvfs()
        guard statvfs(target, &status) == 0 else { return }
        let free = Int64(clamping: UInt64(status.f_bavail) * UInt64(status.f_frsize))
        guard free < needed else { return }
        let folder = (target as NSString).deletingLastPathComponent
        throw Failure.unusable("The disk of \(folder) has \(free) bytes free, but \(needed) are needed.")
    }
}
