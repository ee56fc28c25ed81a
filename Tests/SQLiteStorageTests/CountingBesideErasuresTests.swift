import Linden
import LindenKernel
import LindenReporting
import LindenServices
import LindenTesting
import SQLStorage
import Testing

/// Counting goes on while rows that are not counted yet are erased without a pause.
@Suite struct CountingBesideErasuresTests {
    /// Each batch that a reader made is out of date when it is to be added.
    private func restless(_ installation: Installation) -> HookedStorage {
        HookedStorage(
            installation.storage,
            beforeWrite: { _ in
                try await installation.sql { connection in
                    for log in ActivityLog.allCases {
                        try connection.execute(
                            """
                            INSERT INTO uncounted_changes (log, changes) VALUES (\(log.rawValue), 1)
                            ON CONFLICT (log) DO UPDATE SET changes = uncounted_changes.changes + 1
                            """)
                    }
                }
            })
    }

    @Test(.timeLimit(.minutes(1))) func allRowsAreCountedOnce() async throws {
        try await Installation.run { installation in
            var traffic = Traffic(seed: 31)
            try await traffic.happen(1500, in: installation)
            installation.clock.advance(by: .seconds(60))
            let storage = restless(installation)
            try await LinkStatisticsService(storage: storage.reporting, clock: installation.clock.clock).aggregate()
            try await RollupService(storage: storage.reporting, clock: installation.clock.clock).aggregate()
            let rows = try await installation.count("SELECT COUNT(*) FROM events")
            let counted = try await installation.count(
                "SELECT CAST(SUM(count) AS BIGINT) FROM rollups WHERE dimension = '' AND hours = 1 AND name <> ''")
            #expect(rows > 0 && counted == rows)
            try await installation.expectNoProblems()
        }
    }
}
