import Foundation
import HTTPTypes
import Hummingbird
import Linden
import LindenKernel
import LindenReporting
import LindenServices
import LindenTesting
import Testing

/// The sitemap of a host whose app enables it.
@Suite struct SitemapTests {
    private static let host = "go.orchard.example"
    private static let wanting = Installation.settings.merging(["links.sitemap": true])

    @Test func theNewestLinkOfEachPieceOfContentIsListedNewestFirst() async throws {
        try await Exchange.run { exchange in
            let orchard = try await exchange.orchard()
            try await orchard.createLink("pears", about: "pear/1")
            exchange.installation.clock.advance(by: .seconds(1))
            try await orchard.createLink("apples", about: "apple/1")
            exchange.installation.clock.advance(by: .seconds(1))
            try await orchard.createLink("pears-again", about: "pear/1")
            try await orchard.createLink("nothing", about: nil)
            let answer = try await exchange.sitemap()
            #expect(answer.status == 200)
            #expect(answer.headers[.contentType] == "application/xml")
            #expect(
                answer.body == """
                    <?xml version="1.0" encoding="UTF-8"?>
                    <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
                    <url><loc>https://go.orchard.example/pears-again</loc><lastmod>2027-01-15T08:00:02.000Z</lastmod></url>
                    <url><loc>https://go.orchard.example/apples</loc><lastmod>2027-01-15T08:00:01.000Z</lastmod></url>
                    </urlset>

                    """)
        }
    }

    private static let unlisted: [(reason: String, fields: JSONObject)] = [
        ("not indexable", ["data": ["$canonical_identifier": "pear/1", "$publicly_indexable": false]]),
        ("nor as a number", ["data": ["$canonical_identifier": "pear/1", "$publicly_indexable": 0]]),
        ("past its time", ["data": ["$canonical_identifier": "pear/1", "$exp_date": 1_799_999_999_000]]),
        ("a past link", ["data": ["$canonical_identifier": "pear/1"], "expires_at": "2027-01-15T07:59:59Z"]),
        ("elsewhere for robots", ["data": ["$canonical_identifier": "pear/1", "$fallback_url": "https://orchard.example.com/"]]),
        ("and so, too", ["data": ["$canonical_identifier": "pear/1", "$og_redirect": "https://orchard.example.com/"]]),
        ("for one person", ["data": ["$canonical_identifier": "pear/1"], "type": 1]),
        ("for one person, too", ["data": ["$canonical_identifier": "pear/1", "$one_time_use": true]]),
    ]

    @Test func whatIsNotForEverybodyIsNotListed() async throws {
        for (reason, fields) in Self.unlisted {
            try await Exchange.run { exchange in
                let orchard = try await exchange.orchard()
                let credentials: JSONObject = ["branch_key": .string(orchard.key), "branch_secret": .string(orchard.secret)]
                _ = try await exchange.post("/v1/url", .object(fields.merging(credentials)))
                #expect(try await exchange.listed() == [], "\(reason)")
            }
        }
    }

    @Test func anOlderLinkIsListedWhereTheNewestMayNotBeOpened() async throws {
        try await Exchange.run { exchange in
            let orchard = try await exchange.orchard()
            try await orchard.createLink("old", about: "pear/1")
            try await orchard.createLink("deleted", about: "pear/1")
            try await orchard.createLink("spent", about: "pear/1", ["max_clicks": 1])
            try await orchard.createLink("single", about: "pear/1", ["type": 1])
            try await orchard.createLink("over", about: "pear/1", ["expires_at": "2027-01-15T08:00:00Z"])
            _ = try await exchange.get("/spent", host: Self.host)
            let link = try await exchange.services.links.find("https://go.orchard.example/deleted")
            try await exchange.services.links.delete(link.id)
            #expect(try await exchange.listed() == ["old"])
        }
    }

    /// The app's key is public, so links created with it alone are not listed.
    @Test func onlyTheAppsOwnLinksAreListed() async throws {
        try await Exchange.run { exchange in
            let orchard = try await exchange.orchard()
            func others(_ alias: String, _ data: JSON) async throws {
                let body: JSON = ["branch_key": .string(orchard.key), "alias": .string(alias), "data": data]
                try #require(try await exchange.post("/v1/url", body).status == 200)
            }
            try await others("spam", ["$canonical_identifier": "spam/1"])
            try await orchard.createLink("pears", about: "pear/1")
            try await others("not-pears", ["$canonical_identifier": "pear/1", "$publicly_indexable": false])
            #expect(try await exchange.listed() == ["pears"])
        }
    }

    @Test func onlyLinksOfTheHostItselfAreListed() async throws {
        try await Exchange.run { exchange in
            let orchard = try await exchange.orchard()
            _ = try await exchange.services.domains.add("links.orchard.example", to: orchard.scope)
            let meadow = try await exchange.installation.createApp("Meadow", settings: Self.wanting, domain: "go.meadow.example")
            try await orchard.createLink("here", about: "pear/1")
            try await orchard.createLink("there", about: "apple/1", ["domain": "links.orchard.example"])
            _ = try await exchange.post(
                "/v1/url",
                [
                    "branch_key": .string(meadow.live.key.branchKey), "branch_secret": .string(meadow.live.secret),
                    "data": ["$canonical_identifier": "plum/1"],
                ])
            #expect(try await exchange.listed() == ["here"])
        }
    }

    @Test func aHostHasNoneUnlessItsAppWantsIt() async throws {
        try await Exchange.run { exchange in
            _ = try await exchange.installation.createApp("Meadow", domain: "go.meadow.example")
            _ = try await exchange.installation.createApp("Shared", settings: Self.wanting)
            for host in ["go.meadow.example", "go.example.com", "elsewhere.example"] {
                #expect(try await exchange.get("/sitemap.xml", host: host).status == 404)
            }
        }
    }

    @Test func theAppsSettingTurnsItOnAndOff() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp(domain: Self.host)
            func set(_ value: JSON) async throws -> Int {
                let body: JSON = ["branch_secret": .string(app.live.secret), "links.sitemap": value]
                return try await exchange.put("/v1/app/\(app.live.key.branchKey)", body).status
            }
            #expect(try await set(true) == 200)
            #expect(try await exchange.sitemap().status == 200)
            #expect(try await set("often") == 400)
            #expect(try await set(false) == 200)
            #expect(try await exchange.sitemap().status == 404)
        }
    }

    @Test func itIsGeneratedAgainAfterTenMinutes() async throws {
        try await Exchange.run { exchange in
            let orchard = try await exchange.orchard()
            #expect(try await exchange.listed() == [])
            try await orchard.createLink("pears", about: "pear/1")
            exchange.installation.clock.advance(by: .seconds(599))
            #expect(try await exchange.listed() == [])
            exchange.installation.clock.advance(by: .seconds(1))
            #expect(try await exchange.listed() == ["pears"])
        }
    }

    /// An app may have a thousand hosts. A sitemap that was given up for others is not built again before its ten minutes are over.
    @Test func theOldestSitemapIsGivenUpForOthers() async throws {
        try await Exchange.run { exchange in
            let orchard = try await exchange.orchard()
            let hosts = [Self.host, "links.orchard.example", "apples.orchard.example"]
            for host in hosts.dropFirst() { _ = try await exchange.services.domains.add(host, to: orchard.scope) }
            let (services, clock) = (exchange.services, exchange.installation.clock)
            let sitemaps = SitemapService(
                storage: services.storage.reporting, directory: services.directory, baseURL: services.baseURL, mostBytes: 300)
            for host in hosts {
                #expect(try await sitemaps.sitemap(of: host) != nil)
                clock.advance(by: .seconds(60))
            }
            let failure = await #expect(throws: Failure.self) { _ = try await sitemaps.sitemap(of: hosts[0]) }
            #expect(failure?.code == .unavailable && failure?.retryAfter == 421)
            #expect(try await sitemaps.sitemap(of: hosts[1]) != nil)
            clock.advance(by: .seconds(421))
            #expect(try await sitemaps.sitemap(of: hosts[0]) != nil)
        }
    }

    @Test func moreContentThanIsReadAtOnceIsListedWhole() async throws {
        try await Exchange.run { exchange in
            let orchard = try await exchange.orchard()
            for number in 1...1201 { try await orchard.createLink("p\(number)", about: "pear/\(number)") }
            #expect(try await exchange.listed() == (1...1201).reversed().map { "p\($0)" })
        }
    }

    @Test func noMoreContentIsLookedAtThanCanBe() async throws {
        try await Exchange.run { exchange in
            let orchard = try await exchange.orchard()
            for name in ["first", "second"] { try await orchard.createLink(name, about: name) }
            try await orchard.createLink("third", about: "third", ["type": 1])
            let services = exchange.services
            let sitemaps = SitemapService(
                storage: services.storage.reporting, directory: services.directory, baseURL: services.baseURL, reach: 2)
            let xml = String(decoding: try #require(try await sitemaps.sitemap(of: Self.host)?.xml), as: UTF8.self)
            #expect(xml.contains("/second<") && !xml.contains("/first<") && !xml.contains("/third<"))
        }
    }

    @Test func whatMeansSomethingToXMLIsEscaped() async throws {
        try await Exchange.run { exchange in
            let orchard = try await exchange.orchard()
            try await orchard.createLink("pears&plums's", about: "pear/1")
            let body = try await exchange.sitemap().body
            #expect(body.contains("<loc>https://go.orchard.example/pears&amp;plums&apos;s</loc>"))
        }
        let hostile = Sitemap([Sitemap.Page(url: #"https://x.example/?a=1&b=<">'"#, modifiedAt: Timestamp(milliseconds: 0))])
        let xml = String(decoding: hostile.xml, as: UTF8.self)
        #expect(xml.contains("<loc>https://x.example/?a=1&amp;b=&lt;&quot;&gt;&apos;</loc>"))
    }

    @Test func clientsThatDoNotReceiveTheirSitemapsHoldAnAppsShareAtMost() async throws {
        try await Exchange.run { exchange in
            let orchard = try await exchange.orchard()
            for number in 0..<450 {
                try await orchard.createLink("\(number)-" + String(repeating: "p", count: 120), about: "pear/\(number)")
            }
            func begin() async throws -> Response { try await exchange.begin(.get, "/sitemap.xml", host: Self.host) }
            var unread = [try await begin()]
            let length = try #require(unread[0].body.contentLength)
            let share = 16 << 20
            while unread.count < share / length {
                unread.append(try await begin())
                try #require(unread.last?.status == .ok)
            }
            let refused = try await begin()
            #expect(refused.status == .tooManyRequests && refused.headers[.retryAfter] == "5")
            unread = []
            #expect(try await begin().status == .ok)
        }
    }

    @Test func itKeepsWithinTheLimitsOfSitemaps() {
        func pages(_ count: Int, _ length: Int) -> String {
            let url = "https://x.example/" + String(repeating: "p", count: length - 18)
            let page = Sitemap.Page(url: url, modifiedAt: Timestamp(milliseconds: 0))
            return String(decoding: Sitemap(Array(repeating: page, count: count)).xml, as: UTF8.self)
        }
        #expect(pages(50_001, 30).ranges(of: "<url>").count == 50_000)
        #expect(pages(3, 2048).ranges(of: "<url>").isEmpty)
        let large = pages(26_000, 2047)
        #expect(large.utf8.count <= 12 << 20 && large.utf8.count > 11 << 20)
        #expect(large.hasSuffix("</urlset>\n"))
    }
}

/// An app with a domain and a sitemap.
private struct Orchard {
    let exchange: Exchange
    let key: String
    let secret: String
    let scope: Scope

    /// Creates a link with the secret, as the app's own servers do.
    func createLink(_ alias: String, about identifier: String?, _ fields: JSONObject = [:]) async throws {
        let data: JSON = identifier.map { ["$canonical_identifier": .string($0)] } ?? [:]
        let body = fields.merging([
            "branch_key": .string(key), "branch_secret": .string(secret), "alias": .string(alias), "data": data,
        ])
        let answer = try await exchange.post("/v1/url", .object(body))
        try #require(answer.status == 200, "\(answer.body)")
    }
}

extension Exchange {
    fileprivate func orchard() async throws -> Orchard {
        let settings = Installation.settings.merging(["links.sitemap": true])
        let app = try await installation.createApp(settings: settings, domain: "go.orchard.example")
        return Orchard(exchange: self, key: app.live.key.branchKey, secret: app.live.secret, scope: app.live.key.scope)
    }

    fileprivate func sitemap() async throws -> Answer {
        try await get("/sitemap.xml", host: "go.orchard.example")
    }

    /// The aliases in the sitemap, in order.
    fileprivate func listed() async throws -> [String] {
        let body = try await sitemap().body
        return body.matches(of: /<loc>https:\/\/go\.orchard\.example\/(.*?)<\/loc>/).map { String($0.1) }
    }
}
