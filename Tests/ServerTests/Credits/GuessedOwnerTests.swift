import Linden
import LindenKernel
import LindenLedger
import LindenServices
import LindenTesting
import Testing

/// What a stranger who tries names learns about the owner of a link or a code, with `security=strict`.
@Suite struct GuessedOwnerTests {
    @Test func theTokenOfALoginByNameDoesNotTellWhoseAliasItIs() async throws {
        try await Self.run { exchange, app, ann in
            let key = app.live.key.branchKey
            _ = try await exchange.createLink(key, ["identity_id": ann["identity_id"]!, "alias": "invite"])
            _ = try await exchange.install(key, ["identity": "bob"], from: "198.51.100.9")
            var named: [Bool] = []
            for name in ["ann", "bob"] {
                let login = try await exchange.post("/v1/profile", ["branch_key": .string(key), "identity": .string(name)])
                let answer = try await exchange.post(
                    "/v1/url",
                    [
                        "branch_key": .string(key), "alias": "invite", "identity_id": login.object["identity_id"]!,
                        "data": ["variety": "Cox"],
                    ])
                #expect(answer.status == 409, "\(answer.body)")
                named.append(answer.object["error"]?.object?["differences"]?.object?["identity"] != nil)
            }
            #expect(named == [true, true])
        }
    }

    @Test func theOwnersFirstDeviceGetsItsLinkAgain() async throws {
        try await Self.run { exchange, app, ann in
            let fields: JSONObject = [
                "branch_key": .string(app.live.key.branchKey), "alias": "invite", "identity_id": ann["identity_id"]!,
                "device_fingerprint_id": ann["device_fingerprint_id"]!,
            ]
            let urls = try await [
                exchange.post("/v1/url", .object(fields)).object["url"], exchange.post("/v1/url", .object(fields)).object["url"],
            ]
            #expect(urls == ["https://go.example.com/invite", "https://go.example.com/invite"])
        }
    }

    @Test func aCodeDoesNotTellWhoMadeIt() async throws {
        try await Self.run { exchange, app, _ in
            let key = app.live.key.branchKey
            let code = try await exchange.code(of: "ann", for: app)
            for name in ["ann", "carol"] {
                let phone = try await exchange.install(key, ["identity": .string(name)], from: "198.51.100.9").object
                let tokens: JSONObject = [
                    "branch_key": .string(key), "identity_id": phone["identity_id"]!,
                    "device_fingerprint_id": phone["device_fingerprint_id"]!,
                ]
                let anonymous = try await exchange.post("/v1/logout", .object(tokens)).object
                let check = try await exchange.post(
                    "/v1/referralcode/\(code)", .object(tokens.merging(["identity_id": anonymous["identity_id"]!])))
                #expect(check.status == 200, "\(name): \(check.body)")
            }
        }
    }

    @Test func aLoginDoesNotTellWhoSharedTheLinkOfAnInstall() async throws {
        for name in ["carol", "bob"] {
            try await Self.run { exchange, app, _ in
                let key = app.live.key.branchKey
                var owners: [String: JSON] = [:]
                // Known from the website only.
                for user in ["carol", "bob"] {
                    let page = try await exchange.post(
                        "/v1/open", ["branch_key": .string(key), "sdk": "web2.85.0", "identity": .string(user)])
                    owners[user] = page.object["identity_id"]
                }
                try await exchange.addRule(try NewRewardRule("SIGNUP", .both, 5), for: app)
                let link = try await exchange.createLink(key, ["identity_id": owners["carol"]!])
                let phone = try await exchange.installBy(link, key, [:], at: "198.51.100.9")
                let tokens: JSONObject = [
                    "branch_key": .string(key), "device_fingerprint_id": phone["device_fingerprint_id"]!,
                ]
                _ = try await exchange.post("/v1/profile", .object(tokens.merging(["identity": .string(name)])))
                _ = try await exchange.post(
                    "/v1/event", .object(tokens.merging(["event": "SIGNUP", "identity_id": phone["identity_id"]!])))
                let balance = try await exchange.credits(of: phone)
                #expect(balance.isEmpty || balance == ["default": 0], "\(name): \(balance)")
            }
        }
    }

    /// An app with `security=strict`, and a user on its first device.
    private static func run(_ body: @escaping @Sendable (Exchange, CreatedApp, JSONObject) async throws -> Void) async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp(
                settings: Installation.settings.merging(["security": "strict"]))
            let ann = try await exchange.install(app.live.key.branchKey, ["identity": "ann"], from: "192.0.2.1").object
            try await body(exchange, app, ann)
        }
    }
}
