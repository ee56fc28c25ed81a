import Linden
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

    @Test func aCodeIsAppliedOnceByOthersInTime() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let key = app.live.key.branchKey
            let made = try await exchange.server(
                "/v1/referralcode", app,
                [
                    "identity": "ann", "amount": 10, "prefix": "ANN", "calculation_type": 1, "location": 3,
                    "expiration": "2027-01-16",
                ])
            let code = try #require(made.object["referral_code"]?.string)
            #expect(code.wholeMatch(of: /ANN[0-9A-Z]{2,4}/) != nil)
            #expect(made.object["metadata"] == ["bucket": "default", "amount": 10])
            let bob = try await exchange.install(key, from: "198.51.100.9").object
            let tokens: JSON = .object(["branch_key": .string(key), "identity_id": bob["identity_id"]!])

            #expect(
                try await exchange.server("/v1/applycode/\(code)", app, ["identity": "ann"]).errorMessage?.contains("own") == true)
            #expect(try await exchange.post("/v1/referralcode/\(code)", tokens).object["referral_code"] == .string(code))
            #expect(try await exchange.post("/v1/applycode/\(code)", tokens).status == 200)
            #expect(try await exchange.credits(of: bob) == ["default": 10])
            #expect(try await exchange.get("/v1/credits?branch_key=\(key)&identity=ann").object == ["default": 10])
            let before = try await exchange.books()
            let again = try await exchange.post("/v1/applycode/\(code)", tokens)
            #expect(again.status == 404)
            #expect(again.errorMessage?.contains("applied before") == true)
            #expect(try await exchange.post("/v1/applycode/XYZ", tokens).status == 404)
            exchange.installation.clock.advance(by: .seconds(86400))
            let late = try await exchange.server("/v1/applycode/\(code)", app, ["identity": "carol"])
            #expect(late.errorMessage?.contains("expired") == true)
            #expect(try await exchange.books() == before)
        }
    }

    @Test func whoAppliesACodeIsNoFurtherUserOfItsMakersPhone() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp(
                settings: Installation.settings.merging(["fraud.emulators": "true"]))
            let key = app.live.key.branchKey
            let ann = try await exchange.install(key, ["identity": "ann", "sdk": "ios1.30.0"]).object
            let code = try await exchange.code(of: "ann", for: app)
            let stranger = try await exchange.post(
                "/v1/logout",
                [
                    "branch_key": .string(key), "identity_id": ann["identity_id"]!,
                    "device_fingerprint_id": ann["device_fingerprint_id"]!,
                ]
            ).object
            // The same if the call omits the device.
            let own = try await exchange.apply(code, as: stranger, key)
            #expect(own.errorMessage?.contains("another user of this device") == true, "\(own.body)")
            let emulator = try await exchange.install(key, ["model": "x86_64"], from: "198.51.100.8").object
            let refused = try await exchange.apply(code, as: emulator, key)
            #expect(refused.errorMessage?.contains("cannot be applied on this device") == true, "\(refused.body)")
            #expect(try await exchange.rows("SELECT COUNT(*) FROM credit_transactions") == 0)
        }
    }

    @Test func itsOwnerMayCheckACodeButNotApplyIt() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let key = app.live.key.branchKey
            let ann = try await exchange.install(key, ["identity": "ann", "sdk": "ios1.30.0"]).object
            let code = try await exchange.code(of: "ann", for: app)
            let tokens = JSONObject(ann.filter { key, _ in ["identity_id", "device_fingerprint_id"].contains(key) })
                .merging(["branch_key": .string(key)])
            let checked = try await exchange.post("/v1/referralcode/\(code)", .object(tokens))
            #expect(checked.status == 200, "\(checked.body)")
            #expect(checked.object["referral_code"] == .string(code))
            #expect(try await exchange.server("/v1/referralcode/\(code)", app, ["identity": "ann"]).status == 200)
            let applied = try await exchange.post("/v1/applycode/\(code)", .object(tokens))
            #expect(applied.status == 400 && applied.errorMessage?.contains("own") == true)
            #expect(try await exchange.rows("SELECT COUNT(*) FROM credit_transactions") == 0)
        }
    }

    @Test func aCodeIsAppliedOnceOnADeviceThatIsLeftOut() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let key = app.live.key.branchKey
            let code = try await exchange.code(of: "ann", for: app)
            let bob = try await exchange.install(key, from: "198.51.100.9").object
            #expect(try await exchange.apply(code, as: bob, key).status == 200)
            let again = try await exchange.post(
                "/v1/logout",
                [
                    "branch_key": .string(key), "identity_id": bob["identity_id"]!,
                    "device_fingerprint_id": bob["device_fingerprint_id"]!,
                ]
            ).object
            #expect(try await exchange.apply(code, as: again, key).status == 404)
        }
    }

    @Test func anAppMayLeaveCodesToItsServer() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp(
                settings: Installation.settings.merging(["credits.client_apply": "false"]))
            let key = app.live.key.branchKey
            let code = try await exchange.code(of: "ann", for: app)
            let bob = try await exchange.install(key, from: "198.51.100.9").object
            let refused = try await exchange.apply(code, as: bob, key)
            #expect(refused.status == 400 && refused.errorMessage?.contains("credits.client_apply") == true)
            #expect(try await exchange.server("/v1/applycode/\(code)", app, ["identity": "bob"]).status == 200)
        }
    }

    @Test func whoseAccountIsFullGoesWithout() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let key = app.live.key.branchKey
            let code = try await exchange.code(of: "ann", for: app)
            _ = try await exchange.server("/v1/credits", app, ["identity": "ann", "amount": .integer(CreditAmount.largest)])
            let bob = try await exchange.install(key, from: "198.51.100.9").object
            #expect(try await exchange.apply(code, as: bob, key).status == 200)
            #expect(try await exchange.credits(of: bob) == ["default": 10])
            _ = try await exchange.server("/v1/credits", app, ["identity": "carol", "amount": .integer(CreditAmount.largest)])
            let full = try await exchange.server("/v1/applycode/\(code)", app, ["identity": "carol"])
            #expect(full.status == 409)
            #expect(full.errorMessage?.contains("2147483647") == false)
        }
    }

    @Test func onlyAnAppThatAllowsItMakesCodes() async throws {
        try await Exchange.run { exchange in
            for (allowed, status) in [("false", 400), ("true", 200)] {
                let app = try await exchange.installation.createApp(
                    settings: Installation.settings.merging(["credits.client_codes": .string(allowed)]))
                let key = app.live.key.branchKey
                let ann = try await exchange.install(key).object
                let answer = try await exchange.post(
                    "/v1/referralcode", ["branch_key": .string(key), "identity_id": ann["identity_id"]!, "amount": 10])
                #expect(answer.status == status)
            }
        }
    }
}

extension Exchange {
    /// Creates a code that gives both users ten credits and can be applied once.
    fileprivate func code(of name: String, for app: CreatedApp) async throws -> String {
        let made = try await server(
            "/v1/referralcode", app, ["identity": .string(name), "amount": 10, "calculation_type": 1, "location": 3])
        return try #require(made.object["referral_code"]?.string)
    }

    /// Applies a code with the user's token only.
    fileprivate func apply(_ code: String, as user: JSONObject, _ key: String) async throws -> Answer {
        try await post("/v1/applycode/\(code)", ["branch_key": .string(key), "identity_id": user["identity_id"]!])
    }

    /// The row counts of the ledger's tables.
    fileprivate func books() async throws -> [Int64] {
        var counts: [Int64] = []
        for table in [
            "credit_transactions", "credit_entries", "credit_accounts", "credit_claims", "reward_rules", "identities",
        ] {
            counts.append(try await rows("SELECT COUNT(*) FROM \(table)"))
        }
        return counts
    }
}
