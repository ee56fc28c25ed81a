import Linden
import LindenTesting
import SQLStorage
import SQLiteStorage
import Testing

/// The revenue of events, in the app's currency.
@Suite struct EventRevenueTests {
    private struct Row: Sendable, Equatable {
        var revenue: Int64?
        var text: String?
        var currency: String?
        var transaction: String?
    }

    private static func rows(_ exchange: Exchange) async throws -> [Row] {
        try await exchange.installation.storage.write { transaction in
            try (transaction as! SQLTransaction).connection.query(
                "SELECT revenue, revenue_text, currency, transaction_id FROM events ORDER BY id"
            ) { row in
                Row(
                    revenue: row.optionalInteger(0), text: row.optionalText(1), currency: row.optionalText(2),
                    transaction: row.optionalText(3))
            }
        }
    }

    private static func load(_ exchange: Exchange, _ rates: [(code: String, daysAgo: Int64, rate: String)]) async throws {
        let today = exchange.installation.clock.now.day
        try await exchange.services.rates.load(
            rates.map {
                ExchangeRate(currency: Currency($0.code)!, base: .standard, day: today - $0.daysAgo, rate: $0.rate)
            }, base: .standard)
    }

    private static func purchase(_ exchange: Exchange, _ key: String, _ data: JSONObject) async throws {
        let answer = try await exchange.post(
            "/v2/event/standard",
            [
                "branch_key": .string(key), "name": "PURCHASE", "user_data": ["developer_identity": "ann"],
                "event_data": .object(data),
            ])
        #expect(answer.status == 200)
        #expect(answer.body == #"{"branch_view_enabled":false}"#)
    }

    private static func problems(_ exchange: Exchange, _ key: String) async throws -> [EventProblem] {
        let app = try await exchange.services.directory.app(branchKey: key)
        return try await exchange.services.events.problems(in: app.scope).map(\.problem)
    }

    private static let conversions: [(setting: String?, code: String?, revenue: String, expected: Int64?)] = [
        (nil, "USD", "12.70", 12_700_000), (nil, "EUR", "10", 12_500_000), (nil, "jpy", "150", 1_000_000),
        ("EUR", "JPY", "150", 800_000), ("EUR", "USD", "10", 8_000_000), ("EUR", nil, "10", 10_000_000),
        (nil, nil, "10", 10_000_000), (nil, "GBP", "10", nil), ("GBP", "EUR", "10", nil), (nil, "XTS", "10", nil),
        (nil, "EUR", "a lot", nil), (nil, "EUR", "1e13", nil), ("JPY", "EUR", "900000000000", nil),
        ("IDR", "IDR", "15000000000", 15_000_000_000_000_000), ("IDR", "USD", "62500000", 1_000_000_000_000_000_000),
        ("IDR", "IDR", "1e12", 1_000_000_000_000_000_000), ("IDR", "USD", "62500000.01", nil),
    ]

    @Test(arguments: conversions)
    func revenueIsConvertedToTheAppsCurrencyWhenItComes(
        setting: String?, code: String?, revenue: String, expected: Int64?
    ) async throws {
        try await Exchange.run { exchange in
            var settings = Installation.settings
            settings["currency"] = setting.map(JSON.string)
            let key = try await exchange.installation.createApp(settings: settings).live.key.branchKey
            try await Self.load(exchange, [("EUR", 0, "0.8"), ("JPY", 0, "150"), ("IDR", 0, "16000")])
            var data: JSONObject = ["revenue": .string(revenue), "transaction_id": "order-1"]
            data["currency"] = code.map(JSON.string)
            try await Self.purchase(exchange, key, data)
            let known = code.flatMap { Currency($0) }?.code
            #expect(
                try await Self.rows(exchange) == [
                    Row(revenue: expected, text: revenue, currency: known, transaction: "order-1")
                ])
            let problems = try await Self.problems(exchange, key)
            #expect(problems.isEmpty == (expected != nil && code != nil), "\(problems)")
        }
    }

    @Test func theRateIsThatOfTheDayOrOfTheLastOneBefore() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            try await Self.load(exchange, [("EUR", 9, "0.5"), ("EUR", 2, "0.8"), ("EUR", -1, "1"), ("CHF", -1, "2")])
            try await Self.purchase(exchange, key, ["revenue": 10, "currency": "EUR"])
            try await Self.purchase(exchange, key, ["revenue": 10, "currency": "CHF"])
            #expect(try await Self.problems(exchange, key) == [.rateMissing])
            exchange.installation.clock.advance(by: .seconds(86400))
            try await Self.purchase(exchange, key, ["revenue": 10, "currency": "EUR"])
            exchange.installation.clock.advance(by: .seconds(10 * 86400))
            try await Self.purchase(exchange, key, ["revenue": 10, "currency": "CHF"])
            #expect(try await Self.rows(exchange).map(\.revenue) == [12_500_000, nil, 10_000_000, 5_000_000])
        }
    }

    @Test func laterRatesChangeNothingThatWasConverted() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            try await Self.load(exchange, [("EUR", 0, "0.8")])
            try await Self.purchase(exchange, key, ["revenue": 10, "currency": "EUR"])
            try await Self.load(exchange, [("EUR", 0, "0.5")])
            try await Self.purchase(exchange, key, ["revenue": 10, "currency": "EUR"])
            #expect(try await Self.rows(exchange).map(\.revenue) == [12_500_000, 20_000_000])
        }
    }

    @Test func ratesAgainstAnotherBaseAreRefusedWhole() async throws {
        try await Exchange.run { exchange in
            try await Self.load(exchange, [("EUR", 0, "0.8")])
            let euro = Currency("EUR")!
            let others = [ExchangeRate(currency: .standard, base: euro, day: 1, rate: "1.25")]
            let rates = exchange.services.rates
            await #expect(throws: Failure.self) { try await rates.load(others, base: euro) }
            #expect(try await rates.list().map(\.base) == [.standard])
            try await rates.load(others, base: euro, replacingAll: true)
            #expect(try await rates.list() == others)
        }
    }

    @Test func aTransactionIsRecordedOnceWhereTheAppSaysSo() async throws {
        try await Exchange.run { exchange in
            var settings = Installation.settings
            settings["events.unique_transactions"] = true
            let strict = try await exchange.installation.createApp(settings: settings)
            let other = try await exchange.installation.createApp("Meadow")
            for app in [strict, other] {
                for id: JSON in ["order-1", "order-1", "order-2", nil, nil] {
                    try await Self.purchase(
                        exchange, app.live.key.branchKey, ["revenue": 1, "currency": "USD", "transaction_id": id])
                }
            }
            #expect(
                try await Self.rows(exchange).map(\.transaction) == [
                    "order-1", "order-2", nil, nil, "order-1", "order-1", "order-2", nil, nil,
                ])
            // Transactions are unique per side and event name.
            try await Self.purchase(exchange, strict.test.key.branchKey, ["transaction_id": "order-1"])
            _ = try await exchange.post(
                "/v2/event/standard",
                [
                    "branch_key": .string(strict.live.key.branchKey), "name": "ADD_PAYMENT_INFO",
                    "event_data": ["transaction_id": "order-1"],
                ])
            #expect(try await Self.rows(exchange).count == 11)
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
            #expect(try await Self.rows(exchange).count == 3)
            #expect(try await count(.transactionRepeated) == 0)

            // With the secret it is the app's own report, which replaces the client's once and is final.
            try await report(["developer_identity": "ann"], with: "wrong")
            #expect(try await count(.transactionRepeated) == 1)
            try await report(["developer_identity": "ann"], of: 30, with: app.live.secret)
            #expect(try await Self.rows(exchange).count == 4)
            #expect(try await count(.transactionTakenOver) == 1)
            try await report(["developer_identity": "ann"], of: 31, with: app.live.secret)
            try await report(["developer_identity": "ann"])
            #expect(try await Self.rows(exchange).count == 4)
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
            #expect(try await Self.rows(exchange).map(\.revenue) == [12_500_000])
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
            #expect(try await Self.rows(exchange).count == 1)
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

    @Test func whatIsWrongIsCountedForTheDoctor() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            for _ in 0..<3 { try await Self.purchase(exchange, key, ["revenue": "12,70", "currency": "USD"]) }
            let app = try await exchange.services.directory.app(branchKey: key)
            let problems = try await exchange.services.events.problems(in: app.scope)
            #expect(problems.map(\.problem) == [.revenueMalformed])
            let finding = try #require(problems.first?.finding(on: app.app))
            #expect(finding.status == .warning)
            #expect(finding.detail.hasPrefix("3 PURCHASE events"))
        }
    }

    @Test(arguments: [("currency", "XTS"), ("currency", "Euro"), ("events.unique_transactions", "perhaps")])
    func aSettingThatCannotBeIsRefused(name: String, value: String) async throws {
        try await Exchange.run { exchange in
            await #expect(throws: Failure.self) {
                try await exchange.installation.createApp(settings: [name: .string(value)])
            }
        }
    }
}
