import Linden
import LindenKernel
import LindenReporting
import LindenServices
import LindenTesting
import SQLStorage
import SQLiteStorage
import Testing

@Suite struct RollupBatchTests {
    private static let counted: SQL =
        "SELECT CAST(SUM(count) AS BIGINT) FROM rollups WHERE dimension = '' AND hours = 1 AND name <> ''"

    private func traffic(in installation: Installation) async throws -> [Int64] {
        var traffic = Traffic(seed: 21)
        try await traffic.happen(200, in: installation)
        installation.clock.advance(by: .seconds(60))
        return try await installation.sql { try $0.query("SELECT id FROM events ORDER BY id") { $0.integer(0) } }
    }

    private func batch(of log: ActivityLog = .events, in installation: Installation) async throws -> RollupBatch {
        let batch = try await installation.storage.read {
            try $0.nextRollups(of: log, before: $0.now, limit: CountingLimit(rows: 10_000, counters: .max))
        }
        return try #require(batch)
    }

    /// The shares of a day's values are looked up for each new value while other writers wait, so no statement may read the day's values.
    @Test(.enabled(if: Engine.isSQLite)) func noValuesOfTheDayAreReadToAdmitOneMore() async throws {
        try await Installation.run { installation in
            let traffic = Traffic(seed: 22)
            try await traffic.click(["autumn"], from: "198.51.100.1", in: installation)
            try await traffic.click(["winter"], from: "", in: installation)
            try await traffic.click(["spring"], from: "198.51.100.2", site: 7, in: installation)
            installation.clock.advance(by: .seconds(60))
            let batch = try await batch(of: .clicks, in: installation)
            let plans = try await installation.storage.write { transaction in
                let connection = RecordingConnection((transaction as! SQLTransaction).connection)
                try SQLTransaction(connection: connection, state: SQLState(owner: "test"), now: transaction.now).add(batch)
                let looked = connection.recorded.filter { $0.text.hasPrefix("SELECT") && $0.text.contains("rollup_") }
                return try looked.map { sql in
                    try connection.query(SQL(text: "EXPLAIN QUERY PLAN " + sql.text, values: sql.values)) { $0.text(3) }.joined()
                }
            }
            #expect(plans.count > 6)
            #expect(plans.allSatisfy { $0.contains("AND value=?)") || $0.contains("AND owner=?)") }, "\(Set(plans))")
        }
    }

    @Test func theSharesOfADayAreTheNumbersOfItsValues() async throws {
        try await Installation.run { installation in
            let traffic = Traffic(seed: 23)
            try await traffic.click(["autumn", "winter"], from: "198.51.100.1", site: 7, in: installation)
            try await traffic.click(["winter", "spring"], from: "198.51.100.2", site: 7, in: installation)
            try await traffic.click(["summer"], from: "", in: installation)
            installation.clock.advance(by: .seconds(60))
            try await installation.services.rollups.aggregate()
            let shares = try await installation.texts(
                """
                SELECT owner_kind || ': ' || number FROM rollup_shares WHERE dimension = 'campaign' AND kind = 0 ORDER BY owner_kind, number
                """)
            #expect(shares == ["0: 4", "1: 4", "2: 1", "2: 2", "3: 1", "4: 3"])
        }
    }

    /// The deleted rows stay in the totals and are not counted twice.
    @Test func aRowThatIsDeletedWhileItIsBeingCountedIsCountedOnce() async throws {
        try await Installation.run { installation in
            let ids = try await traffic(in: installation)
            let batch = try await batch(in: installation)
            try await installation.storage.write { try $0.erase(.events, Array(ids.prefix(10))) }
            _ = try await installation.storage.write { try $0.add(batch) }
            try await installation.services.rollups.aggregate()
            let counted = try await installation.count(Self.counted)
            #expect(counted == Int64(ids.count))
            try await installation.expectNoProblems()
        }
    }

    @Test func aSessionThatIsGivenToAnotherLinkWhileItIsBeingCountedIsCountedThere() async throws {
        try await Installation.run { installation in
            _ = try await traffic(in: installation)
            let sessions = try await installation.storage.read {
                try $0.sessions(
                    from: Identifier(rawValue: 1), before: Identifier(rawValue: .max), of: Traffic.scopes[0], limit: 1000)
            }
            let session = try #require(sessions.first { $0.link == Identifier(rawValue: 1) })
            let batch = try await batch(of: .sessions, in: installation)
            try await installation.storage.write { transaction in
                try transaction.redecide(
                    session,
                    as: Session(
                        id: session.id, scope: session.scope, device: session.device, identity: session.identity,
                        kind: session.kind, link: Identifier(rawValue: 2), click: nil, data: [:],
                        explanation: StoredDecision(outcome: .organic, reason: "")))
            }
            _ = try await installation.storage.write { try $0.add(batch) }
            try await installation.services.rollups.aggregate()
            try await installation.expectNoProblems()
        }
    }

    @Test func rowsThatTwoProcessesReadAreCountedOnce() async throws {
        try await Installation.run { installation in
            let ids = try await traffic(in: installation)
            let (first, second) = (try await batch(in: installation), try await batch(in: installation))
            _ = try await installation.storage.write { try $0.add(first) }
            _ = try await installation.storage.write { try $0.add(second) }
            let counted = try await installation.count(Self.counted)
            #expect(counted == Int64(ids.count))
        }
    }

    /// The writer thread must not read logs, because all other writes wait meanwhile.
    @Test func countersAreWrittenWithoutReadingTheLogs() async throws {
        try await Installation.run { installation in
            _ = try await traffic(in: installation)
            let batch = try await batch(in: installation)
            let statements = try await installation.storage.write { transaction in
                let connection = RecordingConnection((transaction as! SQLTransaction).connection)
                try SQLTransaction(connection: connection, state: SQLState(owner: "test"), now: transaction.now).add(batch)
                return connection.recorded.map(\.text)
            }
            #expect(statements.contains { $0.contains("INSERT INTO rollups") })
            for log in ["clicks", "sessions", "events"] {
                #expect(!statements.contains { $0.contains("FROM " + log) })
            }
        }
    }

    @Test(arguments: [[nil], [.channel], [.link], [nil] + Dimension.daily] as [[Dimension?]])
    func devicesThatDoNotFitIntoMemoryTogetherAreCountedInParts(dimensions: [Dimension?]) async throws {
        try await Installation.run { installation in
            _ = try await traffic(in: installation)
            try await installation.services.rollups.aggregate()
            let day = installation.clock.now.day
            for log in ActivityLog.allCases {
                let (whole, ofDevices, ofCounts, single) = try await installation.storage.read { reader in
                    let counter = DeviceCounter(reader: reader)
                    let whole = try counter.counts(in: log, on: day, by: dimensions)
                    // Some parts each: every part reads the whole day, hour by hour.
                    let few = DeviceCounter.Limit(counts: Int64(max(1, whole.count / 3)), devices: 60)
                    let parts = try counter.parts(of: log, on: day, by: dimensions, limit: few)
                    #expect(parts.counts > 1)
                    #expect(parts.counts < 10)
                    return (
                        whole,
                        try counter.counts(in: log, on: day, by: dimensions, limit: DeviceCounter.Limit(devices: 60)),
                        try counter.counts(in: log, on: day, by: dimensions, limit: few),
                        try dimensions.flatMap { try counter.counts(in: log, on: day, by: [$0]) }
                    )
                }
                #expect(!whole.isEmpty)
                for parts in [ofDevices, ofCounts, single] {
                    #expect(parts.count == whole.count)
                    for count in whole { #expect(parts.contains(count)) }
                }
            }
        }
    }

    @Test func noPartOfADaysCountsIsMuchLargerThanTheLimit() async throws {
        try await Installation.run { installation in
            _ = try await traffic(in: installation)
            try await installation.services.rollups.aggregate()
            let (day, dimensions) = (installation.clock.now.day, [nil] + Dimension.daily)
            let sizes = try await installation.storage.read { reader in
                let counter = DeviceCounter(reader: reader)
                let parts = try counter.parts(of: .events, on: day, by: dimensions, limit: DeviceCounter.Limit(counts: 10))
                return try (0..<parts.counts).map {
                    try counter.counts(in: .events, on: day, by: dimensions, part: $0, of: parts).count
                }
            }
            #expect(sizes.reduce(0, +) > 100)
            #expect(sizes.allSatisfy { $0 < 40 }, "\(sizes)")
        }
    }
}

extension DeviceCounter {
    /// Returns the counts of all parts of a day.
    fileprivate func counts(
        in log: ActivityLog, on day: Int64, by dimensions: [Dimension?], limit: Limit = Limit()
    ) throws -> [DeviceCount] {
        let parts = try parts(of: log, on: day, by: dimensions, limit: limit)
        return try (0..<parts.counts).flatMap { try counts(in: log, on: day, by: dimensions, part: $0, of: parts) }
    }
}
