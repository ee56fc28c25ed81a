import Linden
import LindenKernel
import LindenLedger
import LindenServices
import LindenTesting
import Testing

/// The number of buckets of a user is limited, since a caller who reads or merges the user's credits reads them all.
@Suite struct BucketLimitTests {
    @Test func aGrantIntoOneBucketTooManyIsAConflict() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            try await Self.give(.named("ann"), Self.names(Bucket.mostOfUser), exchange, app)
            func grant(_ name: String, _ bucket: String) async throws -> Exchange.Answer {
                try await exchange.server(
                    "/v1/credits", app, ["identity": .string(name), "amount": 1, "bucket": .string(bucket)])
            }
            let refused = try await grant("ann", "extra")
            #expect(refused.status == 409)
            #expect(refused.body.contains("The user has 100 buckets of credits, which is the limit"), "\(refused.body)")
            #expect(try await grant("ann", "b007").status == 200)
            #expect(try await grant("bob", "extra").status == 200)
            // No bucket is opened by a redemption from one that the user does not have.
            let redeemed = try await exchange.server("/v1/redeem", app, ["identity": "ann", "amount": 1, "bucket": "extra"])
            #expect(redeemed.status == 402)
            #expect(try await Self.buckets(of: "ann", exchange) == 100)
            #expect(try await exchange.balance(of: "ann") == 101)
            try await exchange.expectBooksAreRight()
        }
    }

    @Test func aRewardThatWouldOpenOneBucketTooManyIsNotEarnedAndTheEventIsRecorded() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let key = app.live.key.branchKey
            for bucket in ["extra", "b007"] {
                try await exchange.addRule(try NewRewardRule("play", .actor, 5) { $0.bucket = Bucket(known: bucket) }, for: app)
            }
            let ann = try await exchange.install(key, ["identity": "ann"]).object
            try await Self.give(.named("ann"), Self.names(Bucket.mostOfUser), exchange, app)
            let event: JSONObject = ["branch_key": .string(key), "event": "play", "identity_id": ann["identity_id"]!]
            #expect(try await exchange.post("/v1/event", .object(event)).status == 200)
            let credits = try await exchange.credits(of: ann)
            #expect(credits["extra"] == nil)
            #expect(credits["b007"] == 6)
            #expect(try await exchange.rows("SELECT COUNT(*) FROM events WHERE name = 'play'") == 1)
            try await exchange.expectBooksAreRight()
        }
    }

    @Test func aCodeSkipsTheUserWhoWouldGetOneBucketTooMany() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            try await Self.give(.named("ann"), Self.names(Bucket.mostOfUser), exchange, app)
            let code = try await exchange.code(of: "ann", for: app)
            let bob = try await exchange.install(app.live.key.branchKey, ["identity": "bob"]).object
            #expect(try await exchange.apply(code, as: bob, app.live.key.branchKey).status == 200)
            #expect(try await exchange.credits(of: bob) == ["default": 10])
            #expect(try await Self.buckets(of: "ann", exchange) == 100)
            try await exchange.expectBooksAreRight()
        }
    }

    @Test func aLoginMovesCreditsIntoTheBucketsThatAreThereAndOpensOthersUpToTheLimit() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp(
                settings: Installation.settings.merging(["credits.merge_on_login": "true"]))
            try await Self.give(.named("ann"), Self.names(Bucket.mostOfUser - 1), exchange, app)
            let anonymous = try await exchange.install(app.live.key.branchKey).object
            let tokens = UserTokens(identity: exchange.services.publicIDs.id(for: anonymous["identity_id"]!.string!))
            try await Self.give(.tokens(tokens), ["a1", "a2", "b007"], exchange, app)
            let ann = try await Self.logIn(anonymous, as: "ann", exchange, app)
            let credits = try await exchange.credits(of: ann)
            #expect(credits["b007"] == 2)
            #expect(credits["a1"] == 1)
            #expect(credits["a2"] == nil)
            #expect(try await Self.buckets(of: "ann", exchange) == 100)
            let left = try await exchange.credits(of: anonymous)
            #expect(left == ["default": 0, "a1": 0, "a2": 1, "b007": 0])
            try await exchange.expectBooksAreRight()
        }
    }

    /// Databases compare bytes, Swift's texts letters.
    @Test func bucketsWhoseNamesAreSpelledInTwoWaysAreTwoAndAreMergedApart() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp(
                settings: Installation.settings.merging(["credits.merge_on_login": "true"]))
            let (one, other) = ("caf\u{e9}", "cafe\u{301}")
            try await Self.give(.named("ann"), [one, other, other], exchange, app)
            let anonymous = try await exchange.install(app.live.key.branchKey).object
            let tokens = UserTokens(identity: exchange.services.publicIDs.id(for: anonymous["identity_id"]!.string!))
            try await Self.give(.tokens(tokens), [one], exchange, app)
            let ann = try await Self.logIn(anonymous, as: "ann", exchange, app)
            let credits = try await exchange.credits(of: ann)
            #expect(credits[one] == 2)
            #expect(credits[other] == 2)
            try await exchange.expectBooksAreRight()
        }
    }

    /// Logs an anonymous user in by a name. Returns the user of the name.
    private static func logIn(
        _ anonymous: JSONObject, as name: String, _ exchange: Exchange, _ app: CreatedApp
    ) async throws -> JSONObject {
        let login = try await exchange.post(
            "/v1/profile",
            [
                "branch_key": .string(app.live.key.branchKey), "identity": .string(name),
                "identity_id": anonymous["identity_id"]!, "device_fingerprint_id": anonymous["device_fingerprint_id"]!,
            ])
        #expect(login.status == 200)
        return login.object
    }

    private static func names(_ count: Int) -> [String] {
        (0..<count).map { number in "b" + String(1000 + number).dropFirst() }
    }

    /// Grants a credit in each bucket.
    private static func give(
        _ holder: AccountReference, _ buckets: [String], _ exchange: Exchange, _ app: CreatedApp
    ) async throws {
        for bucket in buckets {
            try await exchange.services.credits.grant(
                CreditGrant(holder: holder, amount: CreditAmount(1), bucket: Bucket(bucket)), RequestedCause(.operator),
                CreditCall(), in: app.live.key.scope)
        }
    }

    private static func buckets(of name: String, _ exchange: Exchange) async throws -> Int64 {
        try await exchange.rows(
            """
            SELECT COUNT(*) FROM credit_accounts JOIN identities ON identities.id = identity_id
            WHERE developer_identity = '\(name)'
            """)
    }
}
