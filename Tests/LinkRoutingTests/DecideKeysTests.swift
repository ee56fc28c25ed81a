import LinkRouting
import Testing

/// Each key of a link that names a page or steers the way, on every kind of visitor for whom it matters, and on those for whom not.
@Suite struct DecideKeysTests {
    /// Where a visitor ends who does not open the app, by a link that has every one of these keys: each page's host is its key's name.
    struct PageRow: Sendable, CustomTestStringConvertible {
        let visitor: String
        /// The keys in the order in which they count; a key that is taken away leaves its place to the next.
        let keys: [String]

        var testDescription: String { visitor }
    }

    private static let visitors: [String: Visitor] = [
        "iPhone": Visitor(platform: .iOS, device: .iPhone), "iPad": Visitor(platform: .iOS, device: .iPad),
        "iPhone with the app": Visitor(platform: .iOS, device: .iPhone, hasApp: true),
        "iPhone in Germany": Visitor(platform: .iOS, device: .iPhone, country: "DE"),
        "iPad in Germany": Visitor(platform: .iOS, device: .iPad, country: "DE"),
        "WeChat on an iPhone": Visitor(platform: .iOS, device: .iPhone, inAppBrowser: .weChat),
        "Instagram on an iPhone": Visitor(platform: .iOS, device: .iPhone, inAppBrowser: .instagram),
        "Pixel": Visitor(platform: .android, maker: .google), "Samsung": Visitor(platform: .android, maker: .samsung),
        "Huawei": Visitor(platform: .android, maker: .huawei),
        "Samsung in Germany": Visitor(platform: .android, maker: .samsung, country: "DE"),
        "Pixel in Germany": Visitor(platform: .android, maker: .google, country: "DE"),
        "WeChat on Android": Visitor(platform: .android, inAppBrowser: .weChat),
        "Facebook on Android": Visitor(platform: .android, inAppBrowser: .facebook),
        "Fire tablet": Visitor(platform: .android, device: .fireTablet), "Fire TV": Visitor(platform: .android, device: .fireTV),
        "Fire tablet in Germany": Visitor(platform: .android, device: .fireTablet, country: "DE"),
        "Windows": Visitor(platform: .desktop, device: .windows), "Mac": Visitor(platform: .desktop, device: .mac),
        "Linux": Visitor(platform: .desktop, device: .linux), "Chromebook": Visitor(platform: .desktop, device: .chromeOS),
        "Mac in Germany": Visitor(platform: .desktop, device: .mac, country: "DE"),
        "HarmonyOS": Visitor(platform: .desktop, device: .harmony),
        "Windows Phone": Visitor(platform: .desktop, device: .windowsPhone),
        "BlackBerry": Visitor(platform: .desktop, device: .blackBerry),
        "what is loaded ahead": Visitor(platform: .iOS, device: .iPhone, robot: .prefetch),
        "robot": Visitor(platform: .desktop, robot: .crawler),
        "robot in Germany": Visitor(platform: .iOS, country: "DE", robot: .preview),
    ]

    private static let rows: [PageRow] = [
        PageRow(visitor: "iPhone", keys: ["$ios_url", "$fallback_url"]),
        PageRow(visitor: "iPad", keys: ["$ipad_url", "$ios_url", "$fallback_url"]),
        PageRow(visitor: "iPhone with the app", keys: ["$ios_has_app_url", "$ios_url", "$fallback_url"]),
        PageRow(visitor: "iPhone in Germany", keys: ["$ios_url_de", "$ios_url", "$fallback_url_de", "$fallback_url"]),
        PageRow(visitor: "iPad in Germany", keys: ["$ipad_url", "$ios_url_de", "$ios_url", "$fallback_url_de", "$fallback_url"]),
        PageRow(visitor: "WeChat on an iPhone", keys: ["$ios_wechat_url", "$ios_url", "$fallback_url"]),
        PageRow(visitor: "Instagram on an iPhone", keys: ["$ios_url", "$fallback_url"]),
        PageRow(visitor: "Pixel", keys: ["$android_url", "$fallback_url"]),
        PageRow(visitor: "Pixel in Germany", keys: ["$android_url_de", "$android_url", "$fallback_url_de", "$fallback_url"]),
        PageRow(visitor: "Samsung", keys: ["$samsung_url", "$android_url", "$fallback_url"]),
        PageRow(
            visitor: "Samsung in Germany",
            keys: ["$samsung_url", "$android_url_de", "$android_url", "$fallback_url_de", "$fallback_url"]),
        PageRow(visitor: "Huawei", keys: ["$huawei_url", "$android_url", "$fallback_url"]),
        PageRow(visitor: "WeChat on Android", keys: ["$android_wechat_url", "$android_url", "$fallback_url"]),
        PageRow(visitor: "Facebook on Android", keys: ["$android_url", "$fallback_url"]),
        PageRow(visitor: "Fire tablet", keys: ["$fire_url", "$android_url", "$fallback_url"]),
        PageRow(visitor: "Fire TV", keys: ["$fire_url", "$android_url", "$fallback_url"]),
        PageRow(
            visitor: "Fire tablet in Germany",
            keys: ["$fire_url", "$android_url_de", "$android_url", "$fallback_url_de", "$fallback_url"]),
        PageRow(visitor: "Windows", keys: ["$windows_desktop_url", "$desktop_url", "$fallback_url"]),
        PageRow(visitor: "Mac", keys: ["$mac_desktop_url", "$desktop_url", "$fallback_url"]),
        PageRow(visitor: "Mac in Germany", keys: ["$mac_desktop_url", "$desktop_url", "$fallback_url_de", "$fallback_url"]),
        PageRow(visitor: "Linux", keys: ["$desktop_url", "$fallback_url"]),
        PageRow(visitor: "Chromebook", keys: ["$desktop_url", "$fallback_url"]),
        PageRow(visitor: "HarmonyOS", keys: ["$huawei_url", "$desktop_url", "$fallback_url"]),
        PageRow(visitor: "Windows Phone", keys: ["$windows_phone_url", "$fallback_url"]),
        PageRow(visitor: "BlackBerry", keys: ["$blackberry_url", "$fallback_url"]),
        PageRow(visitor: "what is loaded ahead", keys: ["$ios_url", "$fallback_url"]),
        PageRow(visitor: "robot", keys: ["$og_redirect", "$fallback_url"]),
        PageRow(visitor: "robot in Germany", keys: ["$og_redirect", "$fallback_url"]),
    ]

    private static let all = Set(rows.flatMap(\.keys)).union(["$original_url", "$canonical_url", "$after_click_url"])

    /// A link with every key, from which they are taken one by one: the next in the order counts, and the rest never do.
    @Test(arguments: rows)
    func theKeysOfAVisitorCountInOrder(row: PageRow) throws {
        let visitor = try #require(Self.visitors[row.visitor])
        var keys = Self.all
        for expected in row.keys {
            #expect(Self.target(keys, visitor) == Self.url(expected), "with \(keys.sorted())")
            keys.remove(expected)
        }
        let target = Self.target(keys, visitor)
        #expect(!Self.all.contains { target == Self.url($0) }, "\(String(describing: target)) of \(keys.sorted())")
    }

    /// Keys by country, for example: they are checked when a visitor comes from that country.
    @Test func aLinkMayHoldAnyNumberOfPages() throws {
        let keys = Self.all.union((0..<100).map { "$ios_url_\($0)" })
        #expect(
            LinkURLs(of: ControlParameters(Dictionary(uniqueKeysWithValues: keys.map { ($0, Self.url($0)) })), DecideTests.app)
                == nil)
        let visitor = try #require(Self.visitors["Mac in Germany"])
        #expect(Self.target(keys, visitor) == Self.url("$mac_desktop_url"))
    }

    @Test func theAppsOwnPageIsTheLastForEach() {
        let app = AppSettings(
            ios: .init(customURL: "https://ios.example"), android: .init(customURL: "https://android.example"),
            desktop: .init(customURL: "https://desktop.example"), defaultURL: "https://default.example",
            fireURL: "https://fire.example", windowsPhoneURL: "https://windows.example", blackBerryURL: "https://blackberry.example"
        )
        for (name, host) in [
            ("iPhone", "ios"), ("Pixel", "android"), ("Fire tablet", "fire"), ("Fire TV", "fire"), ("Mac", "desktop"),
            ("Windows Phone", "windows"), ("BlackBerry", "blackberry"),
        ] {
            let action = decide(link: ControlParameters(), app: app, visitor: Self.visitors[name]!).action
            #expect(action.target?.address == "https://\(host).example", "\(name)")
        }
    }

    private static func target(_ keys: Set<String>, _ visitor: Visitor) -> String? {
        let link = ControlParameters(Dictionary(uniqueKeysWithValues: keys.map { ($0, url($0)) }))
        return decided(link: link, app: DecideTests.app, visitor: visitor).action.target?.address
    }

    private static func url(_ key: String) -> String {
        "https://" + key.dropFirst().replacing("_", with: "-") + ".example"
    }

    // MARK: Into the app

    @Test(arguments: ["iPhone", "Pixel", "Mac"])
    func aPlatformsOwnPathBeatsThePathForAll(name: String) throws {
        let visitor = try #require(Self.visitors[name])
        let own = ["iPhone": "$ios_deeplink_path", "Pixel": "$android_deeplink_path", "Mac": "$desktop_deeplink_path"]
        var link = Dictionary(uniqueKeysWithValues: own.values.map { ($0, $0) })
        link["$deeplink_path"] = "all"
        #expect(Self.app(link, visitor)?.path == own[name])
        link[own[name]!] = nil
        #expect(Self.app(link, visitor)?.path == "all")
        link["$deeplink_path"] = nil
        #expect(Self.app(link, visitor)?.path == "open")
    }

    @Test(arguments: [
        ("iPhone", "$ios_redirect_timeout", "2000", 2000), ("iPhone", "$ios_redirect_timeout", "0", 0),
        ("iPhone", "$ios_redirect_timeout", "10001", 750), ("iPhone", "$ios_redirect_timeout", "-1", 750),
        ("iPhone", "$android_redirect_timeout", "2000", 750), ("Pixel", "$android_redirect_timeout", "2000", 2000),
        ("Pixel", "$android_redirect_timeout", "soon", 750), ("Pixel", "$ios_redirect_timeout", "2000", 750),
        ("Mac", "$ios_redirect_timeout", "2000", 4000),
    ])
    func theTimeToWaitIsThePlatformsOwn(name: String, key: String, value: String, milliseconds: Int) throws {
        #expect(Self.app([key: value], try #require(Self.visitors[name]))?.timeout == milliseconds)
    }

    @Test(arguments: [
        ("iPhone", "$after_click_url", true), ("iPhone", "$afterclick_desktop_url", false), ("Pixel", "$after_click_url", false),
        ("Pixel", "$afterclick_desktop_url", false), ("Mac", "$after_click_url", false), ("Mac", "$afterclick_desktop_url", true),
    ])
    func thePageBehindTheAppIsThePlatformsOwn(name: String, key: String, counts: Bool) throws {
        let after = Self.app([key: "https://after.example"], try #require(Self.visitors[name]))?.afterURL
        #expect(after == (counts ? "https://after.example" : nil))
    }

    @Test(arguments: [
        ("iPhone", "$web_only", false), ("Pixel", "$web_only", false), ("Mac", "$web_only", false),
        ("iPhone", "$mobile_web_only", false),
        ("Pixel", "$mobile_web_only", false), ("Mac", "$mobile_web_only", true), ("iPhone", "$desktop_web_only", true),
        ("Pixel", "$desktop_web_only", true), ("Mac", "$desktop_web_only", false),
    ])
    func aWebOnlyLinkOpensNoApp(name: String, key: String, opens: Bool) throws {
        for value in ["true", "1", "TRUE", "yes"] {
            #expect((Self.app([key: value], try #require(Self.visitors[name])) != nil) == opens, "\(value)")
        }
        #expect(Self.app([key: "false"], try #require(Self.visitors[name])) != nil)
    }

    @Test(arguments: ["iPhone", "Pixel", "Mac"])
    func alwaysDeeplinkFalseOpensNoApp(name: String) throws {
        #expect(Self.app(["$always_deeplink": "false"], try #require(Self.visitors[name])) == nil)
        #expect(Self.app(["$always_deeplink": "true"], try #require(Self.visitors[name])) != nil)
    }

    @Test func alwaysDeeplinkFalseHoldsBackAnIntentToo() {
        let chrome = Visitor(platform: .android, browser: WebBrowser(.chrome))
        #expect(Self.app([:], chrome)?.opensByIntent == true)
        #expect(Self.app(["$always_deeplink": "false"], chrome) == nil)
    }

    /// A link for the web leads to a store only if it has no other target.
    @Test(arguments: ["iPhone", "Pixel"])
    func aWebOnlyLinkLeadsToTheWebBeforeTheStore(name: String) throws {
        let visitor = try #require(Self.visitors[name])
        let link = ControlParameters(["$web_only": "true"])
        #expect(decide(link: link, app: DecideTests.app, visitor: visitor).action.target?.address == "https://o.example")
        var app = DecideTests.app
        app.defaultURL = nil
        #expect(decide(link: link, app: app, visitor: visitor).action.target?.isStore == true)
    }

    @Test func aPageOfGooglePlayPassesTheClickOnWhereverItIsConfigured() {
        let store = "https://play.google.com/store/apps/details?id=com.example.orchard"
        var app = AppSettings(android: .init(uriScheme: "orchard", packageName: "com.example.orchard"))
        let pixel = Visitor(platform: .android, maker: .google)
        let link = ControlParameters(["$android_url": store, "~channel": "mail"])
        #expect(decide(link: link, app: app, visitor: pixel).action.target == .playStore(store))
        app.android.customURL = store
        #expect(decide(link: ControlParameters(), app: app, visitor: pixel).action.target == .playStore(store))
        let other = ControlParameters(["$android_url": store + "&referrer=mine"])
        #expect(decide(link: other, app: app, visitor: pixel).action.target == .unchanged(store + "&referrer=mine"))
    }

    @Test func nativeLinkNeedsAPlaceToGoAndALinkThatIsNotForTheWeb() {
        let iPhone = Visitor(platform: .iOS)
        let native = ["$ios_nativelink": "true"]
        #expect(decide(link: ControlParameters(native), app: AppSettings(), visitor: iPhone).reason == .noApp)
        let web = ControlParameters(native.merging(["$web_only": "true"]) { $1 })
        #expect(decide(link: web, app: DecideTests.app, visitor: iPhone).reason == .webOnly)
        let quiet = ControlParameters(native.merging(["$always_deeplink": "false"]) { $1 })
        #expect(decide(link: quiet, app: DecideTests.app, visitor: iPhone).action.appLink == nil)
        let desktop = decide(link: ControlParameters(native), app: DecideTests.app, visitor: Visitor(platform: .desktop))
        #expect(desktop.reason == .desktop)
    }

    private static func app(_ link: [String: String], _ visitor: Visitor) -> AppLink? {
        var settings = DecideTests.app
        settings.desktop.uriScheme = "orchard"
        return decide(link: ControlParameters(link), app: settings, visitor: visitor).action.appLink
    }
}
