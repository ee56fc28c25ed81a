import CSQLite
import Synchronization

extension SQLiteConnection {
    /// Runs statements within a time limit; nil for none. A statement that steps after the limit throws an error that
    /// ``SQLiteError/isInterrupted``. So does one that keeps the write-ahead log from being emptied and has had its time, see ``LogRelief``;
    /// then ``wasCutShort`` is true.
    func withTimeLimit<Value>(_ limit: Duration?, _ relief: LogRelief? = nil, _ body: () throws -> Value) rethrows -> Value {
        guard let limit else { return try body() }
        let deadline = Deadline(ContinuousClock.now, limit, relief)
        sqlite3_progress_handler(
            handle, Self.stepsBetweenChecks,
            { Unmanaged<Deadline>.fromOpaque($0!).takeUnretainedValue().isOver ? 1 : 0 },
            Unmanaged.passUnretained(deadline).toOpaque())
        defer {
            sqlite3_progress_handler(handle, 0, nil, nil)
            wasCutShort = deadline.wasCutShort
        }
        return try withExtendedLifetime(deadline) { try body() }
    }

    /// Steps of SQLite's virtual machine, some tenths of a millisecond.
    private static let stepsBetweenChecks: Int32 = 10_000
}

private final class Deadline: Sendable {
    private let start: ContinuousClock.Instant
    private let limit: Duration
    private let relief: LogRelief?
    private let isCutShort = Atomic<Bool>(false)

    init(_ start: ContinuousClock.Instant, _ limit: Duration, _ relief: LogRelief?) {
        self.start = start
        self.limit = limit
        self.relief = relief
    }

    /// Whether it was over before the limit.
    var wasCutShort: Bool { isCutShort.load(ordering: .relaxed) }

    var isOver: Bool {
        let time = ContinuousClock.now - start
        if time >= limit { return true }
        guard let longest = relief?.longestQuestion, time >= longest else { return false }
        isCutShort.store(true, ordering: .relaxed)
        return true
    }
}
