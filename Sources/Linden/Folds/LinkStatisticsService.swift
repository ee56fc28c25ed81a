/// Keeps and reads the daily counters of links.
///
/// The fold reads the logs in the order of their ids and remembers how far it came. It stays a while behind, because an id is
/// made a moment before its row is committed and other processes make ids too; readers add the rows beyond it themselves.
package struct LinkStatisticsService: Sendable {
    /// Far longer than a transaction takes from its first id to its commit.
    private static let lag: Duration = .seconds(2)
    /// Clicks wait while one is written.
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

    /// Counts what has settled. To be called about once a second; writes nothing when there is nothing to count.
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
