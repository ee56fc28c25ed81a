import Linden
import LindenKernel
import LindenServices
import LindenTesting
import SQLStorage
import SQLiteStorage
import Testing

/// The revenue of events, in the app's currency.
@Suite struct EventRevenueTests {
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
            try await RevenueEvents.load(exchange, [("EUR", 0, "0.8"), ("JPY", 0, "150"), ("IDR", 0, "16000")])
            var data: JSONObject = ["revenue": .string(revenue), "transaction_id": "order-1"]
            data["currency"] = code.map(JSON.string)
            try await RevenueEvents.purchase(exchange, key, data)
            let known = code.flatMap { Currency($0) }?.code
            #expect(
                try await RevenueEvents.rows(exchange) == [
                    RevenueEvents.Row(revenue: expected, text: revenue, currency: known, transaction: "order-1")
                ])
            let problems = try await RevenueEvents.problems(exchange, key)
            #expect(problems.isEmpty == (expected != nil && code != nil), "\(problems)")
        }
    }

    @Test func theRateIsThatOfTheDayOrOfTheLastOneBefore() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            try await RevenueEvents.load(exchange, [("EUR", 9, "0.5"), ("EUR", 2, "0.8"), ("EUR", -1, "1"), ("CHF", -1, "2")])
            try await RevenueEvents.purchase(exchange, key, ["revenue": 10, "currency": "EUR"])
            try await RevenueEvents.purchase(exchange, key, ["revenue": 10, "currency": "CHF"])
            #expect(try await RevenueEvents.problems(exchange, key) == [.rateMissing])
            exchange.installation.clock.advance(by: .seconds(86400))
            try await RevenueEvents.purchase(exchange, key, ["revenue": 10, "currency": "EUR"])
            exchange.installation.clock.advance(by: .seconds(10 * 86400))
            try await RevenueEvents.purchase(exchange, key, ["revenue": 10, "currency": "CHF"])
            #expect(try await RevenueEvents.rows(exchange).map(\.revenue) == [12_500_000, nil, 10_000_000, 5_000_000])
        }
    }

    @Test func laterRatesChangeNothingThatWasConverted() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            try await RevenueEvents.load(exchange, [("EUR", 0, "0.8")])
            try await RevenueEvents.purchase(exchange, key, ["revenue": 10, "currency": "EUR"])
            try await RevenueEvents.load(exchange, [("EUR", 0, "0.5")])
            try await RevenueEvents.purchase(exchange, key, ["revenue": 10, "currency": "EUR"])
            #expect(try await RevenueEvents.rows(exchange).map(\.revenue) == [12_500_000, 20_000_000])
        }
    }

    @Test func ratesAgainstAnotherBaseAreRefusedWhole() async throws {
        try await Exchange.run { exchange in
            try await RevenueEvents.load(exchange, [("EUR", 0, "0.8")])
            let euro = Currency("EUR")!
            let others = [ExchangeRate(currency: .standard, base: euro, day: 1, rate: "1.25")]
            let rates = exchange.services.rates
            await #expect(throws: Failure.self) { try await rates.load(others, base: euro) }
            #expect(try await rates.list().map(\.base) == [.standard])
            try await rates.load(others, base: euro, replacingAll: true)
            #expect(try await rates.list() == others)
        }
    }

    @Test func whatIsWrongIsCountedForTheDoctor() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            for _ in 0..<3 { try await RevenueEvents.purchase(exchange, key, ["revenue": "12,70", "currency": "USD"]) }
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
