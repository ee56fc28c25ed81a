import Linden
import LindenAPI
import LindenKernel
import LindenReporting
import LindenServices
import LindenTesting
import SQLiteStorage
import Synchronization
import Testing

/// The exchange of Apple's attribution tokens, after the sessions that reported them.
@Suite struct TokenExchangeTests {
    /// A stand-in for Apple with answers set by the test.
    private final class Apple: AdTokenService {
        private let answers: Mutex<[AdTokenAnswer]>
        private let asked = Mutex<[String]>([])

        /// The tokens received.
        var tokens: [String] { asked.withLock { $0 } }

        /// Returns the answers in order, and repeats the last one.
        init(_ answers: AdTokenAnswer...) {
            self.answers = Mutex(answers)
        }

        func answer(to token: String) async -> AdTokenAnswer {
            asked.withLock { $0.append(token) }
            return answers.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
        }
    }

    private static func ad(_ json: String = #"{"attribution": true, "campaignId": 542370539, "keywordId": 87675432}"#)
        -> AdTokenAnswer
    {
        SearchAd(adServices: Array(json.utf8)).map(AdTokenAnswer.reported) ?? .refused
    }

    private static func start(_ installation: Installation, _ mode: Mode = .live) async throws -> SessionStart {
        let app = try await installation.createApp()
        let key = mode == .live ? app.live.key.branchKey : app.test.key.branchKey
        var start = SessionStart(
            app: try await installation.services.directory.app(branchKey: key), caller: .newInstallation, address: .unknown)
        start.appleAttributionToken = "T"
        return start
    }

    private static func round(_ installation: Installation) async throws {
        try await installation.services.tokenExchanges?.runOnce()
    }

    private static func waiting(_ installation: Installation) async throws -> Int {
        try await installation.storage.read { try $0.tokenExchanges(dueAt: $0.now + .seconds(1_000_000), limit: 10) }.count
    }

    @Test func anOrganicInstallIsGivenToTheAdThatAppleTells() async throws {
        let apple = Apple(Self.ad())
        try await Installation.run(adTokens: apple) { installation in
            let start = try await Self.start(installation)
            let session = try await installation.services.sessions.start(start)
            #expect(session.data["+clicked_branch_link"] == false)
            #expect(apple.tokens.isEmpty)

            try await Self.round(installation)
            #expect(apple.tokens == ["T"])
            let stored = try #require(try await installation.storage.read { try $0.session(session.id) })
            #expect(
                stored.data == [
                    "~advertising_partner_name": "Apple Search Ads", "~channel": "Apple App Store", "~campaign_id": "542370539",
                    "~keyword_id": "87675432", "+clicked_branch_link": false, "+is_first_session": true, "+match_guaranteed": true,
                ])
            let explanation = try await installation.services.explanations.explanation(of: stored)
                .view(installation.services.publicIDs, installation.services.baseURL)
            #expect((explanation["matcher"], explanation["outcome"]) == ("search_ad", "matched"))
            // The stored evidence, now with the ad, gives the same decision.
            let again = AttributionPolicy.decide(try #require(stored.evidence))
            #expect(StoredDecision(again) == stored.explanation)

            try await Self.round(installation)
            #expect(apple.tokens == ["T"])
            #expect(try await Self.waiting(installation) == 0)
        }
    }

    /// Also if the install was counted as organic before Apple answered.
    @Test(arguments: [true, false])
    func anInstallByAnAdIsAttributedInFigures(isCountedBefore: Bool) async throws {
        try await Installation.run(adTokens: Apple(Self.ad())) { installation in
            func figures(_ dimension: Dimension) async throws -> [String: Int128] {
                let now = installation.clock.now
                let query = try AnalyticsQuery(
                    scope: start.scope, topics: [.install],
                    span: try AnalyticsSpan(start: now - .seconds(86400), end: now + .seconds(86400)), dimensions: [dimension])
                let rows = try await installation.services.analytics.counts(query).rows
                return Dictionary(uniqueKeysWithValues: rows.map { ($0.values[0], $0.figure) })
            }
            let start = try await Self.start(installation)
            _ = try await installation.services.sessions.start(start)
            installation.clock.advance(by: .seconds(60))
            if isCountedBefore { try await installation.services.rollups.aggregate() }
            #expect(try await figures(.attributed) == ["false": 1])
            #expect(try await figures(.touch("~advertising_partner_name")) == ["": 1])

            try await Self.round(installation)
            try await installation.services.rollups.aggregate()
            #expect(try await figures(.attributed) == ["true": 1])
            #expect(try await figures(.link) == [AnalyticsRecord.adLink: 1])
            #expect(try await figures(.touch("~advertising_partner_name")) == ["Apple Search Ads": 1])
            #expect(try await figures(.touch("+current_feature")) == ["ADS": 1])
            for check in RollupChecks.all(day: nil) {
                #expect(try await installation.services.verification.result(of: check).problems == [])
            }
        }
    }

    @Test func anInstallThatNoAdBroughtStaysOrganicAndSaysSo() async throws {
        try await Installation.run(adTokens: Apple(Self.ad(#"{"attribution": false}"#))) { installation in
            let session = try await installation.services.sessions.start(try await Self.start(installation))
            try await Self.round(installation)
            let stored = try #require(try await installation.storage.read { try $0.session(session.id) })
            #expect(stored.data == session.data)
            #expect(stored.explanation.outcome == .organic)
            #expect(stored.explanation.answers.contains { $0.reason == "Apple reported that no App Store ad led to the install." })
        }
    }

    @Test func whatAppleMakesUpCountsForTestKeysAlone() async throws {
        let sample = Self.ad(#"{"attribution": true, "campaignId": 1234567890, "clickDate": "2021-10-08T17:17Z"}"#)
        for (mode, outcome) in [(.live, .organic), (.test, .matched)] as [(Mode, AttributionDecision.Outcome)] {
            // Apple's sample has a click date years ago, outside the match window, so the test mode's answer omits the date.
            let answer = mode == .live ? sample : Self.ad(#"{"attribution": true, "campaignId": 1234567890}"#)
            try await Installation.run(adTokens: Apple(answer)) { installation in
                let session = try await installation.services.sessions.start(try await Self.start(installation, mode))
                try await Self.round(installation)
                let stored = try #require(try await installation.storage.read { try $0.session(session.id) })
                #expect(stored.explanation.outcome == outcome)
            }
        }
    }

    @Test func whoCameByALinkStaysWithIt() async throws {
        let apple = Apple(Self.ad())
        try await Installation.run(adTokens: apple) { installation in
            var start = try await Self.start(installation)
            let link = try await installation.services.links.create(NewLink(alias: "pears"), for: start.app)
            start.opening.url = "https://go.example.com/" + link.address.path
            let session = try await installation.services.sessions.start(start)
            try await Self.round(installation)
            #expect(session.data["+clicked_branch_link"] == true)
            #expect(apple.tokens.isEmpty)
        }
    }

    @Test func appleIsAskedAgainLaterAndInTheEndNoMore() async throws {
        let apple = Apple(.notYet)
        try await Installation.run(adTokens: apple) { installation in
            _ = try await installation.services.sessions.start(try await Self.start(installation))
            try await Self.round(installation)
            try await Self.round(installation)
            installation.clock.advance(by: .seconds(4))
            try await Self.round(installation)
            #expect(apple.tokens.count == 1)
            installation.clock.advance(by: .seconds(2))
            try await Self.round(installation)
            #expect(apple.tokens.count == 2)
            for _ in 1...10 {
                installation.clock.advance(by: .seconds(7200))
                try await Self.round(installation)
            }
            #expect(apple.tokens.count == 6)
            #expect(try await Self.waiting(installation) == 0)
        }
    }

    @Test func anAnswerThatComesLateCounts() async throws {
        try await Installation.run(adTokens: Apple(.notYet, Self.ad())) { installation in
            let session = try await installation.services.sessions.start(try await Self.start(installation))
            try await Self.round(installation)
            installation.clock.advance(by: .seconds(5))
            try await Self.round(installation)
            let stored = try #require(try await installation.storage.read { try $0.session(session.id) })
            #expect(stored.explanation.matcher == "search_ad")
        }
    }

    @Test func aTokenThatAppleRefusesIsForgotten() async throws {
        try await Installation.run(adTokens: Apple(.refused)) { installation in
            _ = try await installation.services.sessions.start(try await Self.start(installation))
            try await Self.round(installation)
            #expect(try await Self.waiting(installation) == 0)
        }
    }

    @Test func appleIsAskedOnlyIfTheOperatorWantsIt() async throws {
        try await Installation.run { installation in
            _ = try await installation.services.sessions.start(try await Self.start(installation))
            #expect(installation.services.tokenExchanges == nil)
            #expect(try await Self.waiting(installation) == 0)
        }
    }

    @Test func anUnusedTokenIsDeletedAfterADay() async throws {
        try await Installation.run { installation in
            let start = try await Self.start(installation)
            let session = try await installation.services.sessions.start(start).id
            try await installation.storage.write {
                try $0.insert(
                    TokenExchange(
                        session: session, app: start.scope.app, token: "T", state: JobState(dueAt: $0.now + .seconds(3600))))
            }
            for (hours, left) in [(23, 1), (2, 0)] {
                installation.clock.advance(by: .seconds(hours * 3600))
                try await installation.services.maintenance.runOnce()
                #expect(try await Self.waiting(installation) == left)
            }
        }
    }

    @Test func whatOneNetworkMakesUpIsNotAskedWithoutEnd() async throws {
        var limits = RateLimits(exempt: [])
        limits[.adToken] = RateLimits.Allowed(address: Rate(perMinute: 3), key: Rate(perMinute: 100))
        let apple = Apple(.refused)
        try await Installation.run(adTokens: apple, limits: limits) { installation in
            var start = try await Self.start(installation)
            for (address, expected) in [("203.0.113.7", 3), ("198.51.100.7", 6)] {
                start.address = ClientAddress(address) ?? .unknown
                for _ in 1...5 { _ = try await installation.services.sessions.start(start) }
                try await Self.round(installation)
                #expect(apple.tokens.count == expected)
            }
            #expect(installation.services.refusals.totals == [.rate(.adToken, .keyAndAddress): 4])
        }
    }

    @Test func manyTokensOfOneAppLeaveAnotherItsTurn() async throws {
        try await Installation.run(adTokens: Apple(.notYet)) { installation in
            let due = try await installation.storage.write { transaction in
                for (app, count) in [(1, 300), (2, 1), (3, 2)] as [(Int64, Int)] {
                    for _ in 0..<count {
                        try transaction.insert(
                            TokenExchange(
                                session: try transaction.newID(), app: App.ID(rawValue: app), token: "T",
                                state: JobState(dueAt: transaction.now)))
                    }
                }
                return try transaction.tokenExchanges(dueAt: transaction.now, limit: 16)
            }
            #expect(due.map(\.app.rawValue).sorted() == Array(repeating: 1, count: 13) + [2, 3, 3])
        }
    }

    @Test func allThatAreDueAreAskedAtOnce() async throws {
        let apple = Apple(.notYet)
        try await Installation.run(adTokens: apple) { installation in
            let start = try await Self.start(installation)
            for _ in 1...40 { _ = try await installation.services.sessions.start(start) }
            try await Self.round(installation)
            #expect(apple.tokens.count == 40)
        }
    }

    @Test func ofSeveralServersOneAsks() async throws {
        let apple = Apple(.notYet)
        try await Installation.run(adTokens: apple) { installation in
            _ = try await installation.services.sessions.start(try await Self.start(installation))
            try await withThrowingTaskGroup(of: Void.self) { tasks in
                for _ in 0..<20 { tasks.addTask { try await Self.round(installation) } }
                try await tasks.waitForAll()
            }
            #expect(apple.tokens.count == 1)
        }
    }

    // MARK: Apple's formats

    @Test func appleTellsIdsAndTheMinuteOfTheTap() throws {
        let json = """
            {"attribution": true, "orgId": 40669820, "campaignId": 542370539, "conversionType": "Download",
            "clickDate": "2021-10-08T17:17Z", "adGroupId": 542317095, "countryOrRegion": "US", "keywordId": 87675432, "adId": 542317136}
            """
        let ad = try #require(SearchAd(adServices: Array(json.utf8)))
        #expect(ad.clickedAt == Timestamp(iso8601: "2021-10-08T17:17:00Z"))
        #expect(
            ad.labels == [
                "~advertising_partner_name": "Apple Search Ads", "~channel": "Apple App Store", "~campaign_id": "542370539",
                "~ad_set_id": "542317095", "~keyword_id": "87675432", "~ad_id": "542317136",
            ])
        #expect(ad.counts(in: .live))
    }

    @Test(arguments: ["", "{}", "[]", "null", #"{"attribution": "perhaps"}"#, "<html>"])
    func whatIsNoAnswerIsNone(text: String) {
        #expect(SearchAd(adServices: Array(text.utf8)) == nil)
    }
}
