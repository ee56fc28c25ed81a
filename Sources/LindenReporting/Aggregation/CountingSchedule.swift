import LindenKernel
import Synchronization

/// Decides when a server counts new rows: rarely while it is busy, because many rows share their counters.
///
/// Questions add the rows that are not counted yet, so how rarely only decides how many rows they read.
package final class CountingSchedule: Sendable {
    /// The time between counts while rows keep coming.
    static let interval: Duration = .seconds(30)
    /// The number of uncounted rows of a log at which they are counted earlier.
    package static let mostRows = 50_000

    private let storage: any ReportingStorage
    private let clock: WallClock
    /// When rows were counted last; nil for never, as after a crash.
    private let last = Mutex<Timestamp?>(nil)

    package init(storage: any ReportingStorage, clock: WallClock) {
        self.storage = storage
        self.clock = clock
    }

    /// Whether rows are to be counted: after the interval, if there are many, or if no row came lately, so that the writer is idle.
    package func isDue() async throws -> Bool {
        let now = clock.now()
        // A clock may be set back.
        guard let last = last.withLock({ $0 }), last <= now, now < last + Self.interval else { return true }
        return try await storage.read { reader in
            try !reader.hasRows(since: Watermark.settled(at: now)) || reader.hasUncountedRows(atLeast: Self.mostRows)
        }
    }

    /// Records that all rows before the watermark are counted.
    package func didCount() {
        let now = clock.now()
        last.withLock { $0 = now }
    }
}

package protocol CountingReader {
    /// Whether a log has rows with ids generated at `time` or later.
    func hasRows(since time: Timestamp) throws -> Bool
    /// Whether a log has at least `count` rows that not all counters include yet.
    func hasUncountedRows(atLeast count: Int) throws -> Bool
    /// Returns the time of the oldest row of a log that not all counters include yet; nil if there is none.
    func oldestUncountedRow(of log: ActivityLog) throws -> Timestamp?
}
