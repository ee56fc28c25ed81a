/// Maintains the rollups of apps.
///
/// Aggregation reads each log in the order of its ids and stores a cursor. Like that of ``LinkStatisticsService``, it stays slightly behind
/// the log; readers add the rows behind the cursor themselves. Devices are counted after the end of their day.
package struct RollupService: Sendable {
    /// The delay behind the log, far longer than a transaction takes from its first id to its commit.
    private static let lag: Duration = .seconds(2)
    /// The maximum number of rows in a batch. Clicks cannot be written while a batch is.
    private static let batch = 2000
    /// The maximum number of device counts written in one transaction.
    private static let part = 2000

    private let storage: any Storage
    private let clock: WallClock

    package init(storage: any Storage, clock: WallClock) {
        self.storage = storage
        self.clock = clock
    }

    /// Aggregates the rows before the watermark. Writes nothing if there are none.
    ///
    /// - Parameters:
    ///   - batches: the maximum number of batches, each of 2,000 rows or of a day's devices; the next call continues.
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
    /// Returns the first day that is over and whose devices are not counted yet, in the first log that has one.
    fileprivate func firstDayWithoutDeviceCount(before horizon: Timestamp) throws -> (ActivityLog, Int64)? {
        for log in ActivityLog.allCases {
            guard let first = try firstWithoutDeviceCount(in: log) else { continue }
            let day = IDGenerator.time(of: first).day
            if Timestamp(hour: day * 24 + 24) <= horizon { return (log, day) }
        }
        return nil
    }
}
