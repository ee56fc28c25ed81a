import Linden
import LindenKernel
import LindenReporting
import LindenServices
import LindenTesting
import SQLStorage
import SQLiteStorage
import Synchronization
import Testing

/// Limits of a query's cost; beyond them it is refused with a helpful message.
@Suite struct AnalyticsLimitsTests {
    private static let day: Int64 = 20_000
    private static let scope = Scope(app: Identifier(rawValue: 1), mode: .live)

    /// Inserts counters of `campaigns` campaigns in each of `times` hours or days.
    private static func count(_ campaigns: Int, _ unit: Rollup.Unit, times: Int, in installation: Installation) async throws {
        try await installation.sql { connection in
            for time in 0..<Int64(times) {
                try connection.execute(
                    """
                    WITH RECURSIVE numbers (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < \(campaigns))
                    INSERT INTO rollups (app_id, mode, topic, dimension, hours, hour, name, value, count, revenue_millionths)
                    SELECT 1, 0, 'click', 'campaign', \(unit.rawValue), \(day * 24 + time * unit.rawValue), '', CAST(number AS TEXT), 1, 0
                    FROM numbers
                    """)
            }
        }
    }

    private static func query(
        days: Int64, _ granularity: Granularity, fillsZeros: Bool = false, limit: Int = AnalyticsQuery.mostRows
    ) throws -> AnalyticsQuery {
        try AnalyticsQuery(
            scope: scope, topics: [.click],
            span: try AnalyticsSpan(start: Timestamp(hour: day * 24), end: Timestamp(hour: (day + days) * 24)),
            dimensions: [.campaign], granularity: granularity, fillsZeros: fillsZeros, limit: limit)
    }

    @Test func zerosOfMoreThan200000RowsAreNotFilled() async throws {
        try await Installation.run { installation in
            try await Self.count(600, .hour, times: 1, in: installation)
            let few = try await installation.services.analytics.counts(Self.query(days: 10, .hour, fillsZeros: true, limit: 100))
            #expect(few.totalRows == 600 * 240)
            #expect(few.rows.count == 100 * 240)
            let failure = await #expect(throws: Failure.self) {
                try await installation.services.analytics.counts(Self.query(days: 14, .hour, fillsZeros: true, limit: 1))
            }
            #expect(failure?.message.contains("more than 200000 rows on all pages") == true)
            let unfilled = try await installation.services.analytics.counts(Self.query(days: 83, .hour))
            #expect(unfilled.totalRows == 600)
            // Of several questions, the others are answered.
            let queries = [
                try Self.query(days: 14, .hour, fillsZeros: true, limit: 1),
                try Self.query(days: 10, .hour, fillsZeros: true, limit: 9),
            ]
            let allowed = try await installation.services.analytics.allowedCounts(queries, of: Self.scope)
            #expect(allowed.map { $0?.totalRows } == [nil, 600 * 240])
        }
    }

    @Test func theNamesOfEventsThatAreCountedBesideAttributionAreBounded() async throws {
        try await Installation.run { installation in
            try await installation.sql { connection in
                try connection.execute(
                    """
                    WITH RECURSIVE numbers (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < 90000)
                    INSERT INTO rollups (app_id, mode, topic, dimension, hours, hour, name, value, count, revenue_millionths)
                    SELECT 1, 0, 'custom_event', 'link', 24, \(Self.day * 24), \(String(repeating: "n", count: 249)) || number, '7', 1, 0
                    FROM numbers
                    """)
            }
            func query(_ filters: [AnalyticsQuery.Filter]) throws -> AnalyticsQuery {
                try AnalyticsQuery(
                    scope: Self.scope, topics: [.customEvent],
                    span: try AnalyticsSpan(start: Timestamp(hour: Self.day * 24), end: Timestamp(hour: (Self.day + 1) * 24)),
                    dimensions: [.attributed, .channel, .name], filters: filters)
            }
            let failure = await #expect(throws: Failure.self) { try await installation.services.analytics.counts(query([])) }
            #expect(failure?.message.contains("take too much memory") == true)
            let name = String(repeating: "n", count: 249) + "7"
            let filter = try AnalyticsQuery.Filter(.name, [name], isNegated: false)
            let one = try await installation.services.analytics.counts(query([filter]))
            #expect(one.rows.map(\.values) == [["true", "", name]])
        }
    }

    @Test func theTitlesOfAnAnswersLinksAreBoundedInAll() async throws {
        try await Installation.run { installation in
            let app = try await installation.createApp()
            let (analytics, scope) = (installation.services.analytics, app.live.key.scope)
            var values: Set<String> = []
            for number in 0..<3 {
                let data: JSONObject = ["$og_title": .string(String(repeating: "p", count: 100))]
                let link = try await installation.services.links.create(
                    NewLink(alias: "pear-\(number)", data: data),
                    for: try #require(installation.services.directory.app(scope: scope)))
                values.insert(String(link.id.rawValue))
            }
            #expect(try await analytics.captions(of: values, in: scope).count == 3)
            let failure = await #expect(throws: Failure.self) { try await analytics.captions(of: values, in: scope, upTo: 300) }
            #expect(failure?.code == .invalid && failure?.message.contains("are longer than 300 bytes") == true)
        }
    }

    @Test func oneReplyOfAnAppAndTwoInAllAreMadeAtATime() async throws {
        try await Installation.run { installation in
            let (analytics, replies) = (installation.services.analytics, Replies())
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<60 {
                    let scope = Scope(app: Identifier(rawValue: Int64(number % 4)), mode: .live)
                    group.addTask { try await analytics.inTurn(of: scope) { try await replies.make(of: scope.app) } }
                }
                try await group.waitForAll()
            }
            #expect(replies.most == (ofApp: 1, inAll: 2))
        }
    }

    @Test func anAnswerHas50000RowsOverAllPeriodsAtMost() async throws {
        try await Installation.run { installation in
            try await Self.count(600, .hour, times: 1, in: installation)
            let analytics = installation.services.analytics
            let failure = await #expect(throws: Failure.self) {
                try await analytics.counts(Self.query(days: 10, .hour, fillsZeros: true, limit: 209))
            }
            #expect(failure?.message.contains("would have 50160 rows over all periods; at most 50000 are allowed") == true)
            #expect(failure?.message.contains("With these 240 periods, limit may be 208.") == true)
            let most = try await analytics.counts(Self.query(days: 10, .hour, fillsZeros: true, limit: 208))
            #expect(most.rows.count == 208 * 240)
        }
    }

    @Test func aQuestionThatWouldReadTooManyRowsIsRefused() async throws {
        try await Installation.run { installation in
            var traffic = Traffic(seed: 22)
            let start = installation.clock.now
            try await traffic.happen(400, in: installation)
            installation.clock.advance(by: .seconds(60))
            try await installation.services.rollups.aggregate()
            let analytics = AnalyticsService(
                storage: installation.storage.reporting, clock: installation.clock.clock, baseURL: installation.services.baseURL,
                rowLimit: 20
            )
            let span = try AnalyticsSpan(start: Timestamp(hour: start.hour), end: Timestamp(hour: installation.clock.now.hour))
            func query(_ dimensions: [Dimension]) throws -> AnalyticsQuery {
                try AnalyticsQuery(scope: Traffic.scopes[0], topics: [.click], span: span, dimensions: dimensions)
            }
            let failure = await #expect(throws: Failure.self) { try await analytics.counts(query([.channel, .platform])) }
            #expect(failure?.message.contains("more than 20 rows. Ask for a shorter span, or by one dimension") == true)
            let byOne = try await analytics.counts(query([.channel]))
            #expect(!byOne.rows.isEmpty)

            // The columns of a report share one row limit.
            let column = try Report.Column(name: "a", query: query([.channel, .platform]))
            let other = try Report.Column(name: "b", query: query([.channel, .platform]))
            let report = try Report(period: nil, dimensions: ["x", "y"], columns: [column, other], sorting: [], limit: nil)
            let clicks = try await installation.services.analytics.counts(query([])).rows.first?.figure ?? 0
            let enoughForOne = AnalyticsService(
                storage: installation.storage.reporting, clock: installation.clock.clock, baseURL: installation.services.baseURL,
                rowLimit: Int(clicks) + 1)
            _ = try await enoughForOne.counts(query([.channel, .platform]))
            await #expect(throws: Failure.self) { try await enoughForOne.rows(of: report) }
        }
    }

    /// Their installed devices are held in memory.
    @Test func aQuestionAboutTheLaterDaysOfTooManyInstallsIsRefused() async throws {
        try await Installation.run { installation in
            var traffic = Traffic(seed: 23)
            let start = installation.clock.now
            try await traffic.happen(400, in: installation)
            let scope = Traffic.scopes[0]
            let span = try AnalyticsSpan(start: Timestamp(hour: start.hour), end: Timestamp(hour: installation.clock.now.hour + 1))
            func analytics(_ most: Int) -> AnalyticsService {
                AnalyticsService(
                    storage: installation.storage.reporting, clock: installation.clock.clock,
                    baseURL: installation.services.baseURL,
                    deviceLimit: InstalledDeviceLimit(most: most))
            }
            let values = try LifetimeValueQuery(scope: scope, span: span)
            let devices = Int(try await analytics(.max).lifetimeValues(values).reduce(0) { $0 + $1.installs })
            #expect(devices > 2)
            _ = try await analytics(devices).lifetimeValues(values)
            _ = try await analytics(devices).cohorts(CohortQuery(scope: scope, span: span))
            let failure = await #expect(throws: Failure.self) { try await analytics(devices - 1).lifetimeValues(values) }
            #expect(failure?.message.contains("more than \(devices - 1) installed devices. Use a shorter span") == true)
            await #expect(throws: Failure.self) {
                try await analytics(devices - 1).cohorts(CohortQuery(scope: scope, span: span))
            }
        }
    }

    /// The devices of its cohorts are held in memory.
    @Test func aCohortReportOfTooManyDevicesCohortsOrFiguresIsRefused() async throws {
        try await Installation.run { installation in
            var traffic = Traffic(seed: 24)
            let start = installation.clock.now
            try await traffic.happen(400, in: installation)
            let span = try AnalyticsSpan(start: Timestamp(hour: start.hour), end: Timestamp(hour: installation.clock.now.hour + 1))
            let report = try CohortReport(
                scope: Traffic.scopes[0], source: .install, span: span, asOf: installation.clock.now,
                measures: [CohortMeasure("users")], unit: .day, bands: 2, isCumulative: false, isPerUser: false,
                groupings: [("channel", .by(.channel))])
            func rows(_ limit: CohortLimit) async throws -> [CohortReport.Row] {
                let analytics = AnalyticsService(
                    storage: installation.storage.reporting, clock: installation.clock.clock,
                    baseURL: installation.services.baseURL, cohortLimit: limit)
                return try await analytics.rows(of: report)
            }
            let all = try await rows(CohortLimit())
            let (devices, cohorts) = (Int(all.reduce(0) { $0 + $1.users }), all.count)
            #expect(devices > cohorts && cohorts > 1)
            let exact = try await rows(CohortLimit(devices: devices, cohorts: cohorts, figures: 2 * cohorts))
            #expect(exact.count == cohorts)
            for (limit, message) in [
                (CohortLimit(devices: devices - 1), "more than \(devices - 1) devices"),
                (CohortLimit(cohorts: cohorts - 1), "more than \(cohorts - 1) cohorts"),
                (CohortLimit(figures: 2 * cohorts - 1), "more than \(2 * cohorts - 1) figures"),
            ] {
                let failure = await #expect(throws: Failure.self) { try await rows(limit) }
                #expect(failure?.message.contains(message) == true)
            }
        }
    }

    @Test func aReportSortsAHundredThousandRowsAtMost() async throws {
        try await Installation.run { installation in
            try await Self.count(10_000, .day, times: 11, in: installation)
            let column = try Report.Column(name: "clicks", query: Self.query(days: 11, .day))
            func report(_ sorting: [Report.Sorting]) throws -> Report {
                try Report(period: "timestamp", dimensions: ["campaign"], columns: [column], sorting: sorting, limit: 10)
            }
            let failure = await #expect(throws: Failure.self) {
                try await installation.services.analytics.rows(of: report([.init(column: "clicks", isAscending: true)]))
            }
            #expect(failure?.message.contains("more than 100000 rows to sort") == true)
            let rows = try await installation.services.analytics.rows(of: report([]))
            #expect(rows.count == 10)
        }
    }

    /// An answer may have the titles of tens of thousands of links, which strangers wrote.
    @Test func theTitlesOfLinksAreCut() async throws {
        try await Installation.run { installation in
            let (app, _) = try await installation.appWithLink()
            var new = NewLink()
            new.data = ["$og_title": .string(String(repeating: "ä", count: 4000))]
            let link = try await installation.services.links.create(new, for: app)
            let captions = try await installation.services.analytics.captions(of: ["\(link.id)"], in: app.scope)
            #expect(captions["\(link.id)"]?.title == String(repeating: "ä", count: 200) + "…")
        }
    }
}

/// Counts replies that are made at the same time.
private final class Replies: Sendable {
    private struct State {
        var running: [App.ID: Int] = [:]
        var most = (ofApp: 0, inAll: 0)
    }

    private let state = Mutex(State())

    var most: (ofApp: Int, inAll: Int) { state.withLock(\.most) }

    func make(of app: App.ID) async throws {
        state.withLock { state in
            state.running[app, default: 0] += 1
            let (ofApp, inAll) = (state.running[app] ?? 0, state.running.values.reduce(0, +))
            state.most = (max(state.most.ofApp, ofApp), max(state.most.inAll, inAll))
        }
        try await Task.sleep(for: .milliseconds(1))
        state.withLock { $0.running[app, default: 0] -= 1 }
    }
}
