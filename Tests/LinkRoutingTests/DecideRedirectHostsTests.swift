import LinkRouting
import Testing

/// Where links may lead: only to hosts on the app's list, to its own schemes, and to the stores.
@Suite struct DecideRedirectHostsTests {
    private typealias Row = DecideTests.Row

    private static let safari = Visitor(platform: .iOS, device: .iPhone, browser: WebBrowser(.safari))
    private static let firefox = Visitor(platform: .android, browser: WebBrowser(.firefox))
    private static let desktop = Visitor(platform: .desktop, device: .mac)
    private static let appStore = Target.unchanged("https://apps.apple.com/app/id1")
    private static let playStore = Target.playStore("https://play.google.com/store/apps/details?id=o")
    private static let opening = AppLink(scheme: "orchard", path: "open")

    private static let listed = {
        var app = DecideTests.app
        app.redirectHosts = RedirectHosts(["good.example", "*.pears.example"])
        return app
    }()

    private static let redirects: [Row] = [
        Row(
            name: "a host on the list", link: ["$desktop_url": "https://good.example/x"], app: listed, visitor: desktop,
            leads: .redirect(.web("https://good.example/x")), reason: .desktop),
        Row(
            name: "a host below one on the list", link: ["$desktop_url": "https://a.b.pears.example"], app: listed,
            visitor: desktop, leads: .redirect(.web("https://a.b.pears.example")), reason: .desktop),
        Row(
            name: "the app's own scheme is a way, too", link: ["$ios_url": "orchard://shop"], visitor: safari,
            leads: .openApp(opening, fallback: .unchanged("orchard://shop")), reason: .app),
        Row(
            name: "the App Store's own scheme leads to the App Store alone",
            link: ["$ios_url": "itms-apps://evil.example/x", "$use_https_app_store": "true"], app: listed, visitor: safari,
            leads: .openApp(opening, fallback: appStore), reason: .app),
        Row(
            name: "an intent names any app, so a list keeps it out", link: ["$android_url": "intent://x#Intent;scheme=evil;end"],
            app: listed, visitor: firefox, leads: .openApp(opening, fallback: playStore), reason: .app),
        Row(
            name: "the App Store is always a way", link: ["$ios_url": "https://apps.apple.com/app/id2"], app: listed,
            visitor: safari, leads: .openApp(opening, fallback: .unchanged("https://apps.apple.com/app/id2")), reason: .app),
    ]

    @Test(arguments: redirects)
    func aClickLeadsOnlyWhereTheAppAllows(row: DecideTests.Row) {
        let destination = decided(link: ControlParameters(row.link), app: row.app, visitor: row.visitor)
        #expect(destination == Destination(row.leads, reason: row.reason))
    }

    /// Each of these a browser takes to another host than a careless reader does, or to no web page at all.
    @Test(arguments: [
        "https://evil.example", "https://good.example.evil.example", "https://evil.example/good.example",
        "https://good.example@evil.example", "https://good.example:80@evil.example/", "https://evil.example\\good.example",
        "https://evil.example\\@good.example.evil.example", "https://evil.example?.pears.example",
        "https://evil.example#.pears.example", "//evil.example", "/\\evil.example", "https:evil.example",
        "https:/evil.example", "https:///evil.example", "\thttps://evil.example", " https://evil.example",
        "https://pears.example", "https://xpears.example", "http://[::1]/", "javascript:alert(1)", "JaVaScRiPt:alert(1)",
        "java\nscript:alert(1)", "data:text/html,<script>alert(1)</script>", "vbscript:x", "file:///etc/passwd",
        "blob:https://good.example/x", "about:blank", "ftp://good.example", "orchardx://open",
        "itms-apps://evil.example/x", "https://evil.example%2F.pears.example/", "https://evil.example[.pears.example",
        "https://evil.example].pears.example", "https://evil.example\u{FF0F}.pears.example",
        "https://evil.example:80:.pears.example", "https://[evil.example].pears.example",
    ])
    func nothingLeadsAstray(url: String) {
        for key in ["$desktop_url", "$fallback_url", "$mac_desktop_url"] {
            let destination = decide(link: ControlParameters([key: url]), app: Self.listed, visitor: Self.desktop)
            #expect(destination.action == .redirect(.web("https://o.example/desktop")), "\(key) \(url)")
        }
        for key in ["$ios_url", "$ios_url_de", "$fallback_url", "$fallback_url_de", "$ios_has_app_url"] {
            var visitor = Self.safari
            visitor.hasApp = true
            visitor.country = "DE"
            let destination = decide(link: ControlParameters([key: url]), app: Self.listed, visitor: visitor)
            #expect(destination.action == .openApp(Self.opening, fallback: Self.appStore), "\(key) \(url)")
        }
        let robot = Visitor(platform: .desktop, robot: .crawler)
        for key in ["$og_redirect", "$fallback_url"] {
            #expect(
                decide(link: ControlParameters([key: url]), app: Self.listed, visitor: robot).action == .preview, "\(key) \(url)")
        }
    }

    @Test func aLinkTellsWhichOfItsURLsLeadAstray() {
        let link = ControlParameters([
            "$ios_url": "https://evil.example", "$fallback_url_de": "https://evil.example", "$desktop_url": "https://good.example",
            "$canonical_url": "https://elsewhere.example", "$android_url": "javascript:alert(1)",
        ])
        #expect(link.disallowedRedirectKeys(Self.listed) == ["$fallback_url_de", "$ios_url"])
        #expect(link.disallowedRedirectKeys(DecideTests.app).isEmpty)
    }

    /// Browsers ignore the spaces, so they are left out before the path is compared: for seconds, if thousands of marks followed each other.
    @Test func aLongLinkShowsNoURLWithCombiningMarksThatSpacesKeepApart() {
        let url = "https://play.google.com/store/apps/details?id=orchard"
        let marks = String(repeating: String(repeating: "\u{301}\u{323}", count: 15) + " ", count: 1000)
        #expect(AppSettings().mayShow(url) && AppSettings().mayShow("Pears\u{301} and plums"))
        #expect(!AppSettings().mayShow("https://play.google.com/" + marks) && !AppSettings().mayShow(url + marks))
    }
}
