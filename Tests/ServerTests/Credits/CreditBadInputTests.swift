import Linden
import LindenKernel
import LindenServices
import LindenTesting
import Testing

/// Each error has its own message, and nothing is written.
@Suite struct CreditBadInputTests {
    @Test func wrongAmountsBucketsAndUsersAreNamed() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            _ = try await exchange.server("/v1/credits", app, ["identity": "ann", "amount": 5])
            let before = try await exchange.books()
            var cases: [(path: String, fields: JSONObject, status: Int, word: String)] = []
            for path in ["/v1/credits", "/v1/redeem", "/v1/reconcile"] {
                for amount in [-1, 0, .decimal("1.5"), .decimal("1e30"), 2_147_483_648, "many", .null] as [JSON] {
                    cases.append((path, ["identity": "ann", "amount": amount], 400, "amount"))
                }
                let long = JSON.string(String(repeating: "x", count: 64))
                cases.append((path, ["identity": "ann", "amount": 1, "bucket": long], 400, "bucket"))
                cases.append((path, ["identity": "ann", "amount": 1, "bucket": ["a": 1]], 400, "bucket must be a string"))
                cases.append((path, ["identity": "ann", "amount": 1, "bucket": "go\0ld"], 400, "bucket must have"))
                cases.append((path, ["amount": 1], 400, "identity is missing"))
                cases.append((path, ["identity": "ann", "amount": 1, "branch_secret": "wrong"], 400, "branch_secret"))
            }
            for path in ["/v1/redeem", "/v1/reconcile"] {
                cases.append((path, ["identity": "stranger", "amount": 1], 400, "no such identity"))
                cases.append((path, ["identity": "ann", "amount": 1, "bucket": "gold"], 400, "no bucket gold"))
            }
            cases.append(("/v1/redeem", ["identity": "ann", "amount": 6], 402, "only 5"))
            cases.append(("/v1/credits", ["identity": "ann", "amount": 2_147_483_647], 400, "balance may be at most"))
            cases.append(("/v1/credits", ["identity": "ann", "amount": 1, "referrer": "stranger"], 400, "no identity stranger"))
            let rule: JSONObject = [
                "type": "credit", "event": "e", "calculation_type": 0, "location": 0, "metadata": ["amount": 1],
            ]
            for (change, word) in [
                (["type": "web_hook"], "webhooks are not supported"), (["type": "x"], "type"), (["event": nil], "event"),
                (["event": .string(String(repeating: "x", count: 64))], "63"), (["metadata": ["amount": 0]], "metadata.amount"),
                (["metadata": nil], "metadata"), (["location": 2], "location"), (["calculation_type": 2], "calculation_type"),
                (["filter": ["a": ["b": 1]]], "filter"), (["filter": "x"], "filter"),
                (["filter": ["a": .string(String(repeating: "x", count: 2048))]], "2048"),
                (["filter": .object(JSONObject((0..<21).map { (key: "k\($0)", value: JSON.integer(1)) }))], "20"),
            ] as [(JSONObject, String)] {
                cases.append(("/v1/eventresponse", rule.merging(change), 400, word))
            }
            for (path, fields, status, word) in cases {
                let answer = try await exchange.server(path, app, fields)
                #expect(answer.status == status, "\(path) \(JSON.object(fields).text): \(answer.body)")
                #expect(answer.errorMessage?.contains(word) == true, "\(path) \(JSON.object(fields).text): \(answer.body)")
            }
            #expect(try await exchange.books() == before)
        }
    }

    /// All rules of an event are read for each such event.
    @Test func anEventHasALimitedNumberOfRules() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let rule: JSONObject = [
                "type": "credit", "calculation_type": 0, "location": 0, "metadata": ["amount": 1],
            ]
            for _ in 0..<20 {
                #expect(try await exchange.server("/v1/eventresponse", app, rule.merging(["event": "bought"])).status == 200)
            }
            let refused = try await exchange.server("/v1/eventresponse", app, rule.merging(["event": "bought"]))
            #expect(refused.status == 400)
            #expect(refused.errorMessage?.hasPrefix("There may be 20 reward rules for an event") == true)
            #expect(try await exchange.server("/v1/eventresponse", app, rule.merging(["event": "sold"])).status == 200)
        }
    }

    @Test func readingAnUnknownIdentityIsAnError() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let key = app.live.key.branchKey
            let other = try await exchange.installation.createApp("Other").live.key.branchKey
            let ann = try await exchange.install(key).object["identity_id"]!.string!
            for target in [
                "/v1/credits?branch_key=\(key)&identity=stranger", "/v1/credits?branch_key=\(key)", "/v1/credits?identity=ann",
                "/v1/credits/123", "/v1/credits/x", "/v1/credits/\(ann)?branch_key=\(other)",
                "/v1/credithistory?branch_key=\(key)&identity=stranger", "/v1/credithistory?branch_key=\(key)",
                "/v1/credithistory?branch_key=\(key)&identity_id=\(ann)&length=101",
                "/v1/credithistory?branch_key=\(key)&identity_id=\(ann)&direction=up",
                "/v1/credithistory?branch_key=\(key)&identity_id=\(ann)&begin_after_id=x",
                "/v1/credithistory?branch_key=\(key)&identity_id=\(ann)&bucket=gold",
            ] {
                let answer = try await exchange.get(target)
                #expect(answer.status == 400, "\(target): \(answer.body)")
                #expect(answer.errorMessage?.isEmpty == false)
            }
        }
    }

    @Test func whatAnAppClosesNeedsTheSecret() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp(
                settings: Installation.settings.merging(["credits.read_by_key": "false", "credits.client_redeem": "false"]))
            let key = app.live.key.branchKey
            let ann = try await exchange.install(key, ["identity": "ann", "sdk": "ios1.30.0"]).object
            _ = try await exchange.server("/v1/credits", app, ["identity": "ann", "amount": 5])

            let byName = "/v1/credits?branch_key=\(key)&identity=ann"
            #expect(try await exchange.get(byName).errorMessage?.contains("credits.read_by_key") == true)
            #expect(try await exchange.get(byName + "&branch_secret=\(app.live.secret)").object == ["default": 5])
            #expect(try await exchange.credits(of: ann) == ["default": 5])
            let redeem: JSONObject = ["branch_key": .string(key), "identity_id": ann["identity_id"]!, "amount": 1]
            #expect(
                try await exchange.post("/v1/redeem", .object(redeem)).errorMessage?.contains("credits.client_redeem") == true)
            #expect(try await exchange.server("/v1/redeem", app, ["identity": "ann", "amount": 1]).status == 200)
        }
    }

    @Test func aNameAloneRedeemsNothing() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            _ = try await exchange.server("/v1/credits", app, ["identity": "ann", "amount": 5])
            let answer = try await exchange.post(
                "/v1/redeem", ["branch_key": .string(app.live.key.branchKey), "identity": "ann", "amount": 1])
            #expect(answer.status == 400)
            #expect(answer.errorMessage == "branch_secret is missing.")
        }
    }
}
