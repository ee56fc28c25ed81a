import CSQLite
import SQLStorage

extension SQLiteConnection {
    /// Reads the pages of the database and checks that they are well formed and that indexes agree with their tables.
    ///
    /// - Parameter limit: the time limit; nil for none.
    /// - Returns: one sentence per damage; nil if the time limit was reached.
    func damage(within limit: Duration?) throws -> [String]? {
        let deadline = limit.map { Deadline(ContinuousClock.now + $0) }
        if let deadline {
            sqlite3_progress_handler(
                handle, 10_000,
                { Unmanaged<Deadline>.fromOpaque($0!).takeUnretainedValue().isOver ? 1 : 0 },
                Unmanaged.passUnretained(deadline).toOpaque())
        }
        defer { sqlite3_progress_handler(handle, 0, nil, nil) }
        do {
            let found = try withExtendedLifetime(deadline) {
                try query("PRAGMA integrity_check(20)") { $0.text(0) }
            }
            return found == ["ok"] ? [] : found
        } catch let error as SQLiteError where error.isInterrupted {
            return nil
        } catch let error as SQLiteError where error.isDamage {
            return [error.message]
        }
    }
}

private final class Deadline: Sendable {
    private let end: ContinuousClock.Instant

    init(_ end: ContinuousClock.Instant) { self.end = end }

    var isOver: Bool { ContinuousClock.now >= end }
}
