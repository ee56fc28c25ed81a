/// Keeps the counters of apps.
///
/// The fold reads each log in the order of its ids and remembers how far it came, a while behind as the one of
/// ``LinkStatisticsService``; readers add the rows beyond it themselves. Devices are counted when their day is over.
package struct RollupService: Sendable {
    /// Far longer than a transaction takes from its first id to its commit.
    private static let lag: Duration = .seconds(2)
    /// Clicks wait while one is written.
    private static let batch = 2000
    /// Of rows to be written at once.
    private static let part = 2000

    private let storage: any Storage
    private let clock: WallClock

    package init(storage: any Storage, clock: WallClock) {
        self.storage = storage
        self.clock = clock
    }

    /// Counts what has settled. Writes nothing when there is nothing to count.
    ///
    /// - Parameters:
    ///   - batches: how many to count at most, of 2,000 rows or of a day's devices; what is left waits for the next time.
    ///   - onBatch: called after each batch.
    package func fold(batches: Int = .max, onBatch: (CountingProgress) -> Void = { _ in }) async throws {
        let horizon = clock.now() - Self.lag
        var left = batches
        for log in ActivityLog.allCases {
            while left > 0, !Task.isCancelled,
                let batch = try await storage.read({ try $0.nextRollups(of: log, before: horizon, limit: Self.batch) })
            {
                left -= 1
                try await storage.write { try $0.add(batch) }
                onBatch(.rows(log, until: IDGenerator.time(of: batch.last)))
            }
            guard left > 0, !Task.isCancelled else { return }
        }
        while let (log, day) = try await storage.read({ try $0.firstDayWithoutDeviceCount(before: horizon) }) {
            guard left > 0, !Task.isCancelled else { return }
            left -= 1
            let counts = try await storage.read { try $0.deviceCounts(from: log, on: day, by: [nil] + Dimension.daily) }
            for start in stride(from: 0, to: counts.count, by: Self.part) {
                let part = Array(counts[start..<min(start + Self.part, counts.count)])
                try await storage.write { try $0.set(part) }
            }
            let last = IDGenerator.first(at: Timestamp(hour: day * 24 + 24)) - 1
            try await storage.write { try $0.setDevicesCounted(in: log, through: last) }
            onBatch(.devices(log, day: day))
        }
    }
}

extension Reader {
    /// The oldest day of a log that is over, rolled up, and whose devices are not counted yet.
    fileprivate func firstDayWithoutDeviceCount(before horizon: Timestamp) throws -> (ActivityLog, Int64)? {
        for log in ActivityLog.allCases {
            guard let first = try firstWithoutDeviceCount(in: log) else { continue }
            let day = IDGenerator.time(of: first).day
            if Timestamp(hour: day * 24 + 24) <= horizon { return (log, day) }
        }
        return nil
    }
}
