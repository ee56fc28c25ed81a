import Linden
import LindenKernel

/// Maintains the rollups of apps.
///
/// Aggregation reads each log in the order of its ids and stores a cursor. Like that of ``LinkStatisticsService``, it stays slightly behind
/// the log; readers add the rows behind the cursor themselves. Devices are counted after the end of their day.
package struct RollupService: Sendable {
    private let storage: any ReportingStorage
    private let clock: WallClock

    package init(storage: any ReportingStorage, clock: WallClock) {
        self.storage = storage
        self.clock = clock
    }

    /// Aggregates the rows before the watermark, and counts the devices of the days that are over. Writes nothing if there are none.
    ///
    /// - Parameters:
    ///   - batches: the maximum number of batches, each within the limit or of a day's devices; the next call continues.
    ///   - onBatch: called after each batch.
    /// - Returns: whether all rows are counted.
    @discardableResult
    package func aggregate(
        batches: Int = .max, limit: CountingLimit = .standard, onBatch: (CountingProgress) -> Void = { _ in }
    ) async throws -> Bool {
        let watermark = Watermark.settled(at: clock.now())
        var left = batches
        if try await hasUncountedDay(before: watermark) { try await waitForEarlierWrites() }
        guard try await aggregateRows(before: watermark, &left, limit, onBatch) else { return false }
        return try await countDays(before: watermark, &left, limit, onBatch)
    }

    /// Variant of ``aggregate(batches:limit:onBatch:)`` that leaves the devices to ``countDevices()``, which may take long.
    package func aggregateRows(batches: Int) async throws -> Bool {
        var left = batches
        return try await aggregateRows(before: Watermark.settled(at: clock.now()), &left, .standard) { _ in }
    }

    /// Counts the devices of the days that are over, whose rows are aggregated first. May run beside an aggregation.
    package func countDevices() async throws {
        let watermark = Watermark.settled(at: clock.now())
        guard try await hasUncountedDay(before: watermark) else { return }
        try await waitForEarlierWrites()
        var left = Int.max
        guard try await aggregateRows(before: watermark, &left, .standard, { _ in }) else { return }
        _ = try await countDays(before: watermark, &left, .standard) { _ in }
    }

    private func hasUncountedDay(before watermark: Timestamp) async throws -> Bool {
        try await storage.read { try DeviceCounter(reader: $0).firstUncountedDay(before: watermark) != nil }
    }

    /// A day's devices are counted once. The watermark is not exact, but a write waits for those that began before it.
    private func waitForEarlierWrites() async throws { _ = try await storage.write { $0.now } }

    private func aggregateRows(
        before watermark: Timestamp, _ left: inout Int, _ limit: CountingLimit, _ onBatch: (CountingProgress) -> Void
    ) async throws -> Bool {
        for log in ActivityLog.allCases {
            while left > 0, !Task.isCancelled,
                let batch = try await storage.countNext(
                    limit: limit, { try $0.nextRollups(of: log, before: watermark, limit: $1) }, { try $0.add($1) })
            {
                left -= 1
                onBatch(.rows(log, until: IDGenerator.time(of: batch.last)))
            }
            guard left > 0, !Task.isCancelled else { return false }
        }
        return true
    }

    private func countDays(
        before watermark: Timestamp, _ left: inout Int, _ limit: CountingLimit, _ onBatch: (CountingProgress) -> Void
    ) async throws -> Bool {
        while let (log, day) = try await storage.read({ try DeviceCounter(reader: $0).firstUncountedDay(before: watermark) }) {
            guard left > 0, !Task.isCancelled else { return false }
            left -= 1
            try await countDevices(in: log, on: day, limit: limit)
            let last = IDGenerator.first(at: Timestamp(hour: day * 24 + 24)) - 1
            try await storage.write { try $0.setDevicesCounted(in: log, through: last) }
            onBatch(.devices(log, day: day))
        }
        return true
    }

    /// Counts a day's devices, of which one part is in memory at a time.
    private func countDevices(in log: ActivityLog, on day: Int64, limit: CountingLimit) async throws {
        let dimensions = [nil] + Dimension.daily
        let parts = try await storage.read { try DeviceCounter(reader: $0).parts(of: log, on: day, by: dimensions) }
        for part in 0..<parts.counts {
            let counting = DeviceCounting(day: day, part: part, of: parts)
            for devicePart in 0..<parts.devices {
                for hour in Int64(0)..<24 {
                    // In portions: while a read lasts, the write-ahead log only grows.
                    try Task.checkCancellation()
                    try await storage.read {
                        try DeviceCounter(reader: $0).add(to: counting, in: log, by: dimensions, hour: hour, devicePart)
                    }
                }
                counting.forgetDevices()
            }
            let counts = counting.counts
            // Each has a sketch of up to 8 KB.
            let length = limit.counters / 2
            for start in stride(from: 0, to: counts.count, by: length) {
                let batch = Array(counts[start..<min(start + length, counts.count)])
                try await storage.write { try $0.set(batch) }
            }
            FreeMemory.giveBack()
        }
    }
}
