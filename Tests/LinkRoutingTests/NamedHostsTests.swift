import LinkRouting
import Testing

@Suite struct NamedHostsTests {
    private static let hosts = NamedHosts(["orchard.example", "WWW.Bakery.example", "*.meadow.example", "www.shop"])

    @Test(arguments: [
        "orchard.example", "a.orchard.example", "a.b.orchard.example", "www.bakery.example", "bakery.example",
        "a.www.bakery.example", "meadow.example", "a.meadow.example",
    ])
    func aNamedHostAndWhatIsBelowItAreTheApps(host: String) {
        #expect(Self.hosts.contains(host))
    }

    @Test(arguments: [
        "", "example", "evil.example", "notorchard.example", "orchard.example.evil.example", "shop.bakery.example", "shop", ".",
        "orchard.example.", "evil.example/orchard.example",
    ])
    func anotherHostIsNot(host: String) {
        #expect(!Self.hosts.contains(host))
    }

    @Test func aHostLongerThanAHostNameCanBeIsNeverIncluded() {
        let host = String(repeating: "a.", count: 200) + "orchard.example"
        #expect(!Self.hosts.contains(host))
        for url in ["https://\(host)/", "https://" + String(repeating: ".", count: 60_000)] {
            for key in ["$fallback_url", "$og_image_url"] {
                #expect(Self.app.trusted([QueryItem(name: key, value: url)], naming: Self.link.pageHosts).refused.count == 1)
                #expect(Self.app.trusted(longLink: ControlParameters([key: url])).refused.count == 1)
            }
        }
    }

    private static let app = AppSettings(ownHosts: NamedHosts(["orchard.example"]))
    private static let link = ControlParameters([
        "$desktop_url": "https://partner.example/a", "$canonical_url": "https://blog.example/",
    ])

    @Test(arguments: [
        "https://orchard.example/x", "http://a.orchard.example", "https://partner.example", "https://blog.example/post",
        "https://apps.apple.com/app/id1", "market://details?id=a.b", "orchard://pears", "", "https://evil.example@orchard.example/",
    ])
    func aURLThatLeadsToTheAppsHostsOrTheLinksCounts(url: String) {
        let query = [QueryItem(name: "$fallback_url", value: url), QueryItem(name: "x", value: "1")]
        #expect(Self.app.trusted(query, naming: Self.link.pageHosts).items == query)
    }

    @Test(arguments: [
        "https://evil.example/", "//evil.example", "https://orchard.example@evil.example/", "HTTPS://EVIL.example",
        "https://evil.example#orchard.example", "https://evil.example[.orchard.example",
        "itms-apps://evil.example/", "https:\\\\evil.example", "https:/evil.example",
        "intent://evil.example/#Intent;scheme=https;end", "https://orchard.example.evil.example",
    ])
    func aURLOfAnotherSiteDoesNot(url: String) {
        for key in ["$fallback_url", "$desktop_url", "$ios_url_de", "$og_redirect", "$after_click_url"] {
            let (items, refused) = Self.app.trusted(
                [QueryItem(name: key, value: url), QueryItem(name: "x", value: "1")], naming: Self.link.pageHosts)
            #expect(items == [QueryItem(name: "x", value: "1")] && refused.count == 1, "\(key)")
            let (parameters, others) = Self.app.trusted(
                longLink: ControlParameters([key: url, "$ios_url": "https://orchard.example"]))
            #expect(parameters[key] == nil && parameters["$ios_url"] != nil && others.count == 1)
        }
    }

    @Test func aStoresRedirectingPageDoesNotCountEvenIfTheAppOrTheLinkNamesAPageOfTheStore() {
        let app = AppSettings(ownHosts: NamedHosts(["play.google.com"]))
        let link = ControlParameters(["$android_url": "https://play.google.com/store/apps/details?id=com.example.pear"])
        let query = [
            QueryItem(name: "$fallback_url", value: "https://play.google.com/store/apps/details?id=a"),
            QueryItem(name: "$desktop_url", value: "https://play.google.com/url?q=https://evil.example"),
        ]
        let (items, refused) = app.trusted(query, naming: link.pageHosts)
        #expect(items == [query[0]] && refused.count == 1)
    }

    @Test(arguments: [
        "https://play.google.com/store/../url?q=https://evil.example", "https://play.google.com/store/%2e%2E/url?q=x",
        "https://play.google.com/store/.%2e/url", "https://play.google.com/store/./../url", "https://play.google.com/store/..",
        "https://play.google.com/store/..%2Furl", "https://play.google.com/store/..\\url",
        "https://play.google.com/store/x%5C../../url",
        "https://apps.apple.com/app/../redirect?to=evil.example", "itms-apps://apps.apple.com/app/%2E%2e/redirect",
    ])
    func aStoresPageDoesNotCountIfBrowsersResolveItsPathToAnother(url: String) {
        let query = [QueryItem(name: "$fallback_url", value: url)]
        #expect(Self.app.trusted(query, naming: Self.link.pageHosts).refused.count == 1)
        #expect(Self.app.trusted(longLink: ControlParameters(["$fallback_url": url])).refused.count == 1)
    }

    @Test func dotsWithinASegmentOfAStoresPageAreAllowed() {
        let url = "https://apps.apple.com/de/app/pear...-no.1/id1"
        #expect(Self.app.trusted(longLink: ControlParameters(["$fallback_url": url])).refused.isEmpty)
    }
}
