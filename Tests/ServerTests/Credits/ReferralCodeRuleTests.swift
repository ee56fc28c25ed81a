import Linden
import LindenKernel
import LindenLedger
import LindenServices
import LindenTesting
import Testing

/// Who may make a referral code, and who may apply it.
@Suite struct ReferralCodeRuleTests {
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
}
