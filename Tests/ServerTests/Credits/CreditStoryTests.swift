import HTTPTypes
import Linden
import LindenKernel
import LindenLedger
import LindenServices
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
}
