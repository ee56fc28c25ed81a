import Linden
import LindenKernel
import LindenReporting
import LindenServices
import LindenTesting
import SQLStorage
import SQLiteStorage
import Testing

/// The statistics of content objects.
@Suite struct ObjectStatisticsTests {
    @Test func viewsSharesPurchasesAndClicksAreCounted() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let scope = try await exchange.services.directory.app(branchKey: key).scope
            let objects = exchange.services.objects
            try await ContentEvents.report(exchange, key, "VIEW_ITEM", [ContentEvents.pear])
            try await ContentEvents.report(exchange, key, "VIEW_ITEMS", [ContentEvents.pear, ContentEvents.apple])
            try await ContentEvents.report(exchange, key, "SHARE", [ContentEvents.pear])
            try await ContentEvents.report(
                exchange, key, "PURCHASE", [ContentEvents.pear, ContentEvents.apple], ["revenue": 100, "currency": "USD"])
            try await ContentEvents.report(exchange, key, "ADD_TO_CART", [ContentEvents.apple])
            _ = try await exchange.post(
                "/v1/register-view", ["branch_key": .string(key), "data": ["$canonical_identifier": "apple/1"]])
            let path = try await exchange.createLink(key, ["data": ["$canonical_identifier": "pear/1"]])
            _ = try await exchange.get(path)
            _ = try await exchange.get(path, userAgent: UserAgents.googlebot)

            let pear = ContentEvents.statistics(views: 2, shares: 1, clicks: 1, purchases: 1, revenue: 5_000_000)
            let apple = ContentEvents.statistics(views: 2, purchases: 1, revenue: 1_000_000)
            #expect(try await objects.show("pear/1", in: scope).statistics == pear)
            #expect(try await objects.show("apple/1", in: scope).statistics == apple)
            #expect(pear.conversion == 0.5)
            #expect(try await objects.list(scope, limit: 9).map(\.statistics) == [apple, pear])
            // Aggregated clicks are counted as often as before.
            for _ in 0..<2 {
                exchange.installation.clock.advance(by: .seconds(5))
                try await exchange.services.statistics.aggregate()
                #expect(try await objects.show("pear/1", in: scope).statistics == pear)
                #expect(try await objects.top(scope, by: .clicks, limit: 9).map(\.statistics) == [pear])
            }
            _ = try await exchange.get(path)
            #expect(try await objects.top(scope, by: .clicks, limit: 9).map(\.statistics.clicks) == [2])
        }
    }

    @Test func whatThereIsMostOfComesFirst() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let key = app.live.key.branchKey
            for (count, identifier) in [(1, "a"), (3, "b"), (2, "c")] {
                for _ in 0..<count {
                    try await ContentEvents.report(exchange, key, "VIEW_ITEM", [["$canonical_identifier": .string(identifier)]])
                }
            }
            try await ContentEvents.report(exchange, key, "SHARE", [["$canonical_identifier": "a"]])
            let other = try await exchange.installation.createApp("Meadow").live.key.branchKey
            try await ContentEvents.report(exchange, other, "VIEW_ITEM", [["$canonical_identifier": "elsewhere"]])
            try await ContentEvents.report(exchange, app.test.key.branchKey, "VIEW_ITEM", [["$canonical_identifier": "tested"]])

            let objects = exchange.services.objects
            let scope = app.live.key.scope
            #expect(try await objects.top(scope, by: .views, limit: 2).map(\.object.canonicalIdentifier) == ["b", "c"])
            #expect(try await objects.top(scope, by: .shares, limit: 9).map(\.object.canonicalIdentifier) == ["a"])
            #expect(try await objects.top(scope, by: .purchases, limit: 9).isEmpty)
            #expect(try await objects.top(scope, by: .revenue, limit: 9).isEmpty)
            let today = exchange.installation.clock.now.day
            #expect(try await objects.top(scope, by: .views, on: (today + 1)...(today + 2), limit: 9).isEmpty)
            exchange.installation.clock.advance(by: .seconds(86400))
            try await ContentEvents.report(exchange, key, "VIEW_ITEM", [["$canonical_identifier": "a"]])
            #expect(
                try await objects.top(scope, by: .views, on: (today + 1)...(today + 1), limit: 9).map(\.statistics.views) == [1])
        }
    }

    @Test func whatIsBoughtAloneWithoutAPriceEarnsWhatThePurchaseDid() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let (key, scope) = (app.live.key.branchKey, app.live.key.scope)
            let data: JSONObject = ["revenue": .decimal("7.25"), "currency": "USD"]
            try await ContentEvents.report(exchange, key, "PURCHASE", [["$canonical_identifier": "a"]], data)
            try await ContentEvents.report(
                exchange, key, "PURCHASE", [["$canonical_identifier": "b"], ["$canonical_identifier": "c"]], data)
            let top = try await exchange.services.objects.top(scope, by: .purchases, limit: 9)
            #expect(top.map(\.statistics.revenue.millionths) == [7_250_000, 0, 0])
        }
    }

    /// Sums beyond 64 bits, of objects whose revenue differs by a millionth; a refund is subtracted.
    @Test func theRevenueOfContentIsExactHoweverMuchItIs() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let (key, scope) = (app.live.key.branchKey, app.live.key.scope)
            func items(_ price: String, _ last: String) -> [JSON] {
                (0..<100).map { number in
                    let price = number == 42 ? last : price
                    return ["$canonical_identifier": .string("a\(number)"), "$price": .decimal(price)]
                }
            }
            for _ in 0..<30 {
                try await ContentEvents.report(exchange, key, "PURCHASE", items("999999999999.999998", "999999999999.999999"))
            }
            let top = try await exchange.services.objects.top(scope, by: .revenue, limit: 2)
            #expect(top.map(\.object.canonicalIdentifier) == ["a42", "a0"])
            #expect(top.map(\.statistics.revenue.text) == ["29999999999999.99997", "29999999999999.99994"])
            try await ContentEvents.report(exchange, key, "PURCHASE", items("-999999999999.999998", "-999999999999.999999"))
            let after = try await exchange.services.objects.top(scope, by: .revenue, limit: 1)
            #expect(after.map(\.statistics.revenue.text) == ["28999999999999.999971"])
            for _ in 0..<29 {
                try await ContentEvents.report(exchange, key, "PURCHASE", items("-999999999999.999998", "-999999999999.999999"))
            }
            #expect(try await exchange.services.objects.top(scope, by: .revenue, limit: 9).isEmpty)
        }
    }

    private static let uncounted: [(item: JSONObject, problem: EventProblem)] = [
        (["$price": .integer(1_000_000), "$quantity": .integer(1_000_001)], .priceTooLarge),
        (["$price": .decimal("1e13")], .priceTooLarge), (["$price": 1, "$quantity": .decimal("1e13")], .priceTooLarge),
        (["$price": .integer(500_000_000_000), "$currency": "EUR"], .priceTooLarge),
        (["$price": 1, "$currency": "GBP"], .rateMissing), (["$price": 1, "$currency": "Gold"], .currencyUnknown),
        (["$price": "cheap"], .priceMalformed), (["$price": [:]], .priceMalformed),
        (["$price": 1, "$quantity": "few"], .priceMalformed),
    ]

    /// No invalid price is parsed as another one, and each that is ignored is reported.
    @Test(arguments: uncounted) func aPriceThatIsNotCountedIsReported(item: JSONObject, problem: EventProblem) async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let (key, scope) = (app.live.key.branchKey, app.live.key.scope)
            let rate = ExchangeRate(
                currency: try #require(Currency("EUR")), base: .standard, day: exchange.installation.clock.now.day, rate: "0.4")
            try await exchange.services.rates.load([rate], base: .standard)
            let items: [JSON] = [
                .object(item.merging(["$canonical_identifier": "a"])), ["$canonical_identifier": "b", "$price": 2],
            ]
            try await ContentEvents.report(exchange, key, "PURCHASE", items, ["revenue": 2, "currency": "USD"])
            #expect(try await exchange.services.objects.show("a", in: scope).statistics.revenue == MoneySum())
            #expect(try await exchange.services.objects.show("b", in: scope).statistics.revenue.text == "2")
            let problems = try await exchange.services.events.problems(in: scope).map(\.problem)
            #expect(problems.filter { $0 != .userMissing } == [problem])
        }
    }
}
