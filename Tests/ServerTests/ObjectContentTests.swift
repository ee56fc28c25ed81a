import Linden
import LindenKernel
import LindenServices
import LindenTesting
import SQLStorage
import SQLiteStorage
import Testing

/// What is stored of content objects.
@Suite struct ObjectContentTests {
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
            try await ContentEvents.report(exchange, key, "VIEW_ITEM", [.object(whole)])
            let objects = exchange.services.objects
            #expect(try await objects.show("pear/1", in: scope).object.data == whole)
            try await ContentEvents.report(
                exchange, key, "SHARE", [["$canonical_identifier": "pear/1", "property1": "green", "~channel": "x", "+clicked": 1]])
            #expect(try await objects.show("pear/1", in: scope).object.data == whole.merging(["property1": "green"]))
            let flood = JSON.string(String(repeating: "x", count: 70_000))
            try await ContentEvents.report(exchange, key, "VIEW_ITEM", [["$canonical_identifier": "pear/1", "property3": flood]])
            try await ContentEvents.report(exchange, key, "VIEW_ITEM", [["$canonical_identifier": "new", "property3": flood]])
            // Few bytes, but many values, each of which takes time to be read.
            let deep = JSON.array(Array(repeating: [], count: 300))
            try await ContentEvents.report(exchange, key, "VIEW_ITEM", [["$canonical_identifier": "pear/1", "property3": deep]])
            try await ContentEvents.report(exchange, key, "VIEW_ITEM", [["$canonical_identifier": "deep", "property3": deep]])
            #expect(try await objects.show("deep", in: scope).object.data == ["$canonical_identifier": "deep"])
            #expect(try await objects.show("pear/1", in: scope).object.data["property3"] == nil)
            #expect(try await objects.show("new", in: scope).object.data == ["$canonical_identifier": "new"])
        }
    }

    /// Data from strangers can fill an object's size limit, but the value of a known key can still be replaced within the limit.
    @Test func whatIsKnownOfContentIsBoundedKeyByKey() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let (key, scope) = (app.live.key.branchKey, app.live.key.scope)
            let junk = (0..<600).map { (key: "junk\($0)", value: JSON.string(String(repeating: "x", count: 100))) }
            try await ContentEvents.report(
                exchange, key, "VIEW_ITEM",
                [.object(JSONObject(junk).merging(["$canonical_identifier": "pear/1", "$og_title": "Pear", "$price": 1]))])
            func data() async throws -> JSONObject { try await exchange.services.objects.show("pear/1", in: scope).object.data }
            #expect((8000...8192).contains(try await data().size))
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
                try Engine.createTrigger(
                    "count_object_writes", after: "UPDATE ON universal_objects",
                    running: "INSERT INTO object_writes VALUES (NEW.id)", connection)
            }
            func writes() async throws -> Int64? {
                try await exchange.installation.storage.write { transaction in
                    try (transaction as! SQLTransaction).connection.first("SELECT COUNT(*) FROM object_writes") { $0.integer(0) }
                }
            }
            let whole: JSON = ["$canonical_identifier": "pear/1", "text": .string(String(repeating: "x", count: 7000))]
            try await ContentEvents.report(exchange, key, "VIEW_ITEM", [whole])
            let items = (0..<300).map { JSON.object(["data": ["$canonical_identifier": "pear/1", "$price": .integer($0)]]) }
            let answer = try await exchange.post("/v1/url/bulk/\(key)", .array(items))
            #expect(answer.json.array?.compactMap(\.object).filter { $0["url"] != nil }.count == 300)
            #expect(try await writes() == 1)
            #expect(try await exchange.services.objects.show("pear/1", in: scope).object.data["$price"] == 299)

            // Unchanged data write nothing.
            try await ContentEvents.report(exchange, key, "VIEW_ITEM", [whole])
            #expect(try await writes() == 1)

            // An event with much content is counted, but not all of the content is written again.
            let many = (0..<100).map { number in
                JSONObject([
                    (key: "$canonical_identifier", value: .string("a\(number)")),
                    (key: "text", value: .string(String(repeating: "x", count: 7000))),
                ])
            }
            for start in stride(from: 0, to: 100, by: 10) {
                try await ContentEvents.report(exchange, key, "VIEW_ITEMS", many[start..<start + 10].map { .object($0) })
            }
            let small = many.map { JSON.object($0.filter { key, _ in key != "text" }.merging(["$price": 1])) }
            try await ContentEvents.report(exchange, key, "VIEW_ITEMS", small)
            #expect(try await writes() == 6, "one, and five of 7 KB each")
            #expect(try await exchange.services.objects.show("a99", in: scope).statistics.views == 2)
        }
    }

    /// Stored content is compared in the database, because an event may name a hundred pieces of it. What is read is charged.
    @Test func contentThatAnEventRepeatsIsNotRead() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let app = try await exchange.services.directory.app(branchKey: key)
            func charged(_ item: JSONObject) async throws -> Int {
                let facts = EventFacts(standard: .viewItem, content: [EventContent(try #require(ObjectDescription(item: item)))])
                let event = NewEvent(
                    endpoint: "v2/event/standard", name: "VIEW_ITEM", tokens: UserTokens(), body: [:], facts: facts)
                let address = try #require(ClientAddress("203.0.113.7"))
                // Besides the copies of the name.
                return try await exchange.services.events.record(event, for: app, from: address) - 6 * "VIEW_ITEM".utf8.count
            }
            let whole: JSONObject = ["$canonical_identifier": "pear/1", "text": .string(String(repeating: "x", count: 7000))]
            #expect(try await charged(whole) > 7000)
            #expect(try await charged(whole) == 0)
            let part = try await charged(["$canonical_identifier": "pear/1"])
            #expect((7000...7100).contains(part))
            #expect(try await exchange.services.objects.show("pear/1", in: app.scope).statistics.views == 3)
        }
    }

    /// A client with the public key cannot change such content, so its descriptions are not compared key by key either.
    @Test func contentOfTheAppItselfIsNotReadForAStrangersEvent() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            try await ContentEvents.report(exchange, key, "VIEW_ITEM", [ContentEvents.pear])
            try await exchange.installation.storage.write {
                try ($0 as! SQLTransaction).connection.execute(
                    "UPDATE universal_objects SET data = 'unreadable', is_authenticated = 1")
            }
            try await ContentEvents.report(exchange, key, "VIEW_ITEM", [ContentEvents.pear])
            #expect(try await exchange.rows("SELECT CAST(SUM(views) AS BIGINT) FROM object_days") == 2)
        }
    }

    @Test func aPageIsOneObjectWhicheverClickLedToIt() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let (key, scope) = (app.live.key.branchKey, app.live.key.scope)
            for click in ["", "&_branch_match_id=123456789012345678", "&_branch_match_id=876543210987654321"] {
                try await ContentEvents.report(
                    exchange, key, "VIEW_ITEM", [["$canonical_url": .string("https://a.example/pear?id=7" + click)]])
            }
            let top = try await exchange.services.objects.top(scope, by: .views, limit: 9)
            #expect(top.map(\.object.canonicalIdentifier) == ["https://a.example/pear?id=7"])
            #expect(top.map(\.object.data) == [["$canonical_url": "https://a.example/pear?id=7"]])
            #expect(top.map(\.statistics.views) == [3])
        }
    }
}
