import HTTPTypes
import Linden
import LindenKernel
import LindenLedger
import LindenServices
import LindenTesting
import SQLiteStorage
import Testing

/// Idempotency keys of calls about credits.
@Suite struct CreditIdempotencyTests {
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
            // What is stored of the calls does not say whose they were.
            let scope = app.live.key.scope
            let keys = try await exchange.installation.storage.read { try $0.requests(of: scope, after: "", limit: 100).map(\.key) }
            #expect(keys.filter { $0.hasPrefix("v1/redeem ") }.count == 4)
            for user in users {
                let identity: Identity.ID = try #require(exchange.services.publicIDs.id(for: user["identity_id"]?.string ?? ""))
                #expect(!keys.contains { $0.contains("\(identity)") || $0.contains("constant") })
            }
        }
    }

    @Test func whatElseACallSaysBelongsToItsKey() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let (credits, scope) = (exchange.services.credits, app.live.key.scope)
            let end = exchange.installation.clock.now + .seconds(3600)
            func grant(_ key: String, until end: Timestamp? = nil, _ change: (inout RequestedCause) -> Void = { _ in }) async throws
                -> CreditTransaction.ID
            {
                var reason = RequestedCause(.server)
                change(&reason)
                return try await credits.grant(
                    CreditGrant(holder: .named("ann"), amount: try CreditAmount(5), expiresAt: end), reason,
                    try CreditCall(idempotencyKey: key), in: scope
                )
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
            #expect(try await rewards.list(scope, limit: 9).rules.count == 1)
        }
    }
}
