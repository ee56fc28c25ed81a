import Foundation
import Linden
import LindenKernel
import LindenReporting
import LindenServices
import LindenTesting
import Testing

@Suite struct AnalyticsQueryTests {
    private static let scope = Scope(app: Identifier(rawValue: 1), mode: .live)

    private static func query(
        offset: Int = 0, topics: [Topic] = [.click], dimensions: [LindenReporting.Dimension] = []
    ) throws -> AnalyticsQuery {
        try AnalyticsQuery(
            scope: scope, topics: topics,
            span: try AnalyticsSpan(from: "2027-01-01", to: "2027-01-02", now: Timestamp(milliseconds: 1_800_000_000_000)),
            dimensions: dimensions, offset: offset)
    }

    /// Each row has a text for each dimension.
    @Test func aQuestionHasSixteenDimensionsAtMost() throws {
        let all = LindenReporting.Dimension.allCases
        _ = try Self.query(dimensions: Array(all.prefix(16)))
        let failure = #expect(throws: Failure.self) { try Self.query(dimensions: Array(all.prefix(17))) }
        #expect(failure?.message == "At most 16 dimensions are allowed.")
    }

    @Test func aTopicThatIsNamedTwiceCountsOnce() throws {
        #expect(try Self.query(topics: [.click, .install, .click]).topics == [.click, .install])
    }

    @Test func aPageFarBeyondTheLastIsRefused() async throws {
        for offset in [-1, 1_000_001, .max] {
            #expect(throws: Failure.self) { try Self.query(offset: offset) }
        }
        let query = try Self.query(offset: 1_000_000)
        let rows = try await Installation.run { try await $0.services.analytics.counts(query).rows }
        #expect(rows.isEmpty)
    }

    @Test(arguments: [("Asia/Kolkata", 19_800), ("America/St_Johns", -12_600), ("UTC", 0)])
    func aZoneIsKnownByItsNameInTheDatabaseOfZones(name: String, seconds: Int) throws {
        let zone = try AnalyticsSpan.zone(named: name)
        let winter = Date(timeIntervalSince1970: 1_800_000_000)
        #expect(zone.secondsFromGMT(for: winter) == seconds)
    }

    @Test(arguments: ["Mars", "Mars/Olympus", "../etc/passwd", "GMT+5", ""])
    func whatIsNoZoneIsRefused(name: String) {
        #expect(throws: Failure.self) { try AnalyticsSpan.zone(named: name) }
    }

    @Test func anUnknownTopicIsRefusedWithTheNamesOfTheWire() {
        let failure = #expect(throws: Failure.self) { try Topic.topics(named: "eo_sneeze") }
        #expect(failure?.message.contains("eo_click") == true && failure?.message.contains("eo_web_session_start") == true)
        #expect(failure?.message.contains(" click") == false)
    }

    @Test(arguments: ["eo_impression", "xx_impression", "eo_branch_cta_view", "eo_web_to_app_auto_redirect", "cost"])
    func whatNothingReportsIsNoMistake(name: String) throws {
        #expect(try Topic.topics(named: name) == [])
    }

    @Test func theAddressOfAReportIsGoodAsLongAsTheReportIsKept() async throws {
        try await Installation.run { installation in
            let reports = installation.services.reports
            let scope = try await installation.createApp().live.key.scope
            let job = try await reports.order(.aggregate, [:], format: .csv, limit: nil, scope: scope)
            let file = try await reports.signedFile(of: job)
            installation.clock.advance(by: .seconds(86400 * 6))
            #expect(try await reports.signedFile(of: job) == file)
        }
    }
}
