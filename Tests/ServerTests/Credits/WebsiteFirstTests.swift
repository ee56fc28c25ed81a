import Linden
import LindenKernel
import LindenLedger
import LindenServices
import LindenTesting
import Testing

/// The referrals of users who have used the website before they install the app by a friend's link.
@Suite struct WebsiteFirstTests {
    /// How the app names its user.
    enum Login: CaseIterable {
        case withTheInstall, afterIt, inTheEvent
    }

    @Test(arguments: ["branch", "strict"], Login.allCases)
    func theirPurchasesInTheAppRewardTheFriend(security: String, login: Login) async throws {
        try await Self.run(security) { exchange, key, link in
            let device = try await Self.install(exchange, key, by: link, login, at: "198.51.100.9")
            try await Self.buy(exchange, key, on: device)
            #expect(try await exchange.balance(of: "ann") == 5)
        }
    }

    @Test(arguments: Login.allCases) func aSecondAppInTheirNameIsNoReferral(login: Login) async throws {
        try await Self.run("branch") { exchange, key, link in
            _ = try await exchange.install(key, ["identity": "bob"], from: "198.51.100.9")
            let device = try await Self.install(exchange, key, by: link, login, at: "192.0.2.67")
            try await Self.buy(exchange, key, on: device)
            #expect(try await exchange.balance(of: "ann") == 0)
        }
    }

    @Test func aUserDoesNotReferThemselvesByLoggingIn() async throws {
        try await Self.run("branch") { exchange, key, link in
            let device = try await exchange.installBy(link, key, [:], at: "198.51.100.9")["device_fingerprint_id"] ?? .null
            try await Self.login(exchange, key, as: "ann", on: device)
            let event: JSONObject = [
                "branch_key": .string(key), "name": "PURCHASE",
                "user_data": ["os": "iOS", "randomized_device_token": device, "developer_identity": "ann"],
            ]
            #expect(try await exchange.post("/v2/event/standard", .object(event)).status == 200)
            #expect(try await exchange.balance(of: "ann") == 0)
        }
    }

    /// Bob is named in a browser. A purchase earns its user's referrer 5 credits, and Ann has a link.
    private static func run(
        _ security: String, _ body: @escaping @Sendable (Exchange, String, String) async throws -> Void
    ) async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp(
                settings: Installation.settings.merging(["security": .string(security)]))
            let key = app.live.key.branchKey
            try await exchange.addRule(try NewRewardRule("PURCHASE", .referrer, 5), for: app)
            let (_, link) = try await exchange.friend(named: "ann", of: key, at: "192.0.2.1")
            let page = try await exchange.post("/v1/open", ["branch_key": .string(key), "sdk": "web2.85.0", "identity": "bob"])
            try #require(page.object["identity"] == "bob", "\(page.body)")
            try await body(exchange, key, link)
        }
    }

    private static func install(
        _ exchange: Exchange, _ key: String, by link: String, _ login: Login, at address: String
    ) async throws -> JSON {
        let fields: JSONObject = login == .withTheInstall ? ["identity": "bob"] : [:]
        let device = try await exchange.installBy(link, key, fields, at: address)["device_fingerprint_id"] ?? .null
        if login == .afterIt { try await Self.login(exchange, key, as: "bob", on: device) }
        return device
    }

    private static func login(_ exchange: Exchange, _ key: String, as name: String, on device: JSON) async throws {
        let answer = try await exchange.post(
            "/v1/profile", ["branch_key": .string(key), "identity": .string(name), "device_fingerprint_id": device])
        try #require(answer.object["identity"]?.string == name, "\(answer.body)")
    }

    private static func buy(_ exchange: Exchange, _ key: String, on device: JSON) async throws {
        let answer = try await exchange.post(
            "/v2/event/standard",
            [
                "branch_key": .string(key), "name": "PURCHASE",
                "user_data": ["os": "iOS", "randomized_device_token": device, "developer_identity": "bob"],
            ])
        #expect(answer.status == 200, "\(answer.body)")
    }
}
