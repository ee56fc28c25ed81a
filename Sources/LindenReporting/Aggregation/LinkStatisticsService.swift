import Linden
import LindenKernel

/// A service that aggregates and reads the daily counters of links.
///
/// Aggregation reads the logs in the order of their ids and stores a cursor. It stays behind the current time, because an id is generated
/// shortly before its row is committed, and other processes generate ids too; readers add the rows after the cursor themselves. A reader
/// counts, the writer only adds the sums, with the cursor in the same transaction: after a crash the uncounted rows are read again.
package struct LinkStatisticsService: Sendable {
    private let storage: any ReportingStorage
    private let clock: WallClock

    package init(storage: any ReportingStorage, clock: WallClock) {
        self.storage = storage
        self.clock = clock
    }

    // All rows that are not aggregated yet are read, of all apps, so short reads must not wait for these.

    package func statistics(of link: Link.ID, in scope: Scope) async throws -> LinkStatistics {
        try await storage.analyze(scope) { try $0.statistics(of: link) }
    }

    /// Returns the totals of each of the last days in UTC, oldest first, today included.
    package func dailyStatistics(
        of link: Link.ID, in scope: Scope, days: Int
    ) async throws -> [(day: Int64, statistics: LinkStatistics)] {
        try await dailyStatistics(of: [link], in: scope, days: days)[link] ?? []
    }

    /// Returns the totals of each link on each of the last days in UTC, oldest first, today included.
    package func dailyStatistics(
        of links: [Link.ID], in scope: Scope, days: Int
    ) async throws -> [Link.ID: [(day: Int64, statistics: LinkStatistics)]] {
        guard !links.isEmpty else { return [:] }
        let today = clock.now().day
        let range = today - Int64(days) + 1...today
        let found = try await storage.analyze(scope) { try $0.dailyStatistics(of: links, on: range) }
        return Dictionary(
            links.map { link in
                (link, range.map { ($0, found[LinkCountBatch.LinkDay(link: link, day: $0)] ?? LinkStatistics()) })
            }, uniquingKeysWith: { first, _ in first })
    }

    /// Returns the visits of robots to an app's links in each of several ranges of hours, counted since 1970 in UTC.
    package func robotVisits(of scope: Scope, in ranges: [Range<Int64>]) async throws -> [Int64] {
        try await storage.analyze(scope) { reader in try ranges.map { try reader.robotVisits(of: scope, hours: $0) } }
    }

    /// Aggregates the rows before the watermark; writes nothing if there are no new rows.
    ///
    /// - Parameter onBatch: called after each batch.
    package func aggregate(
        limit: CountingLimit = .standard, onBatch: (CountingProgress) -> Void = { _ in }
    ) async throws {
        let watermark = Watermark.settled(at: clock.now())
        for log in [ActivityLog.clicks, .sessions] {
            while !Task.isCancelled,
                let batch = try await storage.countNext(
                    limit: limit, { try $0.nextLinkCounts(of: log, before: watermark, limit: $1) }, { try $0.add($1) })
            {
                onBatch(.links(until: IDGenerator.time(of: batch.last)))
            }
        }
    }
}
