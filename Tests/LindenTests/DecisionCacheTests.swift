import Linden
import LindenKernel
import LindenServices
import LindenTesting
import LinkRouting
import Testing

/// Decisions that are cached with their link.
@Suite struct DecisionCacheTests {
    private static let pages: JSONObject = [
        "$always_deeplink": false, "$ios_url": "https://orchard.example.com/i", "$ipad_url": "https://orchard.example.com/ipad",
        "$ios_wechat_url": "https://orchard.example.com/wechat", "$android_url": "https://orchard.example.com/a?b=c#d",
        "$samsung_url": "https://orchard.example.com/s", "$huawei_url": "https://orchard.example.com/h",
        "$fire_url": "https://orchard.example.com/f", "$windows_desktop_url": "https://orchard.example.com/w",
        "$fallback_url": "https://orchard.example.com/all",
    ]

    private static let links: [String: JSONObject] = [
        "bare": [:], "pages": pages,
        "countries": [
            "$always_deeplink": false, "$ios_url_de": "https://orchard.example.com/i-de",
            "$ios_url": "https://orchard.example.com/i",
            "$fallback_url_de": "https://orchard.example.com/de", "$fallback_url": "https://orchard.example.com/all",
        ],
        "web": ["$web_only": true, "$fallback_url": "https://orchard.example.com/web"],
        "careful": ["$uri_redirect_mode": "0", "~channel": "mail"], "smart": ["$uri_redirect_mode": "1"],
        "deepview": ["$ios_deepview": "a", "$android_passive_deepview": "b", "$desktop_deepview": "c"],
        "robots": ["$og_redirect": "https://orchard.example.com/robots"],
    ]

    private static let userAgents: [String] = [
        UserAgents.iPhone, UserAgents.android, UserAgents.desktop, UserAgents.googlebot, "", "curl/8.5.0",
        UserAgents.iPhone + " [FBAN/FBIOS;FBAV/470.0;FBDV/iPhone15,2;FBSV/17.5.1]", UserAgents.iPhone + " MicroMessenger/8.0.50",
        UserAgents.android + " Instagram 330.0.0", UserAgents.android + " MicroMessenger/8.0.50",
        "Mozilla/5.0 (iPad; CPU OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/604.1",
        "Mozilla/5.0 (Linux; Android 14; SM-S918B) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36",
        "Mozilla/5.0 (Linux; Android 14; SM-S918B; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/126.0.0.0 Mobile",
        "Mozilla/5.0 (Android 14; Mobile; rv:127.0) Gecko/127.0 Firefox/127.0",
        "Mozilla/5.0 (Linux; Android 9; KFMAWI) AppleWebKit/537.36 (KHTML, like Gecko) Silk/126.0 like Chrome/126.0 Safari/537.36",
        "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36",
        "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15",
    ]

    /// A query without effect on the decision makes a visit one on which a decision is made each time.
    @Test func aCachedDecisionEqualsOneThatIsNot() async throws {
        let german = try #require(ClientAddress("203.0.113.7"))
        try await Installation.run(country: { $0 == german ? "DE" : nil }) { installation in
            let (services, clicks) = (installation.services, installation.services.clicks)
            let app = try await services.apps.context(installation.createApp().live.key.branchKey)
            for (alias, data) in Self.links { _ = try await services.links.create(NewLink(alias: alias, data: data), for: app) }
            var dice = Dice(seed: 9)
            let paths = Self.links.keys.sorted().map { "/" + $0 }
            for _ in 0..<1500 {
                var visit = Visit(
                    host: "go.example.com", path: dice.pick(paths), userAgent: dice.pick(Self.userAgents),
                    address: dice.pick([german, .unknown]), isPrefetch: dice.roll(8) == 0, wantsTags: dice.roll(20) == 0)
                let result = try #require(try await clicks.visit(visit))
                visit.query = "x=1"
                let decided = try #require(try await clicks.visit(visit)).destination
                let place = Comment(rawValue: "\(visit)")
                #expect(result.destination == decided, place)
                guard case .redirect(let target) = decided.action else { continue }
                #expect(result.decision.location?.text(clickID: "7") == target.url(clickID: "7"), place)
            }
        }
    }

    @Test func aChangedLinkOrAppLeadsElsewhereAtOnce() async throws {
        try await Installation.run { installation in
            let services = installation.services
            let app = try await services.apps.context(installation.createApp().live.key.branchKey)
            let link = try await services.links.create(
                NewLink(alias: "own", data: ["$desktop_url": "https://orchard.example.com/old"]), for: app)
            _ = try await services.links.create(NewLink(alias: "apps"), for: app)
            func target(_ path: String) async throws -> Target? {
                let visit = Visit(host: "go.example.com", path: path, userAgent: UserAgents.desktop, address: .unknown)
                return try await services.clicks.visit(visit)?.destination.action.target
            }
            for _ in 0..<2 {
                #expect(try await target("/own") == .web("https://orchard.example.com/old"))
                #expect(try await target("/apps") == .web("https://orchard.example.com"))
            }

            _ = try await services.links.update(
                link.id, with: LinkChanges(data: ["$desktop_url": "https://orchard.example.com/new"]))
            #expect(try await target("/own") == .web("https://orchard.example.com/new"))
            _ = try await services.apps.update(app.scope, settings: ["web_url": "https://pears.example.com"])
            #expect(try await target("/apps") == .web("https://pears.example.com"))
            try await services.links.delete(link.id)
            #expect(try await target("/own") == nil)
        }
    }

    @Test func theCachedDecisionsOfALinkAreLimitedAndCountAmongItsBytes() async throws {
        var countries: [ClientAddress: String] = [:]
        for (number, letter) in "ABCDEFGHIJKLMNOPQRST".enumerated() {
            let address = try #require(ClientAddress("203.0.113.\(number)"))
            countries[address] = "Z\(letter)"
        }
        let known = countries
        try await Installation.run(country: { known[$0] }) { installation in
            let (services, clicks) = (installation.services, installation.services.clicks)
            let app = try await services.apps.context(installation.createApp().live.key.branchKey)
            let data: JSONObject = [
                "$desktop_url": "https://orchard.example.com", "$fallback_url_zh": "https://orchard.example.com/h",
            ]
            _ = try await services.links.create(NewLink(alias: "pears", data: data), for: app)
            _ = try await clicks.links.link(host: "go.example.com", path: "/pears", query: nil)
            let bytes = clicks.links.cachedBytes
            for address in known.keys {
                _ = try await clicks.visit(
                    Visit(host: "go.example.com", path: "/pears", userAgent: UserAgents.desktop, address: address))
                #expect(clicks.links.cachedBytes > bytes)
                #expect(clicks.links.cachedBytes <= bytes + 8 * 1024)
            }
            #expect(clicks.links.cachedBytes == bytes + 8 * 1024)
        }
    }
}
