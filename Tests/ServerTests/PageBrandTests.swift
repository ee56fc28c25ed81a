import HTTPTypes
import Linden
import LindenKernel
import LindenServices
import LindenTesting
import Testing

/// An app's branding on its pages.
@Suite struct PageBrandTests {
    private static let settings = Installation.settings.merging([
        "web_url": nil, "pages.icon_url": "https://img.orchard.example/icon.png", "pages.color": "#c0ffee",
        "pages.background_color": "#fafafa",
    ])

    @Test func iconAndColoursOfTheAppAreOnItsPages() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp(settings: Self.settings, domain: "go.orchard.example")
            let path = try await exchange.createLink(app.live.key.branchKey, ["data": ["$og_title": "Pears"]])
            let over = try await exchange.createLink(app.live.key.branchKey, ["expires_at": "2020-01-01T00:00:00Z"])
            for (target, agent) in [(path, UserAgents.iPhone), (path, UserAgents.desktop), (over, UserAgents.iPhone)]
                + [("/nothing", UserAgents.iPhone)]
            {
                let page = try await exchange.get(target, host: "go.orchard.example", userAgent: agent)
                #expect(page.body.contains("<img class=\"icon\" src=\"https://img.orchard.example/icon.png\" alt=\"\">Orchard</p>"))
                #expect(page.body.contains("<style>:root{--main:#c0ffee;"))
                let policy = page.headers[.contentSecurityPolicy] ?? ""
                #expect(policy.contains("img-src https://img.orchard.example;"))
                #expect(policy.contains(/style-src 'sha256-[^']+' 'sha256-[^']+';/) && !policy.contains("unsafe"), "\(policy)")
            }
        }
    }

    @Test func theIconAndThePictureOfTheLinkMayLieOnTwoHosts() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp(settings: Self.settings).live.key.branchKey
            let path = try await exchange.createLink(
                key, ["data": ["$ios_deepview": "x", "$og_image_url": "https://cdn.example/pear.jpg"]])
            let policy = try await exchange.get(path).headers[.contentSecurityPolicy] ?? ""
            #expect(policy.contains("img-src https://cdn.example https://img.orchard.example;"), "\(policy)")
        }
    }

    @Test func aPageWithoutABrandLoadsNothing() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            for target in [try await exchange.createLink(key), "/", "/nothing"] {
                let page = try await exchange.get(target)
                #expect(page.headers[.contentSecurityPolicy]?.contains("img-src") == false)
                #expect(!page.body.contains("<img"))
            }
        }
    }

    @Test func aDesktopAndADeviceWithoutTheAppAreShownTheStores() async throws {
        try await Exchange.run { exchange in
            let settings = Installation.settings.merging(["web_url": nil])
            let key = try await exchange.installation.createApp(settings: settings).live.key.branchKey
            let desktop = try await exchange.get(try await exchange.createLink(key), userAgent: UserAgents.desktop).body
            #expect(desktop.contains("<a class=\"store\" href=\"https://apps.apple.com/app/id123456789\">App Store</a>"))
            // Google Play passes the click to the app, even if the install is started from a desktop.
            let play = try #require(desktop.firstMatch(of: /<a class="store" href="([^"]+)">Google Play<\/a>/))
            #expect(play.1.contains("id=com.example.orchard&amp;referrer=link_click_id%3D"))

            let none = try await exchange.installation.createApp("Plain", settings: [:]).live.key.branchKey
            #expect(
                try await !exchange.get(try await exchange.createLink(none), userAgent: UserAgents.desktop).body.contains(
                    "class=\"store\""))
        }
    }

    @Test func theButtonNamesTheStoreThatItLeadsTo() async throws {
        try await Exchange.run { exchange in
            let path = try await exchange.createLink(try await exchange.installation.createApp().live.key.branchKey)
            #expect(try await exchange.get(path).body.contains(">Get the app · App\u{A0}Store</a>"))
            #expect(
                try await exchange.get(path, userAgent: UserAgents.android).body.contains(">Get the app · Google\u{A0}Play</a>"))
        }
    }
}
