import HTTPTypes
import Linden
import LindenTesting
import SQLiteStorage
import Testing

/// The referral flow of an app of 2015: a user refers a friend, both earn credits and spend them.
@Suite struct CreditStoryTests {
    @Test func whoBringsAFriendIsRewardedAndSpendsIt() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let key = app.live.key.branchKey
            try await exchange.addRule(try NewRewardRule("install", .both, 10), for: app)
            let (ann, link) = try await exchange.friend(named: "ann", of: key, at: "192.0.2.1")
            #expect(try await exchange.credits(of: ann) == ["default": 0])

            let bob = try await exchange.installBy(link, key, at: "198.51.100.9")
            let named = try await exchange.post(
                "/v1/profile",
                [
                    "branch_key": .string(key), "identity": "bob", "identity_id": bob["identity_id"]!,
                    "device_fingerprint_id": bob["device_fingerprint_id"]!, "session_id": bob["session_id"]!,
                ]
            ).object
            #expect(named["identity_id"] == bob["identity_id"])
            #expect(try await exchange.credits(of: ann) == ["default": 10])
            #expect(try await exchange.credits(of: named) == ["default": 10])

            let redeem: JSONObject = [
                "branch_key": .string(key), "identity_id": ann["identity_id"]!, "bucket": "default", "amount": 4,
                "device_fingerprint_id": ann["device_fingerprint_id"]!, "session_id": ann["session_id"]!, "retryNumber": 0,
            ]
            #expect(try await exchange.post("/v1/redeem", .object(redeem)).status == 200)
            #expect(try await exchange.post("/v1/redeem", .object(redeem.merging(["retryNumber": 1]))).status == 200)
            #expect(try await exchange.credits(of: ann) == ["default": 6])

            let history = try await exchange.history(of: ann, key, ["length": 100, "direction": "desc"])
            #expect(history.map { $0["transaction"]?.object?["amount"] } == [-4, 10])
            #expect(history.map { $0["transaction"]?.object?["type"] } == [2, 0])
            #expect(history[1]["referree"] == "bob")
            #expect(history[1]["referrer"] == .null)
            #expect(history[1]["event"]?.object?["name"] == "install")
            let bobsHistory = try await exchange.history(of: named, key)
            #expect(bobsHistory.count == 1)
            #expect(bobsHistory[0]["referrer"] == "ann")
            #expect(bobsHistory[0]["referree"] == .null)
            try await exchange.expectBooksAreRight()
        }
    }

    /// Compares with the sample of the iOS SDK's reference, "Get Credit History", except for ids and dates.
    @Test func theHistoryIsWhatTheReferenceShows() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let key = app.live.key.branchKey
            try await exchange.addRule(try NewRewardRule("event name", .actorIfReferred, 5), for: app)
            let (_, link) = try await exchange.friend(named: "12345678", of: key, at: "192.0.2.1")
            let bob = try await exchange.installBy(link, key, at: "198.51.100.9")
            _ = try await exchange.post(
                "/v1/event",
                [
                    "branch_key": .string(key), "event": "event name", "metadata": ["plan": "gold"],
                    "identity_id": bob["identity_id"]!, "session_id": bob["session_id"]!,
                    "device_fingerprint_id": bob["device_fingerprint_id"]!,
                ])
            let bobsName: JSONObject = ["identity": "bob", "branch_key": .string(key), "identity_id": bob["identity_id"]!]
            _ = try await exchange.post("/v1/profile", .object(bobsName))
            let redeem = try await exchange.server(
                "/v1/redeem", app,
                ["identity": "bob", "amount": 3, "event": "event name", "metadata": ["plan": "gold"], "referree": "12345678"])
            #expect(redeem.status == 200, "\(redeem.body)")

            let history = try await exchange.history(of: bob, key, ["direction": "asc"])
            try #require(history.count == 2)
            let event: JSON = ["name": "event name", "metadata": ["plan": "gold"]]
            for (entry, amount, type, parties) in [
                (history[0], 5 as JSON, 0 as JSON, ("12345678" as JSON, JSON.null)),
                (history[1], -3, 2, (JSON.null, "12345678")),
            ] {
                let transaction = try #require(entry["transaction"]?.object)
                #expect(entry.keys == ["transaction", "event", "referrer", "referree"])
                #expect(transaction.keys == ["date", "id", "bucket", "type", "amount"])
                #expect(transaction["id"]?.string?.wholeMatch(of: /[0-9]{18}/) != nil)
                #expect(transaction["date"]?.string?.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil)
                #expect(transaction["bucket"] == "default")
                #expect((transaction["amount"], transaction["type"]) == (amount, type))
                #expect(entry["event"] == event)
                #expect((entry["referrer"], entry["referree"]) == parties)
            }
        }
    }

    @Test func aHistoryIsReadPageByPageInBothDirections() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            for amount in 1...7 {
                _ = try await exchange.server(
                    "/v1/credits", app, ["identity": "ann", "amount": JSON(amount), "bucket": amount == 4 ? "gold" : "default"])
            }
            for (directions, all) in [(["desc", "0"], [7, 6, 5, 4, 3, 2, 1]), (["asc", "1"], [1, 2, 3, 4, 5, 6, 7])] {
                for direction in directions {
                    var read: [Int64] = []
                    var after = ""
                    while read.count < all.count {
                        let page = try await exchange.get(
                            "/v1/credithistory?branch_key=\(app.live.key.branchKey)&identity=ann&length=3&direction=\(direction)&begin_after_id=\(after)"
                        ).json.array
                        let lines = try #require(page).compactMap { $0.object?["transaction"]?.object }
                        try #require(!lines.isEmpty)
                        read += lines.compactMap { $0["amount"]?.int64 }
                        after = try #require(lines.last?["id"]?.string)
                    }
                    #expect(read == all.map(Int64.init))
                }
            }
            let gold = try await exchange.get(
                "/v1/credithistory?branch_key=\(app.live.key.branchKey)&identity=ann&bucket=gold")
            #expect(gold.json.array?.count == 1)
        }
    }

    @Test func whatIsReconciledIsClippedAtZero() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            _ = try await exchange.server("/v1/credits", app, ["identity": "ann", "amount": 5])
            let answer = try await exchange.server("/v1/reconcile", app, ["identity": "ann", "amount": 8])
            #expect(answer.object["amount"] == -5)
            #expect(answer.object["type"] == 4)
            #expect(answer.object.keys == ["app_id", "identity_id", "date", "id", "bucket", "type", "amount"])
            #expect(try await exchange.server("/v1/reconcile", app, ["identity": "ann", "amount": 8]).status == 402)
        }
    }

    @Test func anAppTakesNoKeyFromItsServer() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let key = app.live.key.branchKey
            let ann = try await exchange.install(key, ["identity": "ann", "sdk": "ios1.30.0"]).object
            _ = try await exchange.server("/v1/credits", app, ["identity": "ann", "amount": 5])
            let redeem: JSONObject = ["branch_key": .string(key), "amount": 1]
            for caller in [
                ["identity_id": ann["identity_id"]!], ["identity": "ann", "branch_secret": .string(app.live.secret)],
            ] as [JSONObject] {
                for _ in 1...2 {
                    let answer = try await exchange.post(
                        "/v1/redeem", .object(redeem.merging(caller)), headers: [.init("Idempotency-Key")!: "order-1"])
                    #expect(answer.status == 200)
                }
            }
            #expect(try await exchange.credits(of: ann) == ["default": 3])
        }
    }

    @Test func anIdempotencyKeyIsGoodForOneCall() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let secret: JSONObject = ["branch_key": .string(app.live.key.branchKey), "branch_secret": .string(app.live.secret)]
            let grant = secret.merging(["identity": "ann", "amount": 5])
            for _ in 1...3 {
                let answer = try await exchange.post("/v1/credits", .object(grant), headers: [.init("Idempotency-Key")!: "order-1"])
                #expect(answer.status == 200)
            }
            let other = try await exchange.post(
                "/v1/credits", .object(grant.merging(["amount": 6])), headers: [.init("Idempotency-Key")!: "order-1"])
            #expect(other.status == 409)
            #expect(
                try await exchange.get("/v1/credits?branch_key=\(app.live.key.branchKey)&identity=ann").object == ["default": 5])
        }
    }

    @Test func aKeyIsOfOneUserAndOneRequest() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let key = app.live.key.branchKey
            var users: [JSONObject] = []
            for name in ["ann", "bob"] {
                users.append(try await exchange.install(key, from: name == "ann" ? "192.0.2.1" : "192.0.2.2").object)
                _ = try await exchange.post(
                    "/v1/profile",
                    ["branch_key": .string(key), "identity": .string(name), "identity_id": users.last!["identity_id"]!])
                _ = try await exchange.server("/v1/credits", app, ["identity": .string(name), "amount": 10])
            }
            let sdk: JSONObject = ["branch_sdk_request_unique_id": "constant"]
            let calls: [(JSONObject, HTTPFields)] = [(sdk, HTTPFields()), ([:], [.init("Idempotency-Key")!: "order-1"])]
            for (fields, header) in calls {
                func redeem(_ user: JSONObject, _ amount: JSON, _ bucket: JSON = "default") async throws -> Exchange.Answer {
                    let call: JSONObject = [
                        "branch_key": .string(key), "identity_id": user["identity_id"]!, "amount": amount, "bucket": bucket,
                    ]
                    return try await exchange.post("/v1/redeem", .object(call.merging(fields)), headers: header)
                }
                for user in users {
                    for _ in 1...2 { #expect(try await redeem(user, 3).status == 200) }
                    let other = try await redeem(user, 4)
                    #expect(other.status == 409)
                    #expect(other.errorMessage?.contains("another call") == true, "\(other.body)")
                }
            }
            for user in users { #expect(try await exchange.credits(of: user) == ["default": 4]) }
        }
    }

    @Test func whatElseACallSaysBelongsToItsKey() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let (credits, scope) = (exchange.services.credits, app.live.key.scope)
            let end = exchange.installation.clock.now + .seconds(3600)
            func grant(_ key: String, until end: Timestamp? = nil, _ change: (inout CreditReason) -> Void = { _ in }) async throws
                -> CreditTransaction.ID
            {
                var reason = CreditReason(.server)
                change(&reason)
                return try await credits.grant(
                    CreditGrant(holder: .named("ann"), amount: try CreditAmount(5), expiresAt: end), reason,
                    try CreditCall(idempotencyKey: key), in: scope
                ).record.transaction.id
            }
            let first = try await grant("a", until: end) { $0.metadata = ["x": 1, "y": 2] }
            #expect(try await grant("a", until: end) { $0.metadata = ["y": 2, "x": 1] } == first)
            for (otherEnd, event, metadata) in [
                (nil, nil, ["x": 1, "y": 2]), (end, "bonus", ["x": 1, "y": 2]), (end, nil, ["x": 2]),
            ] as [(Timestamp?, String?, JSONObject)] {
                let failure = await #expect(throws: Failure.self) {
                    _ = try await grant("a", until: otherEnd) {
                        $0.event = event
                        $0.metadata = metadata
                    }
                }
                #expect(failure?.code == .conflict)
            }
            let reversal = try CreditCall(idempotencyKey: "b")
            _ = try await credits.reverse(first, reversal, in: scope)
            let failure = await #expect(throws: Failure.self) {
                _ = try await credits.reverse(first, isFraud: true, reversal, in: scope)
            }
            #expect(failure?.message.contains("another call") == true)
        }
    }

    @Test func aRulesKeyIsKeptForGoodAndAnswersWithTheRuleThatIsThere() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let (rewards, scope) = (exchange.services.rewards, app.live.key.scope)
            let call = try CreditCall(idempotencyKey: "first rule")
            let rule = try await rewards.add(try NewRewardRule("play", .actor, 5), to: scope, call)
            try await rewards.set(rule.id, of: scope, isPaused: true)
            exchange.installation.clock.advance(by: .seconds(30 * 86400))
            try await exchange.services.maintenance.runOnce()
            let again = try await rewards.add(try NewRewardRule("play", .actor, 5), to: scope, call)
            #expect(again.id == rule.id && again.isPaused)
            let failure = await #expect(throws: Failure.self) {
                _ = try await rewards.add(try NewRewardRule("play", .actor, 6), to: scope, call)
            }
            #expect(failure?.code == .conflict)
            #expect(try await rewards.list(scope).count == 1)
        }
    }

    @Test func aGrantThatHasEndedTakesNothingElseBackWithIt() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let (credits, scope, clock) = (exchange.services.credits, app.live.key.scope, exchange.installation.clock)
            func grant(_ amount: Int64, until end: Timestamp?) async throws -> CreditTransaction.ID {
                try await credits.grant(
                    CreditGrant(holder: .named("ann"), amount: try CreditAmount(amount), expiresAt: end), CreditReason(.operator),
                    try CreditCall(), in: scope
                ).record.transaction.id
            }
            func balance() async throws -> Int64 { try await credits.balance(of: .named("ann"), in: .standard, scope) }
            let later = try await grant(10, until: clock.now + .seconds(7200))
            let sooner = try await grant(10, until: clock.now + .seconds(3600))
            _ = try await grant(10, until: nil)
            // Consumes the reversed grant's own lot, not lots that expire earlier.
            _ = try await credits.reverse(later, try CreditCall(), in: scope)
            clock.advance(by: .seconds(3600))
            let failure = await #expect(throws: Failure.self) {
                _ = try await credits.reverse(sooner, try CreditCall(), in: scope)
            }
            #expect(failure?.code == .conflict && failure?.message.contains("have expired") == true)
            try await credits.expire()
            #expect(try await balance() == 10)
            await #expect(throws: Failure.self) { _ = try await credits.reverse(sooner, try CreditCall(), in: scope) }
            #expect(try await balance() == 10)
            try await exchange.expectBooksAreRight()
        }
    }

    @Test func whatIsGivenBackEndsWhenItWouldHave() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let (credits, scope, clock) = (exchange.services.credits, app.live.key.scope, exchange.installation.clock)
            _ = try await credits.grant(
                CreditGrant(holder: .named("ann"), amount: try CreditAmount(10), expiresAt: clock.now + .seconds(3600)),
                CreditReason(.operator), try CreditCall(), in: scope)
            let redemption = try await credits.redeem(
                CreditWithdrawal(holder: .named("ann"), amount: try CreditAmount(4)), CreditReason(.operator), try CreditCall(),
                in: scope)
            _ = try await credits.reverse(redemption.record.transaction.id, try CreditCall(), in: scope)
            clock.advance(by: .seconds(3600))
            try await credits.expire()
            #expect(try await credits.balance(of: .named("ann"), in: .standard, scope) == 0)
            try await exchange.expectBooksAreRight()
        }
    }

    @Test func creditsThatCannotBeTakenBackAreNamedAndKeepNoOthers() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let (credits, scope, clock) = (exchange.services.credits, app.live.key.scope, exchange.installation.clock)
            for (index, name) in ["ann", "bob"].enumerated() {
                _ = try await credits.grant(
                    CreditGrant(
                        holder: .named(name), amount: try CreditAmount(10), expiresAt: clock.now + .seconds(3600 + index)),
                    CreditReason(.operator), try CreditCall(), in: scope)
            }
            try await exchange.installation.storage.write { transaction in
                let ann = try transaction.identity("ann", in: scope)!
                let account = try transaction.openCreditAccount(of: .user(ann.id), .standard, in: scope)
                _ = try transaction.changeCreditBalance(of: account.id, by: -5)
            }
            clock.advance(by: .seconds(7200))
            let failure = await #expect(throws: Failure.self) { try await credits.expire() }
            #expect(failure?.message.contains("cannot be taken back") == true)
            #expect(try await credits.balance(of: .named("ann"), in: .standard, scope) == 5)
            #expect(try await credits.balance(of: .named("bob"), in: .standard, scope) == 0)
        }
    }
}
