import Foundation
import LindenKernel

/// Excludes checkpoints while any process commits to the database: commits share the lock, a checkpoint holds it alone.
///
/// SQLite before 3.51.3 can lose a commit that one connection makes while another resets the write-ahead log (https://sqlite.org/wal.html,
/// "the WAL-reset bug"). SQLite's own locks do not prevent it; a lock on a file beside the database, which the kernel releases when a
/// process dies, does. Costs two system calls per batch of writes.
final class CheckpointGate {
    private let descriptor: Int32

    /// - Parameter path: the database; the lock file is beside it, as the write-ahead log is. Nil is returned for a database in memory.
    init?(path: String) throws {
        guard path != DatabasePath.memory else { return nil }
        let path = DatabasePath.resolved(path)
        descriptor = OwnedFile.open(path + "-gate", O_RDWR)
        guard descriptor >= 0 else {
            throw Failure.unusable("The database \(path) cannot be written: \(path)-gate beside it must be writable.")
        }
    }

    deinit {
        close(descriptor)
    }

    func lockShared() {
        lock(LOCK_SH)
    }

    func unlock() {
        lock(LOCK_UN)
    }

    func withExclusiveLock<Result>(_ body: () throws -> Result) rethrows -> Result {
        lock(LOCK_EX)
        defer { lock(LOCK_UN) }
        return try body()
    }

    private func lock(_ operation: Int32) {
        while flock(descriptor, operation) != 0, errno == EINTR {}
    }
}
