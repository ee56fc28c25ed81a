import HTTPTypes
import Linden
import LindenKernel
import LindenServices
import LindenTesting
import Testing

/// After each change of an app, it and its links are looked up again, and association files are made again.
@Suite struct AppChangeLimitTests {
    private static func run(
        _ body: @escaping @Sendable (_ exchange: Exchange, _ app: CreatedApp) async throws -> Void
    ) async throws {
        var limits = RateLimits(exempt: [])
        limits[.changeApp] = RateLimits.Allowed(address: .unlimited, secret: Rate(perMinute: 3))
        try await Exchange.run(limits: limits) { exchange in
            try await body(exchange, try await exchange.installation.createApp())
        }
    }

    private static func rename(_ app: CreatedApp, _ number: Int, _ exchange: Exchange) async throws -> Int {
        let body: JSON = ["branch_secret": .string(app.live.secret), "app_name": .string("Orchard \(number)")]
        return try await exchange.put("/v1/app/\(app.live.key.branchKey)", body).status
    }

    @Test func changesWithTheSecretAreLimitedByApp() async throws {
        try await Self.run { exchange, app in
            let other = try await exchange.installation.createApp()
            var statuses: [Int] = []
            for number in 1...4 { statuses.append(try await Self.rename(app, number, exchange)) }
            #expect(statuses == [200, 200, 200, 429])
            #expect(try await Self.rename(other, 1, exchange) == 200)
            #expect(try await exchange.createLink(app.live.key.branchKey) != "")
        }
    }

    @Test(arguments: ["/api/v1/apps/APP", "/api/v1/domains?app=APP", "/api/v1/routes?app=APP"])
    func changesWithATokenAreLimitedWhateverTheyChange(path: String) async throws {
        try await Self.run { exchange, app in
            let token = try await exchange.token(.admin, for: app)
            let target = path.replacing("APP", with: "\(app.app.id)")
            var statuses: [Int] = []
            for _ in 1...4 {
                let method: HTTPRequest.Method = path.contains("?") ? .post : .patch
                statuses.append(try await exchange.manage(method, target, token: token, ["pear": 1]).status)
            }
            #expect(statuses == [400, 400, 400, 429], "\(target)")
            #expect(try await exchange.manage(.get, target, token: token).status == 200)
        }
    }

    @Test func allTokensAndBothSidesOfAnAppHaveOneRate() async throws {
        try await Self.run { exchange, app in
            var statuses: [Int] = []
            for key in [app.live.key, app.test.key, app.live.key, app.test.key] {
                let target = "/api/v1/domains?app=\(key.branchKey)"
                let body: JSON = ["host": .string("d\(statuses.count).example")]
                statuses.append(try await exchange.manage(.post, target, token: exchange.token(.admin), body).status)
            }
            #expect(statuses.last == 429 && !statuses.dropLast().contains(429), "\(statuses)")
        }
    }

    @Test func changesInTheDashboardAreLimited() async throws {
        try await Self.run { exchange, app in
            var browser = try await DashboardBrowser(exchange, as: .admin)
            var statuses: [Int] = []
            for number in 1...4 {
                statuses.append(
                    try await browser.submit("/dashboard/apps/\(app.app.id)/domains", ["domain": "go\(number).orchard.example"])
                        .status)
            }
            #expect(statuses == [303, 303, 303, 429])
            #expect(try await browser.get("/dashboard/apps/\(app.app.id)/domains").status == 200)
        }
    }

    /// A change that changes nothing is not written, and empties no cache.
    @Test func aChangeToTheSameSettingsLeavesTheAppAsItIs() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let change: JSONObject = ["web_url": "https://new.example.com"]
            var times: [Int64] = []
            for _ in 1...2 {
                exchange.installation.clock.advance(by: .seconds(1))
                let changed = try await exchange.services.apps.update(app.live.key.scope, settings: change)
                #expect(changed.configuration.values["web_url"] == "https://new.example.com")
                times.append(try await exchange.rows("SELECT updated_at FROM apps"))
            }
            #expect(times[0] == times[1])
            exchange.installation.clock.advance(by: .seconds(1))
            _ = try await exchange.services.apps.update(app.live.key.scope, name: "Grove", settings: change)
            #expect(try await exchange.rows("SELECT updated_at FROM apps") > times[1])
        }
    }
}
