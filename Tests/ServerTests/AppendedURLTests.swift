import Foundation
import HTTPTypes
import Linden
import LindenKernel
import LindenServices
import LindenTesting
import LinkRouting
import Testing

/// URLs for a link that are set in the query of a visit.
@Suite struct AppendedURLTests {
    private static let evil = PercentCoding.encodeQueryValue("https://evil.example/login")
    private static let home = "https://orchard.example.com"

    @Test(arguments: ["$fallback_url", "$desktop_url", "$fallback_url_de"])
    func aLinkLeadsWhereItSaysAndNotWhereItsAddressDoes(key: String) async throws {
        try await Exchange.run(country: { _ in "DE" }) { exchange in
            let app = try await exchange.installation.createApp()
            let branchKey = app.live.key.branchKey
            let plain = try await exchange.createLink(branchKey)
            let stored = try await exchange.createLink(branchKey, ["data": ["$desktop_url": "https://partner.example/pears"]])
            let appended = "\(PercentCoding.encodeQueryValue(key))=\(Self.evil)"
            let data = Data(JSON.object([.init(key): "https://evil.example/login"]).bytes).base64EncodedString()
            let packed = "data=" + PercentCoding.encodeQueryValue(data)
            for (target, leads) in [
                ("\(plain)?\(appended)", Self.home), ("\(stored)?\(appended)", "https://partner.example/pears"),
                ("/a/\(branchKey)?\(appended)", Self.home), ("/a/\(branchKey)?\(packed)", Self.home),
                ("/e\(plain)?\(appended)", Self.home),
            ] {
                let answer = try await exchange.get(target, userAgent: UserAgents.desktop)
                #expect(answer.location?.hasPrefix(leads) == true, "\(target): \(answer.location ?? answer.body)")
                for robot in [UserAgents.iPhone, UserAgents.googlebot] {
                    let answer = try await exchange.get(target, userAgent: robot)
                    #expect(!(answer.location ?? "").contains("evil.example"), "\(target)")
                    #expect(!answer.body.contains("evil.example/login\""), "\(target)")
                }
            }
            try await exchange.services.refusedURLs.report()
            let findings = try await exchange.services.refusedURLs.findings(of: app.live.key.scope, reference: "1")
            #expect(findings.count == 1 && findings[0].detail.contains("evil.example was set in the address of links in 15 visits"))
        }
    }

    /// A long link is its query alone, so no URL in it makes a host the link's own.
    @Test(arguments: [
        ("$og_image_url", "https://evil.example/pear.png"), ("$og_url", "https://evil.example/"),
        ("$canonical_url", "https://evil.example/"), ("$twitter_image_url", "https://evil.example/pear.png"),
    ])
    func aLongLinkDoesNotNameTheHostThatItsOwnAddressLeadsTo(key: String, url: String) async throws {
        try await Exchange.run { exchange in
            let branchKey = try await exchange.installation.createApp().live.key.branchKey
            let target =
                "/a/\(branchKey)?%24fallback_url=\(Self.evil)&%24content_schema=COMMERCE_PRODUCT&%24product_name=Pears"
                + "&\(PercentCoding.encodeQueryValue(key))=\(PercentCoding.encodeQueryValue(url))"
            let answer = try await exchange.get(target, userAgent: UserAgents.desktop)
            #expect(answer.location?.hasPrefix(Self.home) == true, "\(answer.location ?? answer.body)")
            let page = try await exchange.get(target, userAgent: UserAgents.googlebot)
            // The page may name the link's own address, where the URL is encoded.
            #expect(page.body.contains(#""@type":"Product""#), "the page has structured data, which names URLs too")
            #expect(!(page.location ?? "").contains("://evil.example") && !page.body.contains("://evil.example"), "\(page.body)")
            let id = try #require(try await exchange.get(target).linkClickID)
            let later = try await exchange.get("/c/\(id)", userAgent: UserAgents.desktop)
            #expect(later.location?.hasPrefix(Self.home) == true, "\(later.location ?? later.body)")
        }
    }

    @Test func theCustomTagsOfALongLinkShowNothingOfOtherSites() async throws {
        try await Exchange.run { exchange in
            let branchKey = try await exchange.installation.createApp().live.key.branchKey
            let tags: JSONObject = [
                "author": "Ann: pears", "og:image": "https://orchard.example.com/pear.png",
                "apple_touch_icon": "https://evil.example/icon.png", "twitter:image": "https://evil.example/pear.png",
                "og:video": "//evil.example/pear.mp4", "og:audio": "\\\\evil.example/pear.mp3",
                "og:image:url": "ht\ntps:evil.example/pear.png",
            ]
            let page = try await exchange.get(
                "/a/\(branchKey)?%24custom_meta_tags=\(PercentCoding.encodeQueryValue(JSON.object(tags).text))",
                userAgent: UserAgents.googlebot)
            #expect(page.status == 200)
            #expect(page.body.contains(#"content="Ann: pears""#))
            #expect(page.body.contains(#"content="https://orchard.example.com/pear.png""#))
            for start in ["\"https://", "\"//", "\"\\\\", "ps:"] {
                #expect(!page.body.contains(start + "evil.example"), "\(start): \(page.body)")
            }
        }
    }

    @Test func aPictureOfAnotherSiteIsNotShownOnTheAppsPages() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let path = try await exchange.createLink(app.live.key.branchKey)
            for key in ["$og_image_url", "$og_video", "$twitter_image_url", "$canonical_url"] {
                let target = "\(path)?\(PercentCoding.encodeQueryValue(key))=\(Self.evil)"
                let page = try await exchange.get(target, userAgent: UserAgents.googlebot)
                #expect(page.status == 200 && !page.body.contains("evil.example"), "\(key): \(page.body)")
            }
        }
    }

    @Test(arguments: [
        ("https://play.google.com/store/apps/details?id=com.example.pear", true), ("https://apps.apple.com/de/app/pear/id1", true),
        ("https://play.google.com/url?q=https://evil.example", false), ("https://apps.apple.com/redirect?to=evil.example", false),
    ])
    func anAppsPageInAStoreIsLedToAndOtherPagesThereAreNot(url: String, isLedTo: Bool) async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let path = try await exchange.createLink(app.live.key.branchKey)
            let answer = try await exchange.get(
                "\(path)?%24desktop_url=\(PercentCoding.encodeQueryValue(url))", userAgent: UserAgents.desktop)
            #expect(answer.location?.hasPrefix(url) == isLedTo, "\(answer.location ?? "")")
        }
    }

    @Test func aHostOfTheAppsSettingsDomainsOrListOrOfTheLinkItselfIsLedTo() async throws {
        try await Exchange.run { exchange in
            let settings = Installation.settings.merging([
                "android_url": "https://get.example/", "links.own_hosts": "sister.example",
            ])
            let app = try await exchange.installation.createApp(settings: settings, domain: "links.example")
            let data: JSONObject = ["$desktop_url": "https://partner.example/", "$canonical_url": "https://blog.example/1"]
            let path = try await exchange.createLink(app.live.key.branchKey, ["alias": "partner", "data": .object(data)])
            for url in [
                "https://shop.orchard.example.com/a", "https://get.example/b", "https://sister.example/c",
                "https://www.links.example/d",
                "https://partner.example/e", "https://blog.example/f",
            ] {
                let answer = try await exchange.get(
                    "\(path)?%24desktop_url=\(PercentCoding.encodeQueryValue(url))", host: "links.example",
                    userAgent: UserAgents.desktop)
                #expect(answer.location?.hasPrefix(url) == true, "\(answer.location ?? "")")
            }
            try await exchange.services.refusedURLs.report()
            #expect(try await exchange.services.refusedURLs.findings(of: app.live.key.scope, reference: "1").isEmpty)
        }
    }

    /// Some readers of a URL end the host where these characters stand.
    @Test(arguments: ["%2F", "%23", "%00", "%40", "%5C", ";", ",", "^", "|", "\u{FF0F}", "\u{3002}", "."])
    func whatIsNoHostNameIsNoSubdomain(separator: String) async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let path = try await exchange.createLink(app.live.key.branchKey)
            for url in ["https://evil.example\(separator).orchard.example.com/", "https://\(separator).orchard.example.com/"] {
                let answer = try await exchange.get(
                    "\(path)?%24desktop_url=\(PercentCoding.encodeQueryValue(url))", userAgent: UserAgents.desktop)
                #expect(answer.location?.hasPrefix(Self.home) == true, "\(url): \(answer.location ?? answer.body)")
            }
        }
    }

    @Test func theAddressOfAClickLeadsNowhereElseEither() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let click = try await exchange.get("\(try await exchange.createLink(key))?%24desktop_url=\(Self.evil)")
            let id = try #require(click.linkClickID)
            let answer = try await exchange.get("/c/\(id)", userAgent: UserAgents.desktop)
            #expect(answer.location?.hasPrefix(Self.home) == true, "\(answer.location ?? answer.body)")
        }
    }
}
