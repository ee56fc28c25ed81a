/// A service that aggregates and reads the daily counters of links.
///
/// Aggregation reads the logs in the order of their ids and stores a cursor. It stays behind the current time, because an id is generated
/// shortly before its row is committed, and other processes generate ids too; readers add the rows after the cursor themselves.
package struct LinkStatisticsService: Sendable {
    /// Far longer than a transaction takes from its first id to its commit.
    private static let lag: Duration = .seconds(2)
    /// Rows per transaction. Clicks wait for the writer during one.
    private static let batch = 2000

    private let storage: any Storage
    private let clock: WallClock

    package init(storage: any Storage, clock: WallClock) {
        self.storage = storage
        self.clock = clock
    }

    package func statistics(of link: Link.ID) async throws -> LinkStatistics {
        try await storage.read { try $0.statistics(of: link) }
    }

    /// Aggregates the rows before the watermark. Must be called about once a second; writes nothing if there are no new rows.
    ///
    /// - Parameter onBatch: called after each batch.
    package func fold(onBatch: (CountingProgress) -> Void = { _ in }) async throws {
        let horizon = clock.now() - Self.lag
        while try await storage.read({ try $0.hasUncountedRows(before: horizon) }) {
            let last = try await storage.write { try $0.countRows(before: horizon, limit: Self.batch) }
            if let last { onBatch(.links(until: IDGenerator.time(of: last))) }
        }
    }
}
