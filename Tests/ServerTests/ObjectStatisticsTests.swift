import Linden
import LindenTesting
import SQLStorage
import SQLiteStorage
import Testing

/// The statistics of content objects.
@Suite struct ObjectStatisticsTests {
    private static func report(_ exchange: Exchange, _ key: String, _ name: String, _ items: [JSON], _ data: JSONObject = [:])
        async throws
    {
        let answer = try await exchange.post(
            "/v2/event/standard",
            [
                "branch_key": .string(key), "name": .string(name), "event_data": .object(data), "content_items": .array(items),
            ])
        #expect(answer.status == 200)
    }

    private static func statistics(
        views: Int64 = 0, shares: Int64 = 0, clicks: Int64 = 0, purchases: Int64 = 0, revenue: Int128 = 0
    ) -> ObjectStatistics {
        var statistics = ObjectStatistics()
        statistics.views = views
        statistics.shares = shares
        statistics.clicks = clicks
        statistics.purchases = purchases
        statistics.revenue = MoneySum(millionths: revenue)
        return statistics
    }

    private static let pear: JSON = [
        "$canonical_identifier": "pear/1", "$og_title": "Pear", "$price": .decimal("2.5"), "$quantity": 2,
    ]
    private static let apple: JSON = ["$canonical_identifier": "apple/1", "$price": 1]

    @Test func viewsSharesPurchasesAndClicksAreCounted() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let scope = try await exchange.services.directory.app(branchKey: key).scope
            let objects = exchange.services.objects
            try await Self.report(exchange, key, "VIEW_ITEM", [Self.pear])
            try await Self.report(exchange, key, "VIEW_ITEMS", [Self.pear, Self.apple])
            try await Self.report(exchange, key, "SHARE", [Self.pear])
            try await Self.report(exchange, key, "PURCHASE", [Self.pear, Self.apple], ["revenue": 100, "currency": "USD"])
            try await Self.report(exchange, key, "ADD_TO_CART", [Self.apple])
            _ = try await exchange.post(
                "/v1/register-view", ["branch_key": .string(key), "data": ["$canonical_identifier": "apple/1"]])
            let path = try await exchange.createLink(key, ["data": ["$canonical_identifier": "pear/1"]])
            _ = try await exchange.get(path)
            _ = try await exchange.get(path, userAgent: UserAgents.googlebot)

            let pear = Self.statistics(views: 2, shares: 1, clicks: 1, purchases: 1, revenue: 5_000_000)
            let apple = Self.statistics(views: 2, purchases: 1, revenue: 1_000_000)
            #expect(try await objects.show("pear/1", in: scope).statistics == pear)
            #expect(try await objects.show("apple/1", in: scope).statistics == apple)
            #expect(pear.conversion == 0.5)
            #expect(try await objects.list(scope, limit: 9).map(\.statistics) == [apple, pear])
            // Aggregated clicks are counted as often as before.
            for _ in 0..<2 {
                exchange.installation.clock.advance(by: .seconds(5))
                try await exchange.services.statistics.fold()
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
                    try await Self.report(exchange, key, "VIEW_ITEM", [["$canonical_identifier": .string(identifier)]])
                }
            }
            try await Self.report(exchange, key, "SHARE", [["$canonical_identifier": "a"]])
            let other = try await exchange.installation.createApp("Meadow").live.key.branchKey
            try await Self.report(exchange, other, "VIEW_ITEM", [["$canonical_identifier": "elsewhere"]])
            try await Self.report(exchange, app.test.key.branchKey, "VIEW_ITEM", [["$canonical_identifier": "tested"]])

            let objects = exchange.services.objects
            let scope = app.live.key.scope
            #expect(try await objects.top(scope, by: .views, limit: 2).map(\.object.canonicalIdentifier) == ["b", "c"])
            #expect(try await objects.top(scope, by: .shares, limit: 9).map(\.object.canonicalIdentifier) == ["a"])
            #expect(try await objects.top(scope, by: .purchases, limit: 9).isEmpty)
            #expect(try await objects.top(scope, by: .revenue, limit: 9).isEmpty)
            let today = exchange.installation.clock.now.day
            #expect(try await objects.top(scope, by: .views, on: (today + 1)...(today + 2), limit: 9).isEmpty)
            exchange.installation.clock.advance(by: .seconds(86400))
            try await Self.report(exchange, key, "VIEW_ITEM", [["$canonical_identifier": "a"]])
            #expect(
                try await objects.top(scope, by: .views, on: (today + 1)...(today + 1), limit: 9).map(\.statistics.views) == [1])
        }
    }

    @Test func whatIsBoughtAloneWithoutAPriceEarnsWhatThePurchaseDid() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let (key, scope) = (app.live.key.branchKey, app.live.key.scope)
            let data: JSONObject = ["revenue": .decimal("7.25"), "currency": "USD"]
            try await Self.report(exchange, key, "PURCHASE", [["$canonical_identifier": "a"]], data)
            try await Self.report(
                exchange, key, "PURCHASE", [["$canonical_identifier": "b"], ["$canonical_identifier": "c"]], data)
            let top = try await exchange.services.objects.top(scope, by: .purchases, limit: 9)
            #expect(top.map(\.statistics.revenue.millionths) == [7_250_000, 0, 0])
        }
    }

    @Test func anItemsOwnKeysAreKeptWithItAndMergedOverWhatIsKnown() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let (key, scope) = (app.live.key.branchKey, app.live.key.scope)
            let whole: JSONObject = [
                "$canonical_identifier": "pear/1", "$canonical_url": "https://a.example/pear",
                "$creation_timestamp": 1_800_000_000_000,
                "$exp_date": 1_900_000_000_000, "$keywords": ["pear", "green"], "$locally_indexable": true,
                "$publicly_indexable": true, "$og_title": "Pear", "$og_description": "A pear.",
                "$og_image_url": "https://a.example/pear.png", "$content_schema": "COMMERCE_PRODUCT", "$quantity": 2,
                "$price": .decimal("2.50"), "$currency": "EUR", "$sku": "p1", "$product_name": "Conference",
                "$product_brand": "Orchard",
                "$product_category": "Food, Beverages & Tobacco", "$product_variant": "ripe", "$condition": "NEW",
                "$rating_average": .decimal("4.5"), "$rating_count": 9, "$rating_max": 5, "$rating": 4,
                "$address_street": "Lane 1", "$address_city": "Ulm", "$address_region": "BW", "$address_country": "DE",
                "$address_postal_code": "89073", "$latitude": .decimal("48.4"), "$longitude": .decimal("9.98"),
                "$image_captions": ["a pear"], "property1": "blue", "property2": "red",
            ]
            try await Self.report(exchange, key, "VIEW_ITEM", [.object(whole)])
            let objects = exchange.services.objects
            #expect(try await objects.show("pear/1", in: scope).object.data == whole)
            try await Self.report(
                exchange, key, "SHARE", [["$canonical_identifier": "pear/1", "property1": "green", "~channel": "x", "+clicked": 1]])
            #expect(try await objects.show("pear/1", in: scope).object.data == whole.merging(["property1": "green"]))
            let flood = JSON.string(String(repeating: "x", count: 70_000))
            try await Self.report(exchange, key, "VIEW_ITEM", [["$canonical_identifier": "pear/1", "property3": flood]])
            try await Self.report(exchange, key, "VIEW_ITEM", [["$canonical_identifier": "new", "property3": flood]])
            #expect(try await objects.show("pear/1", in: scope).object.data["property3"] == nil)
            #expect(try await objects.show("new", in: scope).object.data == ["$canonical_identifier": "new"])
        }
    }

    @Test func aPageIsOneObjectWhicheverClickLedToIt() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let (key, scope) = (app.live.key.branchKey, app.live.key.scope)
            for click in ["", "&_branch_match_id=123456789012345678", "&_branch_match_id=876543210987654321"] {
                try await Self.report(
                    exchange, key, "VIEW_ITEM", [["$canonical_url": .string("https://a.example/pear?id=7" + click)]])
            }
            let top = try await exchange.services.objects.top(scope, by: .views, limit: 9)
            #expect(top.map(\.object.canonicalIdentifier) == ["https://a.example/pear?id=7"])
            #expect(top.map(\.object.data) == [["$canonical_url": "https://a.example/pear?id=7"]])
            #expect(top.map(\.statistics.views) == [3])
        }
    }

    /// Data from strangers can fill an object's size limit, but the value of a known key can still be replaced within the limit.
    @Test func whatIsKnownOfContentIsBoundedKeyByKey() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let (key, scope) = (app.live.key.branchKey, app.live.key.scope)
            let junk = (0..<600).map { (key: "junk\($0)", value: JSON.string(String(repeating: "x", count: 100))) }
            try await Self.report(
                exchange, key, "VIEW_ITEM",
                [.object(JSONObject(junk).merging(["$canonical_identifier": "pear/1", "$og_title": "Pear", "$price": 1]))])
            func data() async throws -> JSONObject { try await exchange.services.objects.show("pear/1", in: scope).object.data }
            #expect((7000...8192).contains(JSON.object(try await data()).bytes.count))
            #expect(try await data()["$og_title"] == "Pear")
            let large = JSON.string(String(repeating: "y", count: 5000))
            _ = try await exchange.createLink(
                key, ["data": ["$canonical_identifier": "pear/1", "$price": 2, "$og_title": "Fig", "$og_description": large]])
            #expect(try await data()["$price"] == 2)
            #expect(try await data()["$og_title"] == "Fig")
            #expect(try await data()["$og_description"] == nil)
            #expect(JSON.object(try await data()).bytes.count <= 8192)
        }
    }

    /// Writes an object once per request, however many links or items name it, because a request must not block the only writer for long.
    @Test func contentIsWrittenOnceForAllThatARequestSaysOfIt() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let (key, scope) = (app.live.key.branchKey, app.live.key.scope)
            _ = try await exchange.installation.storage.write { transaction in
                let connection = (transaction as! SQLTransaction).connection
                try connection.execute("CREATE TABLE object_writes (object_id BIGINT)")
                try connection.execute(
                    script: """
                        CREATE TRIGGER count_object_writes AFTER UPDATE ON universal_objects
                        BEGIN INSERT INTO object_writes VALUES (NEW.id); END;
                        """)
            }
            func writes() async throws -> Int64? {
                try await exchange.installation.storage.write { transaction in
                    try (transaction as! SQLTransaction).connection.first("SELECT COUNT(*) FROM object_writes") { $0.integer(0) }
                }
            }
            let whole: JSON = ["$canonical_identifier": "pear/1", "text": .string(String(repeating: "x", count: 7000))]
            try await Self.report(exchange, key, "VIEW_ITEM", [whole])
            let items = (0..<300).map { JSON.object(["data": ["$canonical_identifier": "pear/1", "$price": .integer($0)]]) }
            let answer = try await exchange.post("/v1/url/bulk/\(key)", .array(items))
            #expect(answer.json.array?.compactMap(\.object).filter { $0["url"] != nil }.count == 300)
            #expect(try await writes() == 1)
            #expect(try await exchange.services.objects.show("pear/1", in: scope).object.data["$price"] == 299)

            // Unchanged data write nothing.
            try await Self.report(exchange, key, "VIEW_ITEM", [whole])
            #expect(try await writes() == 1)

            // An event with much content is counted, but not all of the content is written again.
            let many = (0..<100).map { number in
                JSONObject([
                    (key: "$canonical_identifier", value: .string("a\(number)")),
                    (key: "text", value: .string(String(repeating: "x", count: 7000))),
                ])
            }
            for start in stride(from: 0, to: 100, by: 10) {
                try await Self.report(exchange, key, "VIEW_ITEMS", many[start..<start + 10].map { .object($0) })
            }
            let small = many.map { JSON.object($0.filter { key, _ in key != "text" }.merging(["$price": 1])) }
            try await Self.report(exchange, key, "VIEW_ITEMS", small)
            #expect(try await (30...40).contains(try #require(writes())))
            #expect(try await exchange.services.objects.show("a99", in: scope).statistics.views == 2)
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
                try await Self.report(exchange, key, "PURCHASE", items("999999999999.999998", "999999999999.999999"))
            }
            let top = try await exchange.services.objects.top(scope, by: .revenue, limit: 2)
            #expect(top.map(\.object.canonicalIdentifier) == ["a42", "a0"])
            #expect(top.map(\.statistics.revenue.text) == ["29999999999999.99997", "29999999999999.99994"])
            try await Self.report(exchange, key, "PURCHASE", items("-999999999999.999998", "-999999999999.999999"))
            let after = try await exchange.services.objects.top(scope, by: .revenue, limit: 1)
            #expect(after.map(\.statistics.revenue.text) == ["28999999999999.999971"])
            for _ in 0..<29 {
                try await Self.report(exchange, key, "PURCHASE", items("-999999999999.999998", "-999999999999.999999"))
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
            try await Self.report(exchange, key, "PURCHASE", items, ["revenue": 2, "currency": "USD"])
            #expect(try await exchange.services.objects.show("a", in: scope).statistics.revenue == MoneySum())
            #expect(try await exchange.services.objects.show("b", in: scope).statistics.revenue.text == "2")
            let problems = try await exchange.services.events.problems(in: scope).map(\.problem)
            #expect(problems.filter { $0 != .userMissing } == [problem])
        }
    }
}
