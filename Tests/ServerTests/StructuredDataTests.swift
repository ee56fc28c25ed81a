import Linden
import LindenKernel
import LindenServices
import LindenTesting
import Testing

/// The structured data of a link's content for search engines, in schema.org's vocabulary.
@Suite struct StructuredDataTests {
    private static let content: JSONObject = [
        "$og_title": "Conference pears", "$og_description": "Ripe & sweet", "$og_image_url": "https://orchard.example.com/p.jpg",
        "$canonical_url": "https://orchard.example.com/pears", "$price": "19.90", "$currency": "EUR", "$sku": "P-1",
        "$product_name": "Pears", "$product_brand": "Orchard", "$product_category": "Food, Beverages & Tobacco",
        "$rating_average": .decimal("4.5"), "$rating_count": 12, "$rating_max": 5, "$rating": 4, "$keywords": ["pear", "june"],
        "$creation_timestamp": 1_790_000_000_000, "$exp_date": "1830000000000", "$address_street": "1 Row",
        "$address_city": "Apfelstadt",
        "$address_region": "TH", "$address_country": "DE", "$address_postal_code": "99192", "$latitude": .decimal("50.9"),
        "$longitude": .decimal("10.8"),
    ]

    private static let offer: JSON = [
        "@type": "Offer", "price": .decimal("19.90"), "priceCurrency": "EUR", "validThrough": "2027-12-28T13:20:00.000Z",
    ]
    private static let rating: JSON = [
        "@type": "AggregateRating", "ratingValue": .decimal("4.5"), "ratingCount": 12, "bestRating": 5,
    ]
    private static let address: JSON = [
        "@type": "PostalAddress", "streetAddress": "1 Row", "addressLocality": "Apfelstadt", "addressRegion": "TH",
        "postalCode": "99192",
        "addressCountry": "DE",
    ]
    private static let geo: JSON = ["@type": "GeoCoordinates", "latitude": .decimal("50.9"), "longitude": .decimal("10.8")]
    private static let place: JSON = ["@type": "Place", "address": address, "geo": geo]
    private static let keywords: JSON = ["pear", "june"]
    private static let brand: JSON = ["@type": "Brand", "name": "Orchard"]
    private static let work: JSONObject = [
        "keywords": keywords, "dateCreated": "2026-09-21T14:13:20.000Z", "expires": "2027-12-28T13:20:00.000Z",
        "aggregateRating": rating, "offers": offer, "contentLocation": place,
    ]
    private static let trade: JSONObject = [
        "brand": brand, "category": "Food, Beverages & Tobacco", "aggregateRating": rating, "offers": offer,
    ]
    private static let product = trade.merging(["sku": "P-1", "keywords": keywords])
    private static let business: JSONObject = [
        "brand": brand, "aggregateRating": rating, "keywords": keywords, "address": address, "geo": geo, "makesOffer": offer,
    ]

    private static let schemas: [(schema: String, type: String, further: JSONObject)] = [
        ("COMMERCE_AUCTION", "Product", product), ("COMMERCE_BUSINESS", "LocalBusiness", business),
        ("COMMERCE_OTHER", "Product", product), ("COMMERCE_PRODUCT", "Product", product),
        ("COMMERCE_RESTAURANT", "Restaurant", business), ("COMMERCE_SERVICE", "Service", trade.merging(["areaServed": place])),
        ("COMMERCE_TRAVEL_FLIGHT", "Flight", ["offers": offer, "itinerary": place]), ("COMMERCE_TRAVEL_HOTEL", "Hotel", business),
        ("COMMERCE_TRAVEL_OTHER", "Trip", ["offers": offer, "itinerary": place]), ("GAME_STATE", "VideoGame", work),
        ("MEDIA_IMAGE", "ImageObject", work), ("MEDIA_MIXED", "MediaObject", work), ("MEDIA_MUSIC", "MusicRecording", work),
        ("MEDIA_OTHER", "MediaObject", work), ("MEDIA_VIDEO", "VideoObject", work), ("OTHER", "CreativeWork", work),
        ("TEXT_ARTICLE", "Article", work), ("TEXT_BLOG", "BlogPosting", work), ("TEXT_OTHER", "CreativeWork", work),
        ("TEXT_RECIPE", "Recipe", work),
        ("TEXT_REVIEW", "Review", work.merging(["reviewRating": ["@type": "Rating", "ratingValue": 4, "bestRating": 5]])),
        ("TEXT_SEARCH_RESULTS", "SearchResultsPage", work), ("TEXT_STORY", "Article", work),
        ("TEXT_TECHNICAL_DOC", "TechArticle", work),
    ]

    @Test func eachKindOfContentHasItsTypeAndWhatThatMaySay() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            for (schema, type, further) in Self.schemas {
                let data = Self.content.merging(["$content_schema": .string(schema)])
                let page = try await exchange.preview(of: data, key)
                let common: JSONObject = [
                    "@context": "https://schema.org", "@type": .string(type), "name": "Pears", "description": "Ripe & sweet",
                    "image": "https://orchard.example.com/p.jpg", "url": "https://orchard.example.com/pears",
                ]
                #expect(try page.structuredData == .object(common.merging(further)), "\(schema)")
            }
        }
    }

    @Test func whatIsNotKnownIsNotSaid() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let data: JSONObject = [
                "$content_schema": "commerce_product", "$og_title": "Pears", "$price": "cheap", "$currency": "EUR",
                "$rating_count": 3,
                "$latitude": .decimal("50.9"), "$creation_timestamp": "yesterday", "$exp_date": 0,
                "$og_image_url": "javascript:alert(1)",
                "$canonical_url": "orchard://pears", "$sku": "", "$keywords": [],
            ]
            let page = try await exchange.preview(of: data.merging(["$custom": 1]), key, alias: "pears")
            let expected: JSON = [
                "@context": "https://schema.org", "@type": "Product", "name": "Pears", "url": "https://go.example.com/pears",
            ]
            #expect(try page.structuredData == expected)
        }
    }

    private static let silent: [JSONObject] = [
        [:], ["$og_title": "Pears"], ["$og_title": "Pears", "$content_schema": "PEARS"], ["$content_schema": "COMMERCE_PRODUCT"],
        ["$og_title": "Pears", "$content_schema": ["COMMERCE_PRODUCT"]],
    ]

    @Test(arguments: silent)
    func aLinkThatDoesNotSayWhatItIsAboutHasNone(data: JSONObject) async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            #expect(try await exchange.preview(of: data, key).body.contains("<script") == false)
        }
    }

    /// The text is embedded in the page, so it must not end the script element or begin another one.
    @Test(arguments: [
        "</script><script>alert(1)</script>", "<!--<script>", "]]>&lt;/script&gt;", "a\u{2028}b\u{2029}c", "\"}</SCRIPT >",
    ])
    func noValueLeavesTheScriptElement(hostile: String) async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            for schema in ["COMMERCE_PRODUCT", "COMMERCE_BUSINESS", "COMMERCE_SERVICE", "TEXT_REVIEW"] {
                var data = JSONObject()
                for (name, value) in Self.content { data[name] = value.array == nil ? .string(hostile) : [.string(hostile)] }
                data["$content_schema"] = .string(schema)
                data["$canonical_url"] = .string("https://orchard.example.com/" + hostile)
                data["$og_image_url"] = .string("https://orchard.example.com/" + hostile)
                data["$price"] = 1
                let page = try await exchange.preview(of: data, key)
                let text = try #require(page.scriptText)
                #expect(!text.contains { "<>&\u{2028}\u{2029}".contains($0) })
                #expect(try page.structuredData.object?["name"] == .string(hostile))
                #expect(try page.structuredData.object?["url"] == .string("https://orchard.example.com/" + hostile))
                #expect(page.body.ranges(of: "</script").count == 1)
                #expect(page.body.ranges(of: "<script").count == 1)
            }
        }
    }
}

extension Exchange {
    fileprivate func preview(of data: JSONObject, _ key: String, alias: String? = nil) async throws -> Answer {
        var fields: JSONObject = ["data": .object(data)]
        if let alias { fields["alias"] = .string(alias) }
        return try await get(try await createLink(key, fields), userAgent: UserAgents.googlebot)
    }
}

extension Exchange.Answer {
    fileprivate var scriptText: String? {
        guard let start = body.firstRange(of: #"<script type="application/ld+json">"#)?.upperBound,
            let end = body[start...].firstRange(of: "</script>")?.lowerBound
        else { return nil }
        return String(body[start..<end])
    }

    fileprivate var structuredData: JSON {
        get throws { try JSON.parse(#require(scriptText)) }
    }
}
