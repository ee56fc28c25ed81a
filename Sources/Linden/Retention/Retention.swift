/// How long rows of the logs are kept; nil for ever. Totals stay: rows go only once every counter has counted them.
package struct Retention: Sendable, Equatable {
    /// A log whose old rows can be removed.
    package enum Log: String, Sendable, CaseIterable {
        case clicks, sessions, events

        /// The fewest days that a log may be kept. A click can be credited with what happens 90 days after it.
        package var fewestDays: Int { self == .clicks ? 91 : 7 }
        package static let mostDays = 36_500
    }

    package var days: [Log: Int]

    /// Fails with `invalid` for fewer days than a log is needed.
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
    /// How many rows of a log are older than a time and counted everywhere, at most `limit`.
    func outdatedRows(of log: Retention.Log, before time: Timestamp, limit: Int) throws -> Int
    /// Whether any exports or reports were ordered before a time.
    func hasOrders(before time: Timestamp) throws -> Bool
}

package protocol RetentionRepository: RetentionReader {
    /// Removes the oldest of those; with an event goes what its transaction was recorded for.
    func removeOutdatedRows(of log: Retention.Log, before time: Timestamp, limit: Int) throws
}

/// Removes what is older than it is to be kept.
package struct RetentionService: Sendable {
    /// Few enough that nobody else waits long for the writer.
    private static let batch = 2000
    private static let batchesPerRound = 10

    private let storage: any Storage
    private let clock: WallClock
    private let retention: Retention

    init(storage: any Storage, clock: WallClock, retention: Retention) {
        self.storage = storage
        self.clock = clock
        self.retention = retention
    }

    /// A little of what is to go; to be called about once a second.
    package func round() async throws {
        for (log, days) in retention.days {
            for _ in 0..<Self.batchesPerRound where try await remove(log, before: time(days)) == 0 { break }
        }
    }

    /// How many rows are to go.
    package func outdated(by retention: Retention) async throws -> [Retention.Log: Int] {
        var outdated: [Retention.Log: Int] = [:]
        for (log, days) in retention.days {
            let time = time(days)
            outdated[log] = try await storage.read { try $0.outdatedRows(of: log, before: time, limit: .max) }
        }
        return outdated
    }

    /// Removes all that is to go.
    ///
    /// - Parameter onBatch: called after each batch with the rows of its log that are removed so far.
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
                // SQLite's lock goes to whoever asks at the right moment: a server that writes to the same file is given half the time.
                try? await Task.sleep(for: .now - began)
            }
        }
        return removed
    }

    private func time(_ days: Int) -> Timestamp { clock.now() - .seconds(days * 86400) }

    private func remove(_ log: Retention.Log, before time: Timestamp) async throws -> Int {
        let count = try await storage.read { try $0.outdatedRows(of: log, before: time, limit: Self.batch) }
        if count > 0 { try await storage.write { try $0.removeOutdatedRows(of: log, before: time, limit: Self.batch) } }
        return count
    }
}
