import LinkRouting
import Testing

/// Where a click leads, row by row.
@Suite struct DecideTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        var link: [String: String] = [:]
        var app = DecideTests.app
        var visitor = Visitor(platform: .iOS)
        let leads: Destination.Action
        let reason: Destination.Reason

        var testDescription: String { name }
    }

    static let app = AppSettings(
        ios: .init(uriScheme: "orchard", storeURL: "https://apps.apple.com/app/id1"),
        android: .init(uriScheme: "orchard", storeURL: "https://play.google.com/store/apps/details?id=o"),
        desktop: .init(customURL: "https://o.example/desktop"), defaultURL: "https://o.example")
    private static let bare = AppSettings(defaultURL: "https://o.example")
    private static let iOS = Visitor(platform: .iOS)
    private static let android = Visitor(platform: .android)
    private static let desktop = Visitor(platform: .desktop)
    private static let robot = Visitor(platform: .desktop, robot: .crawler)
    private static let appStore = Target.unchanged("https://apps.apple.com/app/id1")
    private static let playStore = Target.playStore("https://play.google.com/store/apps/details?id=o")

    static let rows: [Row] = [
        Row(name: "iOS opens the app, else the App Store", leads: .openApp(opening("open"), fallback: appStore), reason: .app),
        Row(
            name: "Android opens the app, else Google Play", visitor: android,
            leads: .openApp(opening("open"), fallback: playStore), reason: .app),
        Row(
            name: "$deeplink_path is for all", link: ["$deeplink_path": "a/b?c=d"],
            leads: .openApp(opening("a/b?c=d"), fallback: appStore), reason: .app),
        Row(
            name: "$ios_deeplink_path beats it",
            link: ["$deeplink_path": "a", "$ios_deeplink_path": "i", "$android_deeplink_path": "n"],
            leads: .openApp(opening("i"), fallback: appStore), reason: .app),
        Row(
            name: "$android_deeplink_path beats it",
            link: ["$deeplink_path": "a", "$ios_deeplink_path": "i", "$android_deeplink_path": "n"], visitor: android,
            leads: .openApp(opening("n"), fallback: playStore), reason: .app),
        Row(
            name: "$ios_url is the fallback before $fallback_url",
            link: ["$ios_url": "https://i.example", "$fallback_url": "https://f.example"],
            leads: .openApp(opening("open"), fallback: .web("https://i.example")), reason: .app),
        Row(
            name: "$fallback_url is the fallback before the store", link: ["$fallback_url": "https://f.example"], visitor: android,
            leads: .openApp(opening("open"), fallback: .web("https://f.example")), reason: .app),
        Row(
            name: "another platform's URL is not mine",
            link: ["$android_url": "https://n.example", "$desktop_url": "https://d.example"],
            leads: .openApp(opening("open"), fallback: appStore), reason: .app),
        Row(
            name: "the app's own URL comes before its store",
            app: AppSettings(ios: .init(uriScheme: "orchard", storeURL: "https://s.example", customURL: "https://c.example")),
            leads: .openApp(opening("open"), fallback: .web("https://c.example")), reason: .app),
        Row(
            name: "$always_deeplink false leaves the app alone", link: ["$always_deeplink": "false"], leads: .redirect(appStore),
            reason: .deepLinkingOff),
        Row(
            name: "$web_only stays on the web", link: ["$web_only": "true", "$fallback_url": "https://f.example"],
            leads: .redirect(.web("https://f.example")), reason: .webOnly),
        Row(
            name: "$mobile_web_only too", link: ["$mobile_web_only": "1", "$android_url": "https://n.example"], visitor: android,
            leads: .redirect(.web("https://n.example")), reason: .webOnly),
        Row(
            name: "an app not set up for the platform goes straight on", app: bare, visitor: android,
            leads: .redirect(.web("https://o.example")), reason: .noApp),
        Row(name: "nowhere to go", app: AppSettings(), leads: .nowhere, reason: .noApp),
        Row(
            name: "a desktop goes to $desktop_url",
            link: ["$desktop_url": "https://d.example", "$fallback_url": "https://f.example"],
            visitor: desktop, leads: .redirect(.web("https://d.example")), reason: .desktop),
        Row(
            name: "else to $fallback_url", link: ["$fallback_url": "https://f.example"], visitor: desktop,
            leads: .redirect(.web("https://f.example")), reason: .desktop),
        Row(
            name: "else to the app's desktop URL", visitor: desktop, leads: .redirect(.web("https://o.example/desktop")),
            reason: .desktop),
        Row(
            name: "else to the default URL", app: bare, visitor: desktop, leads: .redirect(.web("https://o.example")),
            reason: .desktop),
        Row(
            name: "labels go on to the link's own page as UTM parameters",
            link: ["$desktop_url": "https://d.example/?a=1", "~campaign": "June & July", "~channel": "mail", "~feature": "share"],
            visitor: desktop,
            leads: .redirect(
                .web("https://d.example/?a=1&utm_campaign=June%20%26%20July&utm_source=mail&utm_medium=share")),
            reason: .desktop),
        Row(
            name: "what the page's address says itself stays",
            link: ["$ios_url": "https://i.example?utm_source=me#top", "~channel": "mail", "~feature": "share"],
            leads: .openApp(opening("open"), fallback: .web("https://i.example?utm_source=me&utm_medium=share#top")), reason: .app),
        Row(
            name: "no labels are appended to the app's own pages and its store", link: ["~channel": "mail"], visitor: desktop,
            leads: .redirect(.web("https://o.example/desktop")), reason: .desktop),
        Row(
            name: "an app may keep its labels to itself", link: ["$fallback_url": "https://f.example", "~channel": "mail"],
            app: AppSettings(passesLabelsOn: false), visitor: desktop, leads: .redirect(.web("https://f.example")),
            reason: .desktop),
        Row(
            name: "an iPad has a URL of its own", link: ["$ipad_url": "https://p.example", "$ios_url": "https://i.example"],
            visitor: Visitor(platform: .iOS, device: .iPad),
            leads: .openApp(opening("open"), fallback: .web("https://p.example")), reason: .app),
        Row(
            name: "which an iPhone does not take", link: ["$ipad_url": "https://p.example", "$ios_url": "https://i.example"],
            visitor: Visitor(platform: .iOS, device: .iPhone),
            leads: .openApp(opening("open"), fallback: .web("https://i.example")), reason: .app),
        Row(
            name: "inside WeChat on iOS", link: ["$ios_wechat_url": "https://w.example", "$ios_url": "https://i.example"],
            visitor: Visitor(platform: .iOS, inAppBrowser: .weChat),
            leads: .openApp(opening("open"), fallback: .web("https://w.example")), reason: .app),
        Row(
            name: "inside WeChat on Android",
            link: ["$android_wechat_url": "https://w.example", "$android_url": "https://n.example"],
            visitor: Visitor(platform: .android, inAppBrowser: .weChat), leads: .redirect(.web("https://w.example")),
            reason: .schemeHeldBack),
        Row(
            name: "a Samsung", link: ["$samsung_url": "https://s.example", "$android_url": "https://n.example"],
            visitor: Visitor(platform: .android, maker: .samsung),
            leads: .openApp(opening("open"), fallback: .web("https://s.example")), reason: .app),
        Row(
            name: "a Huawei", link: ["$huawei_url": "https://h.example"], visitor: Visitor(platform: .android, maker: .huawei),
            leads: .openApp(opening("open"), fallback: .web("https://h.example")), reason: .app),
        Row(
            name: "a Pixel is neither", link: ["$huawei_url": "https://h.example", "$samsung_url": "https://s.example"],
            visitor: Visitor(platform: .android, maker: .google), leads: .openApp(opening("open"), fallback: playStore),
            reason: .app),
        Row(
            name: "a Fire tablet", link: ["$fire_url": "https://z.example"],
            visitor: Visitor(platform: .android, device: .fireTablet),
            leads: .openApp(opening("open"), fallback: .web("https://z.example")), reason: .app),
        Row(
            name: "which is never sent to Google Play", visitor: Visitor(platform: .android, device: .fireTablet),
            leads: .openApp(opening("open"), fallback: .web("https://o.example")), reason: .app),
        Row(
            name: "Windows", link: ["$windows_desktop_url": "https://w.example", "$desktop_url": "https://d.example"],
            visitor: Visitor(platform: .desktop, device: .windows), leads: .redirect(.web("https://w.example")),
            reason: .desktop),
        Row(
            name: "a Mac", link: ["$mac_desktop_url": "https://m.example", "$windows_desktop_url": "https://w.example"],
            visitor: Visitor(platform: .desktop, device: .mac), leads: .redirect(.web("https://m.example")), reason: .desktop
        ),
        Row(
            name: "a Windows Phone", link: ["$windows_phone_url": "https://w.example", "$desktop_url": "https://d.example"],
            visitor: Visitor(platform: .desktop, device: .windowsPhone), leads: .redirect(.web("https://w.example")),
            reason: .desktop),
        Row(
            name: "a BlackBerry", link: ["$blackberry_url": "https://b.example"],
            visitor: Visitor(platform: .desktop, device: .blackBerry), leads: .redirect(.web("https://b.example")),
            reason: .desktop),
        Row(
            name: "what is loaded ahead is what its user would get", visitor: Visitor(platform: .iOS, robot: .prefetch),
            leads: .openApp(opening("open"), fallback: appStore), reason: .app),
        Row(
            name: "a link says how long to wait for its app, on each system",
            link: ["$ios_redirect_timeout": "2000", "$android_redirect_timeout": "100"],
            leads: .openApp(AppLink(scheme: "orchard", path: "open", timeout: 2000), fallback: appStore), reason: .app),
        Row(
            name: "but not for ever, and not by no number", link: ["$android_redirect_timeout": "99999999"], visitor: android,
            leads: .openApp(AppLink(scheme: "orchard", path: "open", timeout: 750), fallback: playStore), reason: .app),
        Row(
            name: "a page to come back to, on iOS", link: ["$after_click_url": "https://a.example"],
            leads: .openApp(AppLink(scheme: "orchard", path: "open", afterURL: "https://a.example"), fallback: appStore),
            reason: .app),
        Row(
            name: "which is no script", link: ["$after_click_url": "javascript:alert(1)"],
            leads: .openApp(opening("open"), fallback: appStore), reason: .app),
        Row(
            name: "and not for Android", link: ["$after_click_url": "https://a.example"], visitor: android,
            leads: .openApp(opening("open"), fallback: playStore), reason: .app),
        Row(
            name: "a URL for a country, on iOS", link: ["$ios_url_de": "https://de.example", "$ios_url": "https://i.example"],
            visitor: Visitor(platform: .iOS, country: "DE"),
            leads: .openApp(opening("open"), fallback: .web("https://de.example")), reason: .app),
        Row(
            name: "on Android", link: ["$android_url_de": "https://de.example", "$android_url": "https://n.example"],
            visitor: Visitor(platform: .android, country: "DE"),
            leads: .openApp(opening("open"), fallback: .web("https://de.example")), reason: .app),
        Row(
            name: "on all platforms", link: ["$fallback_url_de": "https://de.example", "$fallback_url": "https://f.example"],
            visitor: Visitor(platform: .desktop, country: "DE"), leads: .redirect(.web("https://de.example")),
            reason: .desktop),
        Row(
            name: "the platform comes before the country",
            link: ["$fallback_url_de": "https://de.example", "$ios_url": "https://i.example"],
            visitor: Visitor(platform: .iOS, country: "DE"),
            leads: .openApp(opening("open"), fallback: .web("https://i.example")), reason: .app),
        Row(
            name: "another country's URL is not mine",
            link: ["$fallback_url_de": "https://de.example", "$fallback_url": "https://f.example"],
            visitor: Visitor(platform: .desktop, country: "AT"), leads: .redirect(.web("https://f.example")),
            reason: .desktop),
        Row(
            name: "$use_https_app_store leads to the store's page on the web", link: ["$use_https_app_store": "true"],
            app: AppSettings(ios: .init(uriScheme: "orchard", storeURL: "itms-apps://apps.apple.com/app/id1")),
            leads: .openApp(opening("open"), fallback: appStore), reason: .app),
        Row(
            name: "else to the store itself",
            app: AppSettings(ios: .init(uriScheme: "orchard", storeURL: "itms-apps://apps.apple.com/app/id1")),
            leads: .openApp(opening("open"), fallback: .unchanged("itms-apps://apps.apple.com/app/id1")), reason: .app),
        Row(
            name: "$desktop_web_only is where desktops go anyway",
            link: ["$desktop_web_only": "true", "$desktop_url": "https://d.example"], visitor: desktop,
            leads: .redirect(.web("https://d.example")), reason: .desktop),
        Row(
            name: "a robot goes where the link's tags are",
            link: ["$og_redirect": "https://t.example", "$fallback_url": "https://f.example"], visitor: robot,
            leads: .redirect(.unchanged("https://t.example")), reason: .robotFallback),
        Row(
            name: "a robot goes to $fallback_url",
            link: ["$fallback_url": "https://f.example", "$desktop_url": "https://d.example"],
            visitor: robot, leads: .redirect(.unchanged("https://f.example")), reason: .robotFallback),
        Row(
            name: "a store's page named by the link gets no match id",
            link: ["$ios_url": "https://apps.apple.com/app/id2", "$desktop_url": "https://d.example"],
            leads: .openApp(opening("open"), fallback: .unchanged("https://apps.apple.com/app/id2")), reason: .app),
        Row(
            name: "nor does another app's scheme", link: ["$desktop_url": "orchard://shop"], visitor: desktop,
            leads: .redirect(.unchanged("orchard://shop")), reason: .desktop),
        Row(name: "or sees a preview", visitor: robot, leads: .preview, reason: .robotPreview),
        Row(
            name: "what is no web page is passed over",
            link: ["$desktop_url": "javascript:alert(1)", "$fallback_url": "data:text/html,x"], visitor: desktop,
            leads: .redirect(.web("https://o.example/desktop")), reason: .desktop),
        Row(
            name: "nothing breaks out of a header", link: ["$desktop_url": "https://d.example/a b\r\nX: \"y\""], visitor: desktop,
            leads: .redirect(.web("https://d.example/a%20b%0D%0AX:%20%22y%22")), reason: .desktop),
    ]

    @Test(arguments: rows)
    func aClickLeadsWhereTheTableSays(row: Row) {
        let destination = decided(link: ControlParameters(row.link), app: row.app, visitor: row.visitor)
        #expect(destination == Destination(row.leads, reason: row.reason))
    }

    @Test func whatIsAppendedToALinkBeatsWhatItStores() {
        let link = ControlParameters(["$desktop_url": "https://stored.example"])
            .overridden(by: URLParts.queryItems("%24desktop_url=https%3A%2F%2Fappended.example&x=1"))
        let destination = decide(link: link, app: Self.app, visitor: Self.desktop)
        #expect(destination.action == .redirect(.web("https://appended.example")))
    }

    private static func opening(_ path: String) -> AppLink { AppLink(scheme: "orchard", path: path) }
}

/// What is decided, whether or not the link's pages were worked out before, and whether for the visitor or its class.
func decided(link: ControlParameters, app: AppSettings, visitor: Visitor) -> Destination {
    let destination = decide(link: link, app: app, visitor: visitor)
    #expect(destination == decide(link: link, app: app, visitor: visitor, urls: LinkURLs(of: link, app)))
    if let urls = LinkURLs(of: link, app) {
        #expect(destination == decide(link: link, app: app, visitor: VisitorClass(visitor, of: urls), urls: urls))
    }
    return destination
}
