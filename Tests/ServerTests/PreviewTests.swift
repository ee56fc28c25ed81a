import HTTPTypes
import Linden
import LindenKernel
import LindenReporting
import LindenServices
import LindenTesting
import Testing

/// The metadata of a link's page for previews, search engines and other apps.
@Suite struct PreviewTests {
    private static let data: JSONObject = [
        "$og_title": "Pears \"of\" <June>", "$og_description": "Ripe & sweet", "$og_image_url": "https://orchard.example.com/p.jpg",
        "$og_image_width": 600, "$og_type": "article", "$twitter_site": "@orchard", "$keywords": ["pear", "june"],
        "$deeplink_path": "pears/june?x=1", "$canonical_url": "https://orchard.example.com/pears",
        "$custom_meta_tags": #"{"author":"Ann <a>","apple_touch_icon":"https://orchard.example.com/i.png"}"#,
    ]

    @Test func aPreviewHasTheTagsOfOpenGraphTwitterAndAppLinks() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let path = try await exchange.createLink(key, ["data": .object(Self.data)])
            let page = try await exchange.get(path, userAgent: UserAgents.googlebot)
            #expect(page.status == 200)
            for tag in [
                #"<meta property="og:title" content="Pears &quot;of&quot; &lt;June&gt;">"#,
                #"<meta property="og:description" content="Ripe &amp; sweet">"#,
                #"<meta property="og:url" content="https://go.example.com\#(path)">"#,
                #"<meta property="og:image:width" content="600">"#,
                #"<meta property="og:type" content="article">"#, #"<meta property="twitter:card" content="summary_large_image">"#,
                #"<meta property="twitter:site" content="@orchard">"#,
                #"<meta property="al:ios:url" content="orchard://pears/june?x=1">"#,
                #"<meta property="al:ios:app_store_id" content="123456789">"#,
                #"<meta property="al:android:package" content="com.example.orchard">"#,
                #"<meta property="al:web:url" content="https://orchard.example.com/pears">"#,
                #"<meta property="author" content="Ann &lt;a&gt;">"#, #"<meta name="keywords" content="pear, june">"#,
                #"<link rel="canonical" href="https://orchard.example.com/pears">"#,
                #"<link rel="apple-touch-icon" href="https://orchard.example.com/i.png">"#,
            ] {
                #expect(page.body.contains(tag), "\(tag)")
            }
            #expect(!page.body.contains("noindex"))
            #expect(!page.body.contains("should_fallback"))
        }
    }

    @Test func thePageOfALargeLinkStaysSmall() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let tags = JSONObject((0..<64).map { (key: "tag\($0)", value: JSON.string(String(repeating: "'", count: 900))) })
            let large: [JSONObject] = [
                [
                    "$og_description": .string(String(repeating: "'", count: 60_000)), "$content_schema": "OTHER",
                    "$og_title": "Pears",
                ],
                ["$custom_meta_tags": .object(tags)],
                ["$keywords": .array(Array(repeating: .string(String(repeating: "&", count: 600)), count: 100))],
            ]
            for data in large {
                let path = try await exchange.createLink(key, ["data": .object(data)])
                let page = try await exchange.get(path, userAgent: UserAgents.googlebot)
                #expect(page.status == 200)
                #expect(page.body.contains(#"<meta property="og:title""#))
                #expect(page.body.utf8.count < 128 << 10)
            }
        }
    }

    @Test(arguments: ["javascript:alert(1)", "pears", "orchard://pears"])
    func whatIsNotOnTheWebIsNoPageOfTheContent(url: String) async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let path = try await exchange.createLink(key, ["data": ["$canonical_url": .string(url)]])
            let page = try await exchange.get(path, userAgent: UserAgents.googlebot)
            #expect(page.status == 200)
            #expect(!page.body.contains("canonical"))
        }
    }

    @Test func contentThatIsNotPublicIsNotListed() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            for value: JSON in [false, 0, "false"] {
                let path = try await exchange.createLink(key, ["data": ["$publicly_indexable": value]])
                #expect(try await exchange.get(path, userAgent: UserAgents.googlebot).body.contains("noindex"))
            }
        }
    }

    @Test func anAppThatOpensOthersGetsTagsAndMakesNoClick() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let path = try await exchange.createLink(
                key, ["alias": "pears", "data": ["$fallback_url": "https://orchard.example.com/p"]])
            let wanting: HTTPFields = [HTTPField.Name("Prefer-Html-Meta-Tags")!: "al"]
            for agent in [UserAgents.iPhone, UserAgents.desktop] {
                let page = try await exchange.get(path, userAgent: agent, headers: wanting)
                #expect(page.status == 200)
                #expect(page.body.contains(#"property="al:ios:url""#))
                #expect(!page.body.contains("<script"))
            }
            let link = try await exchange.services.links.find("pears")
            #expect(try await exchange.services.statistics.statistics(of: link.id, in: link.scope).clicks == 0)
        }
    }

    @Test func robotsAreSentWhereTheTagsAre() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let data: JSON = ["$og_redirect": "https://orchard.example.com/tags", "$fallback_url": "https://orchard.example.com/p"]
            let path = try await exchange.createLink(key, ["data": data])
            #expect(try await exchange.get(path, userAgent: UserAgents.googlebot).location == "https://orchard.example.com/tags")
        }
    }

    @Test(arguments: ["not json", "[1]", #"{"a":{"b":1}}"#])
    func customTagsThatAreNoneAreLeftOut(text: String) async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let path = try await exchange.createLink(key, ["data": ["$custom_meta_tags": .string(text)]])
            #expect(try await exchange.get(path, userAgent: UserAgents.googlebot).status == 200)
        }
    }
}
