import CSQLite

extension SQLiteConnection {
    /// Runs statements within a time limit; nil for none. A statement that steps after the limit throws an error that
    /// ``SQLiteError/isInterrupted``.
    func withTimeLimit<Value>(_ limit: Duration?, _ body: () throws -> Value) rethrows -> Value {
        guard let limit else { return try body() }
        let deadline = Deadline(ContinuousClock.now + limit)
        sqlite3_progress_handler(
            handle, Self.stepsBetweenChecks,
            { Unmanaged<Deadline>.fromOpaque($0!).takeUnretainedValue().isOver ? 1 : 0 },
            Unmanaged.passUnretained(deadline).toOpaque())
        defer { sqlite3_progress_handler(handle, 0, nil, nil) }
        return try withExtendedLifetime(deadline) { try body() }
    }

    /// Steps of SQLite's virtual machine, some tenths of a millisecond.
    private static let stepsBetweenChecks: Int32 = 10_000
}

private final class Deadline: Sendable {
    private let end: ContinuousClock.Instant

    init(_ end: ContinuousClock.Instant) { self.end = end }

    var isOver: Bool { ContinuousClock.now >= end }
}
