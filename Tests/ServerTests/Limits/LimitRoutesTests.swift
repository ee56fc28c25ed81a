import Foundation
import HTTPTypes
import Linden
import LindenTesting
import SQLiteStorage
import Synchronization
import Testing

/// Rate limits through the router.
@Suite struct LimitRoutesTests {
    @Test func aStrangerWithThePublicKeyCannotUseUpTheAppsShare() async throws {
        try await run {
            $0[.createLink] = RateLimits.Allowed(address: Rate(perMinute: 5), key: Rate(perMinute: 20))
        } _: { exchange, key, _ async throws in
            #expect(try await self.created(30, exchange, key, from: "203.0.113.7") == 5)
            #expect(try await self.created(5, exchange, key, from: "198.51.100.1") == 5)
            #expect(try await self.created(5, exchange, key, from: "198.51.100.2") == 5)
        }
    }

    @Test func aStrangersIPv6NetworkIsOneAddress() async throws {
        try await run {
            $0[.createLink].address = Rate(perMinute: 5)
        } _: { exchange, key, _ async throws in
            var count = 0
            for number in 1...10 { count += try await self.created(1, exchange, key, from: "2001:db8:1:2::\(number)") }
            #expect(count == 5)
            #expect(try await self.created(1, exchange, key, from: "2001:db8:1:3::1") == 1)
        }
    }

    @Test func theSecretHasItsOwnShareAndAWrongOneDoesNotOpenIt() async throws {
        try await run {
            $0[.createLink] = RateLimits.Allowed(address: Rate(perMinute: 2), key: Rate(perMinute: 2), secret: Rate(perMinute: 4))
        } _: { exchange, key, secret async throws in
            #expect(try await self.created(9, exchange, key, from: "203.0.113.7") == 2)
            #expect(try await self.created(9, exchange, key, secret: "wrong", from: "203.0.113.7") == 0)
            #expect(try await self.created(9, exchange, key, secret: secret, from: "203.0.113.7") == 4)
        }
    }

    @Test func guessingSecretsIsLimited() async throws {
        try await run {
            $0[.call].address = Rate(perMinute: 3)
        } _: { exchange, key, _ async throws in
            var statuses: [Int] = []
            for number in 0..<5 {
                statuses.append(try await exchange.get("/v1/app/\(key)?branch_secret=guess\(number)").status)
            }
            #expect(statuses == [400, 400, 400, 429, 429])
        }
    }

    @Test func unknownKeysAndBrokenBodiesCountAgainstTheAddress() async throws {
        try await run {
            $0[.event].address = Rate(perMinute: 3)
        } _: { exchange, key, _ async throws in
            var statuses: [Int] = []
            for number in 0..<4 {
                let unknown: JSON = ["branch_key": .string("key_live_\(number)"), "name": "open"]
                statuses.append(try await exchange.post("/v2/event/custom", unknown).status)
            }
            #expect(statuses == [400, 400, 400, 429])
            #expect(try await exchange.send(.post, "/v2/event/custom", body: Array("{".utf8)).status == 429)
            #expect(try await exchange.send(.post, "/v2/event/custom", from: "198.51.100.1", body: Array("{".utf8)).status == 400)
        }
    }

    @Test func aRefusalIsAnErrorOfTheAPIAndItsRetryAfterIsHonest() async throws {
        try await run {
            $0[.session].address = Rate(perMinute: 6)
        } _: { exchange, key, _ async throws in
            for _ in 0..<6 { #expect(try await exchange.install(key).status == 200) }
            let refused = try await exchange.install(key)
            #expect(refused.status == 429)
            #expect(refused.errorCode == 429)
            #expect(refused.errorMessage?.contains("6/min") == true)
            let seconds = try #require(refused.headers[.retryAfter].flatMap { Int64($0) })
            exchange.installation.clock.advance(by: .seconds(seconds - 1))
            #expect(try await exchange.install(key).status == 429)
            exchange.installation.clock.advance(by: .seconds(1))
            #expect(try await exchange.install(key).status == 200)
        }
    }

    @Test func everyLinkOfABulkRequestCounts() async throws {
        try await run {
            $0[.createLink].address = Rate(perMinute: 100)
        } _: { exchange, key, _ async throws in
            let links = JSON.array(Array(repeating: .object(["channel": "sms"]), count: 60))
            #expect(try await exchange.post("/v1/url/bulk/\(key)", links).status == 200)
            #expect(try await exchange.post("/v1/url/bulk/\(key)", links).status == 429)
            #expect(try await self.created(50, exchange, key, from: "203.0.113.7") == 40)
        }
    }

    @Test func storedBytesHaveABudgetBesideTheCount() async throws {
        try await run {
            $0[.store] = RateLimits.Allowed(address: Rate(perHour: 100_000), key: Rate(perHour: 250_000))
        } _: { exchange, key, secret async throws in
            func stored(from address: String, _ extra: JSONObject = [:]) async throws -> Int {
                var count = 0
                for _ in 0..<10 {
                    let link: JSONObject = [
                        "branch_key": .string(key), "data": ["text": .string(String(repeating: "x", count: 30_000))],
                    ]
                    count += try await exchange.post("/v1/url", .object(link.merging(extra)), from: address).status == 200 ? 1 : 0
                }
                return count
            }
            #expect(try await stored(from: "203.0.113.7") == 3)
            #expect(try await stored(from: "198.51.100.1") == 3)
            #expect(try await stored(from: "198.51.100.2") == 2, "all of the key's")
            #expect(try await stored(from: "198.51.100.3", ["branch_secret": .string(secret)]) == 10)
        }
    }

    @Test func newContentOfEventsCountsAsStoredBytes() async throws {
        try await run {
            $0[.store].address = Rate(perHour: 100_000)
        } _: { exchange, key, _ async throws in
            /// Returns how many of ten events with a hundred small pieces of content each are accepted.
            func accepted(from address: String, _ identifier: (Int, Int) -> String) async throws -> Int {
                var count = 0
                for event in 0..<10 {
                    let items = (0..<100).map { JSON.object(["$canonical_identifier": .string(identifier(event, $0))]) }
                    let body: JSONObject = [
                        "branch_key": .string(key), "name": "VIEW_ITEMS", "content_items": .array(items),
                    ]
                    let answer = try await exchange.post("/v2/event/standard", .object(body), from: address)
                    count += answer.status == 200 ? 1 : 0
                }
                return count
            }
            // The bodies alone have 4 KB each.
            let withNewContent = try await accepted(from: "203.0.113.7") { event, item in "\(event).\(item)" }
            #expect((1...4).contains(withNewContent))
            let withKnownContent = try await accepted(from: "198.51.100.1") { _, item in "0.\(item)" }
            #expect(withKnownContent == 10)
        }
    }

    @Test func visitsAreLimitedByAddressAndAnswerWithAPage() async throws {
        try await run {
            $0[.visit].address = Rate(perMinute: 3)
        } _: { exchange, key, _ async throws in
            let path = try await exchange.createLink(key)
            for _ in 0..<3 { #expect(try await exchange.get(path).status < 400) }
            let refused = try await exchange.get(path, headers: [.accept: "text/html"])
            #expect(refused.status == 429)
            #expect(refused.headers[.contentType]?.hasPrefix("text/html") == true)
            #expect(refused.headers[.retryAfter] == "20")
            #expect(try await exchange.get(path, from: "198.51.100.1").status < 400)
            #expect(try await exchange.get("/healthz").status == 200)
        }
    }

    @Test func anAddressIsStoppedBeforeItsBodiesAreRead() async throws {
        try await run {
            $0[.request].address = Rate(perMinute: 3)
        } _: { exchange, key, secret async throws in
            for _ in 0..<3 { #expect(try await exchange.install(key).status == 200) }
            #expect(try await exchange.send(.post, "/v1/install", body: Array("{".utf8)).status == 429)
        }
    }

    @Test func whatABrowserAsksBeforehandCountsAsARequest() async throws {
        try await run {
            $0[.request].address = Rate(perMinute: 2)
        } _: { exchange, _, _ async throws in
            var statuses: [Int] = []
            for _ in 0..<3 { statuses.append(try await exchange.send(.options, "/v1/open").status) }
            #expect(statuses == [204, 204, 429])
        }
    }

    @Test func aCallAsAScriptIsStoppedBeforeItsDataIsRead() async throws {
        try await run {
            $0[.request].address = Rate(perMinute: 3)
        } _: { exchange, key, secret async throws in
            let fields: JSON = ["branch_key": .string(key), "branch_secret": .string(secret)]
            let data = Data(fields.bytes).base64EncodedString()
            var statuses: [Int] = []
            for _ in 0..<5 { statuses.append(try await exchange.get("/v1/url?callback=f&data=" + data).status) }
            #expect(statuses == [400, 400, 400, 429, 429])
            #expect(try await exchange.get("/v1/url?callback=f&data=" + data, from: "198.51.100.1").status == 400)
        }
    }

    @Test func aSecretInAnAddressIsLookedForBehindTheLimits() async throws {
        try await run {
            $0[.request].address = Rate(perMinute: 2)
        } _: { exchange, key, secret async throws in
            var statuses: [Int] = []
            for _ in 0..<3 { statuses.append(try await exchange.post("/v1/url?branch_secret=\(secret)", [:]).status) }
            #expect(statuses == [400, 400, 429])
        }
    }

    /// The ids determine the app, so these calls count against its key like calls that name the key.
    @Test func callsThatNameAClickOrAUserCountAgainstTheAppsKey() async throws {
        try await run {
            $0[.call] = RateLimits.Allowed(address: Rate(perMinute: 100), key: Rate(perSecond: 2))
        } _: { exchange, key, _ async throws in
            let click = try await exchange.get(try await exchange.createLink(key)).linkClickID ?? ""
            let user = try await exchange.install(key).object["identity_id"]?.string ?? ""
            let calls: [@Sendable (String) async throws -> Int] = [
                { try await exchange.get("/v1/credits/\(user)", from: $0).status },
                { try await exchange.get("/v1/referrals/\(user)", from: $0).status },
                { try await exchange.get("/_r?branch_key=\(key)", from: $0).status },
                { try await exchange.post("/c/\(click)/device", ["screen_width": 390, "screen_height": 844], from: $0).status },
            ]
            for call in calls {
                var statuses: [Int] = []
                for number in 1...3 { statuses.append(try await call("198.51.100.\(number)")) }
                #expect(statuses[0] < 300 && statuses[1] < 300 && statuses[2] == 429, "\(statuses)")
                // Time for the key's bucket to refill.
                exchange.installation.clock.advance(by: .seconds(2))
            }
        }
    }

    @Test func askingForABrowsersNumberIsACallAndNoVisit() async throws {
        try await run {
            $0[.visit].address = Rate(perMinute: 1)
            $0[.call].address = Rate(perMinute: 3)
        } _: { exchange, _, _ async throws in
            var statuses: [Int] = []
            for _ in 0..<4 { statuses.append(try await exchange.get("/_r").status) }
            #expect(statuses == [200, 200, 200, 429])
        }
    }

    @Test func exemptNetworksAreNotLimited() async throws {
        try await run(exempt: ["198.51.100.0/24"]) {
            $0[.createLink].address = Rate(perMinute: 1)
        } _: { exchange, key, _ async throws in
            #expect(try await self.created(5, exchange, key, from: "198.51.100.7") == 5)
            #expect(try await self.created(5, exchange, key, from: "203.0.113.7") == 1)
            #expect(try await self.created(5, exchange, key, from: "127.0.0.1") == 1, "loopback is one only by the setting")
        }
    }

    @Test func questionsCountAgainstTheirTokenAndTheirAddress() async throws {
        try await run {
            $0[.query] = RateLimits.Allowed(address: Rate(perMinute: 3), secret: Rate(perMinute: 5))
        } _: { exchange, key, secret async throws in
            let tokens = exchange.services.tokens
            let (ann, ben) = (
                try await tokens.create(name: "ann", role: .analyst, app: nil).secret,
                try await tokens.create(name: "ben", role: .analyst, app: nil).secret
            )
            #expect(try await self.answered(4, exchange, key, token: ann, from: "203.0.113.7") == 3)
            #expect(try await self.answered(4, exchange, key, token: ann, from: "203.0.113.8") == 2)
            #expect(try await self.answered(4, exchange, key, token: ben, from: "203.0.113.9") == 3)
            let question: JSONObject = [
                "branch_key": .string(key), "branch_secret": .string(secret), "start_date": "2027-01-14", "end_date": "2027-01-15",
                "data_source": "eo_click", "aggregation": "total_count", "dimensions": ["name"],
            ]
            #expect(try await exchange.post("/v1/query/analytics", .object(question)).status == 200, "the secret's own share")
        }
    }

    @Test func everyDownloadOfAReportCountsAsAQuestion() async throws {
        try await run {
            $0[.query] = RateLimits.Allowed(address: Rate(perMinute: 3), secret: Rate(perMinute: 5))
        } _: { exchange, key, _ async throws in
            let app = try await exchange.services.directory.app(branchKey: key).scope.app
            let token = try await exchange.services.tokens.create(name: "ann", role: .analyst, app: nil).secret
            let headers: HTTPFields = [HTTPField.Name("Access-Token")!: token]
            let order = RouteAccess.aggregate.merging(["app_id": .string("\(app)")])
            let ordered = try await exchange.post("/v2/analytics", .object(order), headers: headers).object
            let job = try #require(ordered["job_id"]?.scalarText)
            let state = try await exchange.get("/v2/analytics/\(job)?app_id=\(app)", headers: headers).object
            let url = try #require(state["response_url"]?.string)
            let target = String(url.dropFirst("https://go.example.com".count))
            var statuses: [Int] = []
            for _ in 0..<4 { statuses.append(try await exchange.get(target).status) }
            #expect(statuses == [200, 200, 200, 429])
        }
    }

    @Test func longQuestionsAboutOneAppDoNotHoldUpThoseAboutAnother() async throws {
        try await Installation.withFolder { folder in
            try await Exchange.run(path: folder + "/linden.db") { exchange in
                let orchard = try await exchange.installation.createApp("Orchard").live.key.scope
                let garden = try await exchange.installation.createApp("Garden").live.key.branchKey
                let token = try await exchange.services.tokens.create(name: "all", role: .analyst, app: nil).secret
                let (storage, question) = (exchange.installation.storage, LongQuestion())
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<8 { group.addTask { try await storage.analyze(orchard) { _ in question.read() } } }
                    while question.running == 0 { try await Task.sleep(for: .milliseconds(1)) }
                    #expect(try await self.answered(3, exchange, garden, token: token, from: "203.0.113.7") == 3)
                    #expect(question.running == 1)
                    question.end()
                    try await group.waitForAll()
                }
            }
        }
    }

    /// A new route without a limit of its own is limited as a call.
    @Test func everyRouteButTheHealthChecksIsLimited() async throws {
        var limits = RateLimits(exempt: [])
        for call in LimitedCall.allCases {
            limits[call] = RateLimits.Allowed(address: Rate(perHour: 1), key: Rate(perHour: 1), secret: Rate(perHour: 1))
        }
        try await Exchange.run(limits: limits) { exchange in
            var number = 0
            for (method, path) in exchange.calls {
                number += 1
                let address = "198.51.\(number / 250).\(number % 250 + 1)"
                let target = path.split(separator: "/", omittingEmptySubsequences: false)
                    .map { $0.hasPrefix(":") || $0.hasPrefix("{") ? "x" : $0 == "**" ? "some" : $0 }.joined(separator: "/")
                var statuses: [Int] = []
                for _ in 0..<2 {
                    statuses.append(try await exchange.send(.init(rawValue: method)!, target, from: address).status)
                }
                let isHealth = ["/healthz", "/readyz"].contains(path)
                #expect((statuses[1] == 429) == !isHealth, "\(method) \(path): \(statuses)")
            }
        }
    }

    // MARK: Disk space

    @Test func belowTheFloorOfFreeDiskWritesAreRefusedAndVisitsGoOn() async throws {
        let disk = Disk()
        try await Exchange.run(minimumFreeDisk: 1000, freeDisk: { disk.free }) { exchange in
            let app = try await exchange.installation.createApp()
            let key = app.live.key.branchKey
            let path = try await exchange.createLink(key)
            disk.free = 999
            exchange.services.disk.sample()

            let refused = try await exchange.post("/v1/url", ["branch_key": .string(key)])
            #expect(refused.status == 503)
            #expect(refused.headers[.retryAfter] == "60")
            #expect(refused.errorMessage?.contains("limits.min_free_disk") == true)
            #expect(try await exchange.install(key).status == 503)
            #expect(try await exchange.get("/readyz").status == 503)
            #expect(try await exchange.get("/healthz").status == 200)
            #expect(try await exchange.get("/v1/url?branch_key=\(key)&url=https://go.example.com\(path)").status == 200)
            #expect(try await exchange.get(path).status < 400)
            let link = try await exchange.services.links.link(url: "https://go.example.com" + path, in: app.live.key.scope)
            let clicks = try await exchange.installation.storage.read {
                try $0.clicks(of: link.id, after: 0, through: .max, limit: 10).clicks
            }
            #expect(clicks.count == 1, "and the click is recorded")
            #expect(exchange.services.refusals.totals[.diskSpace] == 2)

            disk.free = 1000
            exchange.services.disk.sample()
            #expect(try await exchange.install(key).status == 200)
            #expect(try await exchange.get("/readyz").status == 200)
        }
    }

    @Test func belowTheFloorClicksAreRecordedWithoutLongQueries() async throws {
        let disk = Disk()
        try await Exchange.run(minimumFreeDisk: 1000, freeDisk: { disk.free }) { exchange in
            let app = try await exchange.installation.createApp()
            let path = try await exchange.createLink(app.live.key.branchKey)
            let (short, long) = ("fruit=pear", "$deeplink_path=" + String(repeating: "x", count: 600))
            for free in [999, 1000] as [Int64] {
                disk.free = free
                exchange.services.disk.sample()
                for query in [short, long] {
                    let answer = try await exchange.get(path + "?" + query, userAgent: UserAgents.android)
                    #expect(answer.status < 400 && (query == short || (answer.location ?? answer.body).contains("xxxx")))
                }
            }
            let link = try await exchange.services.links.link(url: "https://go.example.com" + path, in: app.live.key.scope)
            let clicks = try await exchange.installation.storage.read {
                try $0.clicks(of: link.id, after: 0, through: .max, limit: 10).clicks
            }
            #expect(clicks.map(\.query) == [short, nil, short, long])
        }
    }

    // MARK: Helpers

    private func run(
        exempt: [String] = [], _ change: (inout RateLimits) -> Void,
        _ body: @escaping @Sendable (_ exchange: Exchange, _ key: String, _ secret: String) async throws -> Void
    ) async throws {
        var limits = RateLimits(exempt: exempt.map { Network($0)! })
        change(&limits)
        try await Exchange.run(limits: limits) { exchange in
            let app = try await exchange.installation.createApp()
            try await body(exchange, app.live.key.branchKey, app.live.secret)
        }
    }

    /// The number of analytics questions, out of `tries`, that are answered.
    private func answered(
        _ tries: Int, _ exchange: Exchange, _ key: String, token: String, from address: String
    ) async throws -> Int {
        var count = 0
        for _ in 0..<tries {
            let answer = try await exchange.get(
                "/api/v1/analytics/counts?app=\(key)&from=2027-01-14&to=2027-01-15", from: address,
                headers: [HTTPField.Name("Access-Token")!: token])
            count += answer.status == 200 ? 1 : 0
        }
        return count
    }

    /// The number of links, out of `tries`, that an address succeeds in creating.
    private func created(
        _ tries: Int, _ exchange: Exchange, _ key: String, secret: String? = nil, from address: String
    ) async throws -> Int {
        var count = 0
        for _ in 0..<tries {
            var link: JSONObject = ["branch_key": .string(key)]
            if let secret { link["branch_secret"] = .string(secret) }
            count += try await exchange.post("/v1/url", .object(link), from: address).status == 200 ? 1 : 0
        }
        return count
    }
}

/// A question that reads until the test ends it, for 10 seconds at most.
private final class LongQuestion: Sendable {
    private let state = Mutex((running: 0, isEnded: false))

    var running: Int { state.withLock { $0.running } }

    func read() {
        state.withLock { $0.running += 1 }
        for _ in 0..<10_000 where !state.withLock({ $0.isEnded }) { Thread.sleep(forTimeInterval: 0.001) }
        state.withLock { $0.running -= 1 }
    }

    func end() { state.withLock { $0.isEnded = true } }
}

private final class Disk: Sendable {
    private let bytes = Mutex<Int64>(1 << 30)

    var free: Int64 {
        get { bytes.withLock { $0 } }
        set { bytes.withLock { $0 = newValue } }
    }
}
