import Linden
import LindenKernel
import LindenLedger
import LindenReporting

/// The background maintenance of a running server: aggregates logged rows and deletes expired ones, including credits.
package struct Maintenance: Sendable {
    /// Other transactions wait while a batch is deleted: a row has up to four places in indexes, each of which may be on a page of its own
    /// that is overwritten with zeros.
    private static let batch = 200
    /// Each may have 64 KiB.
    private static let orderBatch = 20
    private static let batchesPerRound = 500
    private static let longestPause: Duration = .milliseconds(50)
    private static let rollupsPerRound = 1000

    private let storage: any Database
    private let statistics: LinkStatisticsService
    private let rollups: RollupService
    private let schedule: CountingSchedule
    private let addresses: AddressPseudonymizer
    private let credits: CreditService
    private let retention: RetentionService
    private let pendingClicks: PendingClickService

    package init(
        storage: any Database, statistics: LinkStatisticsService, rollups: RollupService, addresses: AddressPseudonymizer,
        credits: CreditService, retention: RetentionService, clock: WallClock
    ) {
        schedule = CountingSchedule(storage: storage.reporting, clock: clock)
        self.addresses = addresses
        self.retention = retention
        pendingClicks = PendingClickService(storage: storage)
        self.storage = storage
        self.statistics = statistics
        self.rollups = rollups
        self.credits = credits
    }

    /// Aggregates all logged rows. Must run before rows are pruned: only aggregated rows may be deleted.
    ///
    /// - Parameter onBatch: called after each batch.
    package func count(onBatch: (CountingProgress) -> Void = { _ in }) async throws {
        try await statistics.aggregate(limit: .bulk, onBatch: onBatch)
        try await rollups.aggregate(limit: .bulk, onBatch: onBatch)
    }

    /// Merges pending clicks that are due. Must be called about once a second, and apart from other work, which may take long: memory for
    /// pending clicks is limited.
    package func mergePendingClicks() async throws {
        try await pendingClicks.merge()
    }

    /// Runs the other maintenance once, with a limited amount of work; counts rows only when they are due. Must be called about once a
    /// second.
    package func runIfDue() async throws {
        try await runAll([{ if try await schedule.isDue() { try await aggregateNewRows() } }] + cleaning)
    }

    /// Counts the devices of the days that are over. Must be called about once a second, and apart from other work: of a day of millions of
    /// rows it takes minutes.
    package func countDevices() async throws {
        try await rollups.countDevices()
    }

    /// Runs all maintenance once, with a limited amount of work.
    package func runOnce() async throws {
        try await runAll([aggregateNewRows, countDevices, mergePendingClicks] + cleaning)
    }

    private typealias Step = () async throws -> Void

    /// Runs all steps, also those after one that fails: a failure of one must not keep expired personal data or credits in place.
    ///
    /// - Throws: the first error.
    private func runAll(_ steps: [Step]) async throws {
        var failure: (any Error)?
        for step in steps {
            do { try await step() } catch { failure = failure ?? error }
        }
        if let failure { throw failure }
    }

    private func aggregateNewRows() async throws {
        try await statistics.aggregate()
        if try await rollups.aggregateRows(batches: Self.rollupsPerRound) { schedule.didCount() }
    }

    private var cleaning: [Step] {
        [
            {
                try await clean(
                    while: { try $0.hasRequests(before: $0.now - RequestKey.longestWindow) },
                    by: { try $0.deleteRequests(before: $0.now - RequestKey.longestWindow, limit: Self.batch) })
            },
            {
                try await clean(
                    while: { try $0.hasExpiredStrongMatches(at: $0.now) },
                    by: { try $0.deleteExpiredStrongMatches(at: $0.now, limit: Self.batch) })
            },
            {
                try await clean(
                    while: { try $0.hasExpiredPendingClicks(at: $0.now - PendingClick.explanationPeriod) },
                    by: { try $0.deleteExpiredPendingClicks(at: $0.now - PendingClick.explanationPeriod, limit: Self.batch) })
            },
            {
                try await clean(
                    while: { try $0.hasClaims(ofClicksBefore: $0.now - PendingClick.claimPeriod) },
                    by: { try $0.deleteClaims(ofClicksBefore: $0.now - PendingClick.claimPeriod, limit: Self.batch) })
            },
            {
                try await clean(
                    while: { try $0.hasExpiredDeviceClicks(at: $0.now) },
                    by: { try $0.deleteExpiredDeviceClicks(at: $0.now, limit: Self.batch) })
            },
            {
                try await clean(
                    while: { try $0.hasDeviceAddresses(before: $0.now - AddressDensity.memory) },
                    by: { try $0.deleteDeviceAddresses(before: $0.now - AddressDensity.memory, limit: Self.batch) })
            },
            {
                try await clean(
                    while: { try $0.hasRewardSources(before: $0.now.day) },
                    by: { try $0.deleteRewardSources(before: $0.now.day, limit: Self.batch) })
            },
            deleteOrders,
            {
                // Runs even if the exchange of Apple's tokens is switched off now.
                try await clean(
                    while: { try $0.hasTokenExchanges(before: $0.now - TokenExchange.longestLife) },
                    by: { try $0.deleteTokenExchanges(before: $0.now - TokenExchange.longestLife, limit: Self.batch) })
            },
            learnDevices,
            addresses.deleteUnneededKeys,
            addresses.makeNextKey,
            { try await credits.expire() },
            { try await retention.runOnce() },
        ]
    }

    /// Deletes orders of files that can no longer be downloaded, since an order may contain personal data.
    private func deleteOrders() async throws {
        let orderLife = Duration.seconds(ExportService.downloadDays * 86400)
        try await clean(
            while: { try $0.hasOrders(before: $0.now - orderLife) },
            by: {
                try $0.deleteExportJobs(before: $0.now - orderLife, limit: Self.orderBatch)
                try $0.deleteReportJobs(before: $0.now - orderLife, limit: Self.orderBatch)
            })
    }

    /// Updates the device profiles of one app whose profiles are older than a day.
    private func learnDevices() async throws {
        let learned = try await storage.read { reader in
            try reader.scopeToProfile(learnedBefore: reader.now - Self.profileLife).map {
                ($0, try reader.profiles(of: $0, newestSessions: Self.profiledSessions))
            }
        }
        guard let (scope, profiles) = learned else { return }
        try await storage.write { try $0.replaceProfiles(profiles, of: scope) }
    }

    private static let profileLife: Duration = .seconds(86_400)
    private static let profiledSessions = 20_000

    /// Deletes in batches, with a limit per call, and as long a pause after each, so that other transactions get the writer; stops if the task is
    /// cancelled.
    private func clean(
        while hasMore: @escaping @Sendable (any DatabaseReader) throws -> Bool,
        by delete: @escaping @Sendable (any DatabaseTransaction) throws -> Void
    ) async throws {
        for _ in 0..<Self.batchesPerRound {
            guard !Task.isCancelled, try await storage.read(hasMore) else { return }
            let start = ContinuousClock.now
            try await storage.write(delete)
            try? await Task.sleep(for: min(ContinuousClock.now - start, Self.longestPause))
        }
    }
}
