import Linden
import LindenKernel
import LindenReporting
import LindenServices
import LindenTesting
import LinkRouting
import SQLStorage
import SQLiteStorage
import Testing

/// Properties of attribution, tested over many generated histories on real storage.
@Suite struct AttributionPropertyTests {
    /// The first seed of each case, which tests twenty.
    private static let firstSeeds: [UInt64] = (0..<6).map { $0 * 8 + 1 }

    @Test(arguments: firstSeeds)
    func noClickIsTakenTwiceOrBeyondItsWindowOrItsApp(first: UInt64) async throws {
        var matches = 0
        for seed in first..<first + 8 {
            try await Installation.run { installation in
                let lived = try await installation.live(GeneratedHistory(seed: seed), hasNoise: true)
                var clickOwners: [Click.ID: Set<Device.ID>] = [:]
                for session in lived.sessions {
                    guard let id = session.click else { continue }
                    let (click, link) = try await installation.storage.read { (try $0.click(id)!, try $0.link(session.link!)!) }
                    #expect(click.scope == session.scope && link.scope == session.scope, "seed \(seed)")
                    if session.data["+match_guaranteed"] == false {
                        matches += 1
                        #expect(clickOwners[id, default: []].isEmpty, "seed \(seed)")
                        #expect(
                            session.id.time < id.time + link.matchWindow(appended: click.query, atMost: .seconds(86400)),
                            "seed \(seed)")
                        #expect(click.visitor.robot == nil, "seed \(seed)")
                    }
                    clickOwners[id, default: []].insert(session.device)
                }
            }
        }
        // Guards against histories without any match.
        #expect(matches > 5)
    }

    @Test(arguments: firstSeeds)
    func theOrderOfRowsMakesNoDifference(first: UInt64) async throws {
        for seed in first..<first + 8 {
            let history = GeneratedHistory(seed: seed)
            let plain = try await Installation.run { try await $0.live(history) }
            let shuffled = try await Installation.run { installation in
                try await installation.live(history) { try await $0.shuffleRows() }
            }
            #expect(plain.decisions == shuffled.decisions, "seed \(seed)")
            var random = RandomSource.repeatable(seed: seed)
            for evidence in plain.sessions.compactMap(\.evidence) {
                var other = evidence
                other.fingerprintSignals?.clicks.shuffle(using: &random)
                #expect(AttributionPolicy.decide(other) == AttributionPolicy.decide(evidence), "seed \(seed)")
            }
        }
    }

    @Test(arguments: firstSeeds)
    func aReplayDecidesTheSame(first: UInt64) async throws {
        for seed in first..<first + 8 {
            try await Installation.run { installation in
                let lived = try await installation.live(GeneratedHistory(seed: seed), hasNoise: true)
                for session in lived.sessions {
                    let again = AttributionPolicy.decide(try #require(session.evidence))
                    #expect(StoredDecision(again) == session.explanation, "seed \(seed)")
                }
                let figures = try await installation.services.replays.run(.all(installation))
                #expect(figures.sessions >= lived.sessions.count && figures.changed == 0, "seed \(seed)")
            }
        }
    }

    @Test(arguments: firstSeeds)
    func robotsPrefetchesAndOtherAppsMakeNoDifference(first: UInt64) async throws {
        for seed in first..<first + 8 {
            let history = GeneratedHistory(seed: seed)
            let plain = try await Installation.run { try await $0.live(history) }
            let noisy = try await Installation.run { try await $0.live(history, hasNoise: true) }
            #expect(plain.decisions == noisy.decisions, "seed \(seed)")
        }
    }

    /// Properties of replays under random rules: a click matched probabilistically is never attributed to two devices, applying a replay
    /// again changes nothing, and a trial run predicts exactly the changes.
    @Test(arguments: firstSeeds)
    func appliedReplaysNeverGiveAClickTwice(first: UInt64) async throws {
        var changes = 0
        for seed in first..<first + 8 {
            try await Installation.run { installation in
                _ = try await installation.live(GeneratedHistory(seed: seed), hasNoise: true)
                var random = RandomSource.repeatable(seed: seed)
                for round in 0..<4 {
                    var replay = Replay.all(installation, rules: .random(using: &random))
                    if round == 3 { replay.end = installation.clock.now - .seconds(3000) }
                    var expected: [ReplayChange] = []
                    _ = try await installation.services.replays.run(replay, onChange: { expected.append($0) })
                    replay.isApplied = true
                    let before = try await installation.outcomes()
                    var applied: [ReplayChange] = []
                    let figures = try await installation.services.replays.run(replay, onChange: { applied.append($0) })
                    #expect(applied == expected && figures.changed == applied.count, "seed \(seed)")
                    let after = try await installation.outcomes()
                    #expect(Set(applied.map(\.session)) == Set(after.keys.filter { before[$0] != after[$0] }), "seed \(seed)")
                    changes += applied.count
                    let isOneDevices = try await installation.isOneDevices(applied)
                    #expect(isOneDevices, "seed \(seed)")
                    let hasRightFigures = try await installation.hasRightFigures()
                    #expect(hasRightFigures, "seed \(seed)")
                    let again = try await installation.services.replays.run(replay)
                    #expect(again.changed == 0, "seed \(seed) round \(round)")
                    try await installation.services.statistics.aggregate()
                }
            }
        }
        #expect(changes > 20)
    }
}

extension Replay {
    /// A replay of the whole history.
    static func all(_ installation: Installation, rules: AttributionRules = .standard) -> Replay {
        Replay(start: TestClock().now, end: installation.clock.now + .seconds(1), rules: rules)
    }
}

extension AttributionRules {
    /// Rules with random weights.
    fileprivate static func random(using random: inout RandomSource) -> AttributionRules {
        var rules = AttributionRules.standard
        rules.version = 1000
        rules.threshold = [1, 40, 50, 60, 70, 80, 1000].randomElement(using: &random)!
        rules.otherLanguage = [-60, -25, 0, 30].randomElement(using: &random)!
        rules.language = [-20, 0, 10, 40].randomElement(using: &random)!
        rules.model = [-10, 0, 15, 40].randomElement(using: &random)!
        rules.screen = [-10, 0, 15, 40].randomElement(using: &random)!
        rules.tieMargin = [0, 20, 40].randomElement(using: &random)!
        rules.longAgo = [-15, 0, 40].randomElement(using: &random)!
        rules.ages = [
            Step(upTo: 300, points: [10, -40].randomElement(using: &random)!), Step(upTo: 7200, points: 5),
        ]
        rules.uncomparedDensities = [Step(upTo: 2, points: [0, 20].randomElement(using: &random)!), Step(upTo: 8, points: -10)]
        return rules
    }
}

extension Installation {
    private func connection<Value: Sendable>(_ body: @escaping @Sendable (any SQLConnection) throws -> Value) async throws -> Value
    {
        try await storage.write { try body(($0 as! SQLTransaction).connection) }
    }

    /// Rewrites the tables that matching reads, with their rows in another order.
    fileprivate func shuffleRows() async throws {
        try await connection { connection in
            for (table, key) in [("pending_clicks", "click_id"), ("device_addresses", "device_id")] {
                try connection.execute(
                    script: """
                        CREATE TEMP TABLE moved AS SELECT * FROM \(table);
                        DELETE FROM \(table);
                        INSERT INTO \(table) SELECT * FROM moved ORDER BY (\(key) % 10007) * 7919 % 1009 DESC;
                        DROP TABLE moved;
                        """)
            }
        }
    }

    /// The click of each session.
    fileprivate func outcomes() async throws -> [Session.ID: Click.ID?] {
        try await connection { connection in
            Dictionary(
                uniqueKeysWithValues: try connection.query("SELECT id, click_id FROM sessions") {
                    ($0.id(0) as Session.ID, $0.optionalID(1))
                })
        }
    }

    /// Whether each click matched probabilistically is attributed to one device, and each click newly attributed by the replay to one
    /// device in all sessions.
    fileprivate func isOneDevices(_ changes: [ReplayChange]) async throws -> Bool {
        let isTwice = try await connection { connection in
            try connection.hasRows(
                """
                SELECT click_id FROM sessions WHERE data LIKE '%"+match_guaranteed":false%'
                GROUP BY click_id HAVING COUNT(DISTINCT device_id) > 1
                """)
        }
        for click in changes.compactMap(\.after.click) {
            let devices = try await connection { connection in
                try connection.query("SELECT DISTINCT device_id FROM sessions WHERE click_id = \(click)") { $0.integer(0) }
            }
            if devices.count != 1 { return false }
        }
        return !isTwice
    }

    /// Whether the statistics of all links agree with their sessions.
    fileprivate func hasRightFigures() async throws -> Bool {
        let links = try await connection {
            try $0.query("SELECT id, app_id, mode FROM links") { (id: $0.id(0) as Link.ID, scope: $0.scope(1)) }
        }
        for (link, scope) in links {
            let counted = try await services.statistics.statistics(of: link, in: scope)
            let real = try await connection { connection in
                try connection.first(
                    "SELECT COUNT(*), COUNT(CASE WHEN kind IN (0, 5) THEN 1 END) FROM sessions WHERE link_id = \(link)"
                ) {
                    [$0.integer(0), $0.integer(1)]
                }
            }
            guard [counted.sessions, counted.installs] == real else { return false }
        }
        return true
    }
}
