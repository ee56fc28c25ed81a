import LindenKernel

/// The retention period of each log; nil for no limit. Totals are unaffected: a row is deleted only after all counters include it.
package struct Retention: Sendable, Equatable {
    /// A log whose old rows can be deleted.
    package enum Log: String, Sendable, CaseIterable {
        case clicks, sessions, events

        /// The minimum retention in days. Events up to 90 days after a click can be attributed to it.
        package var fewestDays: Int { self == .clicks ? 91 : 7 }
        package static let mostDays = 36_500
    }

    package var days: [Log: Int]

    /// Fails with `invalid` for a period outside a log's limits.
    package init(days: [Log: Int] = [:]) throws {
        for (log, count) in days where !(log.fewestDays...Log.mostDays).contains(count) {
            throw Failure.invalid("\(log.rawValue) must be kept for \(log.fewestDays) to \(Log.mostDays) days, not \(count).")
        }
        self.days = days
    }

    private init() { days = [:] }

    package static let forever = Retention()
}

package protocol RetentionReader {
    /// Returns the number of outdated rows of a log: those that are older than a time and included in all counters.
    func outdatedRows(of log: Retention.Log, before time: Timestamp) throws -> Int
    /// Returns the oldest outdated rows of a log that are deleted together, see ``OutdatedRows``; nil if there are none.
    func nextOutdatedRows(of log: Retention.Log, before time: Timestamp) throws -> OutdatedRows?
    /// Whether any exports or reports were ordered before a time.
    func hasOrders(before time: Timestamp) throws -> Bool
}

package protocol RetentionRepository: RetentionReader {
    /// Deletes outdated rows. The transaction record of a deleted event is deleted too.
    func remove(_ rows: OutdatedRows, of log: Retention.Log) throws
}

/// The oldest outdated rows of a log, which one transaction deletes. Limited in number and bytes, because other transactions wait for the
/// writer meanwhile, and deleted content is overwritten.
package struct OutdatedRows: Sendable {
    package static let most = 2000
    package static let mostBytes = 4 << 20

    package var count = 0
    /// The id of the last of them.
    package var last: Int64 = 0
    private var bytes = 0

    package init() {}

    /// Adds the next row. Returns false if no further one should be added.
    package mutating func append(_ id: Int64, bytes: Int) -> Bool {
        count += 1
        last = id
        self.bytes += bytes
        return count < Self.most && self.bytes < Self.mostBytes
    }
}

/// A service that deletes rows after their retention period.
package struct RetentionService: Sendable {
    private static let batchesPerRound = 10

    private let storage: any Database
    private let clock: WallClock
    private let retention: Retention

    init(storage: any Database, clock: WallClock, retention: Retention) {
        self.storage = storage
        self.clock = clock
        self.retention = retention
    }

    /// Deletes a limited number of outdated rows. Must be called about once a second.
    package func runOnce() async throws {
        for (log, days) in retention.days {
            for _ in 0..<Self.batchesPerRound where try await remove(log, before: time(days)) == 0 { break }
        }
    }

    /// Returns the number of outdated rows of each log.
    package func outdated(by retention: Retention) async throws -> [Retention.Log: Int] {
        var outdated: [Retention.Log: Int] = [:]
        for (log, days) in retention.days {
            let time = time(days)
            outdated[log] = try await storage.read { try $0.outdatedRows(of: log, before: time) }
        }
        return outdated
    }

    /// Deletes all outdated rows.
    ///
    /// - Parameter onBatch: called after each batch with the number of its log's rows deleted so far.
    package func prune(
        _ retention: Retention, onBatch: (Retention.Log, Int) -> Void = { _, _ in }
    ) async throws -> [Retention.Log: Int] {
        var removed: [Retention.Log: Int] = [:]
        for (log, days) in retention.days {
            let time = time(days)
            removed[log] = 0
            while !Task.isCancelled {
                let began = ContinuousClock.now
                let count = try await remove(log, before: time)
                guard count > 0 else { break }
                removed[log, default: 0] += count
                onBatch(log, removed[log] ?? 0)
                // SQLite's lock is not fair: the pause leaves half of the time to a server that writes to the same file.
                try? await Task.sleep(for: .now - began)
            }
        }
        return removed
    }

    private func time(_ days: Int) -> Timestamp { clock.now() - .seconds(days * 86400) }

    private func remove(_ log: Retention.Log, before time: Timestamp) async throws -> Int {
        guard let rows = try await storage.read({ try $0.nextOutdatedRows(of: log, before: time) }) else { return 0 }
        try await storage.write { try $0.remove(rows, of: log) }
        return rows.count
    }
}
