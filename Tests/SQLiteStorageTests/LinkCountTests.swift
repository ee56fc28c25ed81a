import Linden
import LindenKernel
import LindenReporting
import LindenServices
import LindenTesting
import SQLStorage
import SQLiteStorage
import Testing

/// The daily counters of links agree with the rows, whatever happens while rows are being counted.
@Suite struct LinkCountTests {
    private static let small = CountingLimit(rows: 7, counters: 3)

    private func allFigures(in installation: Installation) async throws -> [LinkStatistics] {
        try await installation.storage.read { reader in
            try (Int64(1)...23).map { try reader.statistics(of: Link.ID(rawValue: $0)) }
        }
    }

    private func robotVisits(in installation: Installation) async throws -> [Int64] {
        try await installation.storage.read { reader in
            try reader.scopesWithRollups().map { try reader.robotVisits(of: $0, hours: 0..<reader.now.hour + 1) }
        }
    }

    private func traffic(in installation: Installation) async throws {
        var traffic = Traffic(seed: 31)
        try await traffic.happen(200, in: installation)
        installation.clock.advance(by: .seconds(60))
    }

    private func nextBatch(
        of log: ActivityLog, _ limit: CountingLimit = .standard, in installation: Installation
    ) async throws -> LinkCountBatch? {
        try await installation.storage.read { try $0.nextLinkCounts(of: log, before: $0.now, limit: limit) }
    }

    /// A crash leaves the counters as they are after one of the batches.
    @Test func figuresAreTheSameAfterEachPartThatIsCounted() async throws {
        try await Installation.run { installation in
            try await traffic(in: installation)
            let expected = try await allFigures(in: installation)
            let robots = try await robotVisits(in: installation)
            #expect(robots.contains { $0 > 0 })
            var batches = 0
            for log in [ActivityLog.clicks, .sessions] {
                while let batch = try await nextBatch(of: log, Self.small, in: installation) {
                    _ = try await installation.storage.write { try $0.add(batch) }
                    let figures = try await allFigures(in: installation)
                    #expect(figures == expected)
                    #expect(try await robotVisits(in: installation) == robots)
                    batches += 1
                }
            }
            #expect(batches > 15)
            let counted = try await installation.count("SELECT CAST(SUM(clicks + robots + sessions) AS BIGINT) FROM link_days")
            let rows = expected.reduce(Int64(0)) { $0 + $1.clicks + $1.robots + $1.sessions }
            #expect(counted == rows && rows > 50)
            #expect(try await installation.count("SELECT CAST(SUM(visits) AS BIGINT) FROM robot_hours") == robots.reduce(0, +))
            let uncounted = try await installation.count(
                """
                SELECT COUNT(*) FROM clicks
                WHERE id > (SELECT through_id FROM aggregation_cursors WHERE name = 'link_days.clicks')
                """)
            #expect(uncounted == 0)
        }
    }

    @Test(arguments: [false, true])
    func aSessionThatIsErasedWhileItIsBeingCountedIsCountedOnce(isInRollups: Bool) async throws {
        try await Installation.run { installation in
            try await traffic(in: installation)
            let expected = try await allFigures(in: installation)
            if isInRollups { try await installation.services.rollups.aggregate() }
            let batch = try #require(try await nextBatch(of: .sessions, in: installation))
            let ids = try await installation.sql {
                try $0.query("SELECT id FROM sessions WHERE link_id IS NOT NULL ORDER BY id LIMIT 5") { $0.integer(0) }
            }
            try await installation.storage.write { try $0.erase(.sessions, ids) }
            _ = try await installation.storage.write { try $0.add(batch) }
            try await installation.services.statistics.aggregate()
            let figures = try await allFigures(in: installation)
            #expect(figures == expected)
        }
    }

    @Test func rowsThatTwoProcessesReadAreCountedOnce() async throws {
        try await Installation.run { installation in
            try await traffic(in: installation)
            let expected = try await allFigures(in: installation)
            let first = try #require(try await nextBatch(of: .clicks, in: installation))
            let second = try #require(try await nextBatch(of: .clicks, Self.small, in: installation))
            _ = try await installation.storage.write { try $0.add(first) }
            _ = try await installation.storage.write { try $0.add(second) }
            let figures = try await allFigures(in: installation)
            #expect(figures == expected)
        }
    }

    /// The writer thread must not read logs, because all other writes wait meanwhile.
    @Test func countersAreWrittenWithoutReadingTheLogs() async throws {
        try await Installation.run { installation in
            try await traffic(in: installation)
            let batch = try #require(try await nextBatch(of: .clicks, in: installation))
            let statements = try await installation.storage.write { transaction in
                let connection = RecordingConnection((transaction as! SQLTransaction).connection)
                try SQLTransaction(connection: connection, state: SQLState(owner: "test"), now: transaction.now).add(batch)
                return connection.recorded.map(\.text)
            }
            #expect(statements.contains { $0.contains("INSERT INTO link_days") })
            #expect(!statements.contains { $0.contains("FROM clicks") || $0.contains("FROM links") })
        }
    }

    /// Small parts of the log give the same counters of apps as large ones.
    @Test func countersOfAppsThatAreAddedInPartsAgreeWithTheRows() async throws {
        try await Installation.run { installation in
            try await traffic(in: installation)
            var batches = 0
            for log in ActivityLog.allCases {
                while let batch = try await installation.storage.read({
                    try $0.nextRollups(of: log, before: $0.now, limit: CountingLimit(rows: 10_000, counters: 16))
                }) {
                    #expect(batch.sums.count < 16 + 14)
                    _ = try await installation.storage.write { try $0.add(batch) }
                    batches += 1
                }
            }
            #expect(batches > 20)
            try await installation.expectNoProblems()
        }
    }
}
