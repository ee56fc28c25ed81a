import Linden
import LindenKernel
import LindenLedger
import LindenServices
import LindenTesting
import SQLStorage
import SQLiteStorage
import Testing

/// Transactions that are reported more than once.
@Suite struct EventTransactionTests {
    @Test func aTransactionIsRecordedOnceWhereTheAppSaysSo() async throws {
        try await Exchange.run { exchange in
            var settings = Installation.settings
            settings["events.unique_transactions"] = true
            let strict = try await exchange.installation.createApp(settings: settings)
            let other = try await exchange.installation.createApp("Meadow")
            for app in [strict, other] {
                for id: JSON in ["order-1", "order-1", "order-2", nil, nil] {
                    try await RevenueEvents.purchase(
                        exchange, app.live.key.branchKey, ["revenue": 1, "currency": "USD", "transaction_id": id])
                }
            }
            #expect(
                try await RevenueEvents.rows(exchange).map(\.transaction) == [
                    "order-1", "order-2", nil, nil, "order-1", "order-1", "order-2", nil, nil,
                ])
            // Transactions are unique per side and event name.
            try await RevenueEvents.purchase(exchange, strict.test.key.branchKey, ["transaction_id": "order-1"])
            _ = try await exchange.post(
                "/v2/event/standard",
                [
                    "branch_key": .string(strict.live.key.branchKey), "name": "ADD_PAYMENT_INFO",
                    "event_data": ["transaction_id": "order-1"],
                ])
            #expect(try await RevenueEvents.rows(exchange).count == 11)
            let scope = strict.live.key.scope
            let repeated = try await exchange.services.events.problems(in: scope).first { $0.problem == .transactionRepeated }
            #expect(repeated?.events == 1)
        }
    }

    /// Any client can report an order with the public key: as another user, as no user, or as the same user.
    @Test func noUserTakesATransactionFromAnotherUserOrFromTheAppItself() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp(
                settings: Installation.settings.merging(["events.unique_transactions": true]))
            let (key, scope) = (app.live.key.branchKey, app.live.key.scope)
            func report(_ user: JSONObject, of amount: Int64 = 1, with secret: String? = nil) async throws {
                let body: JSONObject = [
                    "branch_key": .string(key), "name": "PURCHASE", "user_data": .object(user),
                    "event_data": ["transaction_id": "order-1", "revenue": .integer(amount), "currency": "USD"],
                ]
                let secrets: JSONObject = secret.map { ["branch_secret": .string($0)] } ?? [:]
                #expect(try await exchange.post("/v2/event/standard", .object(body.merging(secrets))).status == 200)
            }
            func count(_ problem: EventProblem) async throws -> Int64 {
                try await exchange.services.events.problems(in: scope).first { $0.problem == problem }?.events ?? 0
            }
            try await report(["developer_identity": "mallory"])
            try await report([:])
            try await report(["developer_identity": "ann"])
            #expect(try await RevenueEvents.rows(exchange).count == 3)
            #expect(try await count(.transactionRepeated) == 0)

            // With the secret it is the app's own report, which replaces the client's once and is final.
            try await report(["developer_identity": "ann"], with: "wrong")
            #expect(try await count(.transactionRepeated) == 1)
            try await report(["developer_identity": "ann"], of: 30, with: app.live.secret)
            #expect(try await RevenueEvents.rows(exchange).count == 4)
            #expect(try await count(.transactionTakenOver) == 1)
            try await report(["developer_identity": "ann"], of: 31, with: app.live.secret)
            try await report(["developer_identity": "ann"])
            #expect(try await RevenueEvents.rows(exchange).count == 4)
            #expect(try await count(.transactionRepeated) == 3)
        }
    }

    /// Any client can name the user, transaction and amount of an order before the app's server reports it.
    @Test func whatTheServerSaysOfAnOrderIsKeptThoughItWasReportedBefore() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp(
                settings: Installation.settings.merging(["events.unique_transactions": true]))
            func report(_ data: JSONObject, os: String?, with secret: String?) async throws {
                var user: JSONObject = ["developer_identity": "ann"]
                user["os"] = os.map(JSON.string)
                var body: JSONObject = [
                    "branch_key": .string(app.live.key.branchKey), "name": "PURCHASE", "user_data": .object(user),
                    "event_data": ["transaction_id": "order-1", "revenue": "12.5", "currency": "USD"],
                    "custom_data": .object(data),
                ]
                body["branch_secret"] = secret.map(JSON.string)
                #expect(try await exchange.post("/v2/event/standard", .object(body)).status == 200)
            }
            try await exchange.addRule(try NewRewardRule("PURCHASE", .actor, 1), for: app)
            try await exchange.addRule(
                try NewRewardRule("PURCHASE", .actor, 5) { $0.filter = ["warehouse": "north"] }, for: app)
            func rewards() async throws -> Int64 { try await exchange.rows("SELECT COUNT(*) FROM credit_transactions") }
            try await report(["coupon": "made-up"], os: "iOS", with: nil)
            #expect(try await rewards() == 1)
            try await report(["warehouse": "north"], os: nil, with: app.live.secret)
            #expect(try await rewards() == 2, "the rule that only the server's report passes")
            try await report(["warehouse": "south"], os: nil, with: app.live.secret)
            try await report(["coupon": "made-up"], os: "iOS", with: nil)
            let bodies = try await exchange.installation.storage.write { transaction in
                try (transaction as! SQLTransaction).connection.query("SELECT body FROM events") {
                    try JSON.parse($0.text(0)).object ?? [:]
                }
            }
            #expect(try await rewards() == 2)
            #expect(bodies.count == 1)
            #expect(bodies.first?["custom_data"] == ["warehouse": "north"])
            #expect(bodies.first?["user_data"]?.object?["os"] == "iOS")
            #expect(try await RevenueEvents.rows(exchange).map(\.revenue) == [12_500_000])
        }
    }

    /// Other writers wait for a transaction, so a large body is read and merged before it.
    @Test func aLargeOrderIsCompletedByTheServerThoughItsBodyChangesMeanwhile() async throws {
        try await Exchange.run { exchange in
            let (installation, services) = (exchange.installation, exchange.services)
            let created = try await installation.createApp(
                settings: Installation.settings.merging(["events.unique_transactions": true]))
            let app = try await services.directory.app(branchKey: created.live.key.branchKey)
            let address = try #require(ClientAddress("203.0.113.7"))
            var commerce = Commerce()
            commerce.transactionID = "order-1"
            let large: JSONObject = ["from": "app", "text": .string(String(repeating: "x", count: 5000))]
            var event = NewEvent(
                endpoint: "v2/event/standard", name: "PURCHASE", tokens: UserTokens(), developerIdentity: "ann", body: large,
                facts: EventFacts(standard: .purchase, commerce: commerce))
            try await services.events.record(event, for: app, from: address)

            let id = Event.ID(rawValue: try await exchange.rows("SELECT id FROM events"))
            let changed = JSON.object(large.merging(["meanwhile": true])).text
            let storage = HookedStorage(installation.storage) { write in
                guard write == 1 else { return }
                try await installation.storage.write { try $0.setBody(changed, of: id) }
            }
            event.body = ["from": "server"]
            event.isAuthenticated = true
            try await EventService(storage: storage.domain, addresses: services.addresses).record(event, for: app, from: address)
            #expect(storage.readCount == 2, "the body as it was, and as it was changed")
            let stored = try #require(try await installation.storage.read { try $0.bodyText(of: id) })
            #expect(try JSON.parse(stored).object == large.merging(["from": "server", "meanwhile": true]))
            #expect(try await exchange.rows("SELECT COUNT(*) FROM events") == 1)
        }
    }

    @Test func aPurchaseThatTheAppAndThenItsServerReportCountsOnce() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp(
                settings: Installation.settings.merging(["events.unique_transactions": true]))
            for secrets in [[:], ["branch_secret": .string(app.live.secret)]] as [JSONObject] {
                let body: JSONObject = [
                    "branch_key": .string(app.live.key.branchKey), "name": "PURCHASE",
                    "user_data": ["developer_identity": "ann"],
                    "event_data": ["transaction_id": "order-1", "revenue": "12.5", "currency": "USD"],
                ]
                #expect(try await exchange.post("/v2/event/standard", .object(body.merging(secrets))).status == 200)
            }
            #expect(try await RevenueEvents.rows(exchange).count == 1)
            let problems = try await exchange.services.events.problems(in: app.live.key.scope)
            #expect(problems.map(\.problem) == [.transactionRepeated])
        }
    }

    @Test func aRetryCountsNothingTwice() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let body: JSON = [
                "branch_key": .string(key), "name": "PURCHASE", "branch_sdk_request_unique_id": "once",
                "content_items": [["$canonical_identifier": "pear/1"]],
            ]
            let first = try await exchange.post("/v2/event/standard", body)
            #expect(try await exchange.post("/v2/event/standard", body).body == first.body)
            let app = try await exchange.services.directory.app(branchKey: key)
            #expect(try await exchange.services.objects.show("pear/1", in: app.scope).statistics.purchases == 1)
            #expect(try await exchange.services.events.problems(in: app.scope).allSatisfy { $0.events == 1 })
        }
    }
}
