import LinkRouting
import Testing

/// How a click gets into the app or past it: deepviews, NativeLink, redirect modes, intents and apps for desktops, row by row.
@Suite struct DecideModesTests {
    private typealias Row = DecideTests.Row

    private static let app = DecideTests.app
    private static let safari = Visitor(platform: .iOS, device: .iPhone, browser: WebBrowser(.safari))
    private static let chrome = Visitor(platform: .android, browser: WebBrowser(.chrome))
    private static let firefox = Visitor(platform: .android, browser: WebBrowser(.firefox))
    private static let instagram = Visitor(platform: .android, inAppBrowser: .instagram)
    private static let desktop = Visitor(platform: .desktop, device: .mac)
    private static let appStore = Target.unchanged("https://apps.apple.com/app/id1")
    private static let playStore = Target.playStore("https://play.google.com/store/apps/details?id=o")
    private static let opening = AppLink(scheme: "orchard", path: "open")
    private static let intent = AppLink(scheme: "orchard", path: "open", opensByIntent: true)
    private static let desktopOpening = AppLink(scheme: "orchard", path: "open", timeout: AppLink.desktopTimeout)
    /// Past the app, with a page left behind.
    private static let past = Destination.Action.deepview(
        Deepview(app: opening, fallback: appStore, isPassive: true, triesApp: false))

    // MARK: Deepviews

    private static let deepviews: [Row] = [
        Row(
            name: "$ios_deepview stays until its button is pressed", link: ["$ios_deepview": "branch_default"], visitor: safari,
            leads: .deepview(Deepview(app: opening, fallback: appStore)), reason: .deepview),
        Row(
            name: "$android_deepview too", link: ["$android_deepview": "my_template"], visitor: firefox,
            leads: .deepview(Deepview(app: opening, fallback: playStore)), reason: .deepview),
        Row(
            name: "$desktop_deepview too", link: ["$desktop_deepview": "true"], visitor: desktop,
            leads: .deepview(Deepview(app: nil, fallback: .web("https://o.example/desktop"))), reason: .deepview),
        Row(
            name: "another platform's deepview is not mine", link: ["$ios_deepview": "x", "$desktop_deepview": "x"],
            visitor: firefox, leads: .openApp(opening, fallback: playStore), reason: .app),
        Row(
            name: "a deepview comes before $fallback_url",
            link: ["$ios_deepview": "x", "$fallback_url": "https://f.example"], visitor: safari,
            leads: .deepview(Deepview(app: opening, fallback: .web("https://f.example"))), reason: .deepview),
        Row(
            name: "on desktops too", link: ["$desktop_deepview": "x", "$fallback_url": "https://f.example"], visitor: desktop,
            leads: .deepview(Deepview(app: nil, fallback: .web("https://f.example"))), reason: .deepview),
        Row(
            name: "a desktop's deepview opens an app for desktops", link: ["$desktop_deepview": "x"],
            app: with { $0.desktop.uriScheme = "orchard" }, visitor: desktop,
            leads: .deepview(Deepview(app: desktopOpening, fallback: .web("https://o.example/desktop"))), reason: .deepview),
        Row(
            name: "a deepview for all links on Android", app: with { $0.android.showsDeepview = true }, visitor: firefox,
            leads: .deepview(Deepview(app: opening, fallback: playStore)), reason: .deepview),
        Row(
            name: "and on desktops", app: with { $0.desktop.showsDeepview = true }, visitor: desktop,
            leads: .deepview(Deepview(app: nil, fallback: .web("https://o.example/desktop"))), reason: .deepview),
        Row(
            name: "$android_url comes before a deepview", link: ["$android_deepview": "x", "$android_url": "https://n.example"],
            visitor: firefox, leads: .openApp(opening, fallback: .web("https://n.example")), reason: .app),
        Row(
            name: "$fallback_url after it", link: ["$android_deepview": "x", "$fallback_url": "https://f.example"],
            visitor: firefox, leads: .deepview(Deepview(app: opening, fallback: .web("https://f.example"))), reason: .deepview),
        Row(
            name: "a deepview's button is an intent where the browser takes one", link: ["$android_deepview": "x"], visitor: chrome,
            leads: .deepview(Deepview(app: intent, fallback: playStore)), reason: .deepview),
        Row(
            name: "but the platform's own URL before the deepview",
            link: ["$ios_deepview": "x", "$ios_url": "https://i.example"], visitor: safari,
            leads: .openApp(opening, fallback: .web("https://i.example")), reason: .app),
        Row(
            name: "on desktops too", link: ["$desktop_deepview": "x", "$desktop_url": "https://d.example"], visitor: desktop,
            leads: .redirect(.web("https://d.example")), reason: .desktop),
        Row(
            name: "an app may have deepviews for all its links", app: with { $0.ios.showsDeepview = true }, visitor: safari,
            leads: .deepview(Deepview(app: opening, fallback: appStore)), reason: .deepview),
        Row(
            name: "which a link turns off", link: ["$ios_deepview": "false"], app: with { $0.ios.showsDeepview = true },
            visitor: safari, leads: .openApp(opening, fallback: appStore), reason: .app),
        Row(
            name: "a web-only link has none", link: ["$web_only": "true", "$ios_deepview": "x", "$desktop_deepview": "x"],
            visitor: safari, leads: .redirect(.web("https://o.example")), reason: .webOnly),
        Row(
            name: "nor on desktops", link: ["$web_only": "true", "$desktop_deepview": "x"], visitor: desktop,
            leads: .redirect(.web("https://o.example/desktop")), reason: .desktop),
        Row(
            name: "no mode makes a deepview try the app by itself",
            link: ["$ios_deepview": "x", "$uri_redirect_mode": "2"], visitor: safari,
            leads: .deepview(Deepview(app: opening, fallback: appStore)), reason: .deepview),
        Row(
            name: "a deepview of a link that is not to open the app leads to the store",
            link: ["$ios_deepview": "x", "$always_deeplink": "false"], visitor: safari,
            leads: .deepview(Deepview(app: nil, fallback: appStore)), reason: .deepview),
        Row(
            name: "a passive deepview goes on by itself", link: ["$ios_passive_deepview": "branch_default"], visitor: safari,
            leads: .deepview(Deepview(app: opening, fallback: appStore, isPassive: true)), reason: .passiveDeepview),
        Row(
            name: "on Android too", link: ["$android_passive_deepview": "branch_default"], visitor: firefox,
            leads: .deepview(Deepview(app: opening, fallback: playStore, isPassive: true)), reason: .passiveDeepview),
        Row(
            name: "false turns it off", link: ["$ios_passive_deepview": "false"], visitor: safari,
            leads: .openApp(opening, fallback: appStore), reason: .app),
        Row(
            name: "an active one comes before a passive one",
            link: ["$ios_passive_deepview": "x", "$ios_deepview": "x"], visitor: safari,
            leads: .deepview(Deepview(app: opening, fallback: appStore)), reason: .deepview),
        Row(
            name: "$desktop_passive_deepview is for apps on desktops", link: ["$desktop_passive_deepview": "x"],
            app: with { $0.desktop.uriScheme = "orchard" }, visitor: desktop,
            leads: .deepview(
                Deepview(app: desktopOpening, fallback: .web("https://o.example/desktop"), isPassive: true)),
            reason: .passiveDeepview),
        Row(
            name: "$ios_nativelink puts the link onto the clipboard", link: ["$ios_nativelink": "true"], visitor: safari,
            leads: .deepview(Deepview(app: opening, fallback: appStore, copiesLink: true)), reason: .nativeLink),
        Row(
            name: "on no other system", link: ["$ios_nativelink": "true"], visitor: firefox,
            leads: .openApp(opening, fallback: playStore), reason: .app),
    ]

    // MARK: Redirect modes

    private static let modes: [Row] = [
        Row(
            name: "mode 0 leaves the scheme alone", link: ["$uri_redirect_mode": "0"], visitor: safari, leads: past,
            reason: .schemeHeldBack),
        Row(
            name: "Chrome on iOS is redirected", link: ["$uri_redirect_mode": "0"],
            visitor: Visitor(platform: .iOS, browser: WebBrowser(.chrome)), leads: .redirect(appStore), reason: .schemeHeldBack),
        Row(
            name: "so is Safari where no passive deepview is wanted",
            link: ["$uri_redirect_mode": "0", "$ios_passive_deepview": "false"], visitor: safari, leads: .redirect(appStore),
            reason: .schemeHeldBack),
        Row(
            name: "or where the way leads to no store", link: ["$uri_redirect_mode": "0", "$ios_url": "https://i.example"],
            visitor: safari, leads: .redirect(.web("https://i.example")), reason: .schemeHeldBack),
        Row(
            name: "Facebook is shown a page, as Safari is", link: ["$uri_redirect_mode": "0"],
            visitor: Visitor(platform: .iOS, inAppBrowser: .facebook), leads: past, reason: .schemeHeldBack),
        Row(
            name: "a passive deepview is shown past the app as well",
            link: ["$android_uri_redirect_mode": "0", "$android_passive_deepview": "x"], visitor: firefox,
            leads: .deepview(Deepview(app: opening, fallback: playStore, isPassive: true, triesApp: false)),
            reason: .schemeHeldBack),
        Row(
            name: "also where there is no app to try", link: ["$ios_passive_deepview": "x"], app: with { $0.ios.uriScheme = nil },
            visitor: safari, leads: .deepview(Deepview(app: nil, fallback: appStore, isPassive: true, triesApp: false)),
            reason: .noApp),
        Row(
            name: "mode 1 too, if the app is not known to be installed", link: ["$uri_redirect_mode": "1"], visitor: safari,
            leads: past, reason: .schemeHeldBack),
        Row(
            name: "mode 1 tries it for who has the app", link: ["$uri_redirect_mode": "1"], visitor: with(safari, hasApp: true),
            leads: .openApp(opening, fallback: appStore), reason: .app),
        Row(
            name: "mode 2 tries it always", link: ["$uri_redirect_mode": "2"], visitor: with(safari, hasApp: false),
            leads: .openApp(opening, fallback: appStore), reason: .app),
        Row(
            name: "without a mode it is tried", visitor: safari, leads: .openApp(opening, fallback: appStore), reason: .app),
        Row(
            name: "but not for who is known to lack the app", visitor: with(safari, hasApp: false), leads: past,
            reason: .withoutApp),
        Row(
            name: "$ios_uri_redirect_mode beats the mode for all",
            link: ["$ios_uri_redirect_mode": "0", "$uri_redirect_mode": "2"], visitor: safari, leads: past,
            reason: .schemeHeldBack),
        Row(
            name: "with each of its values", link: ["$ios_uri_redirect_mode": "1"], visitor: safari, leads: past,
            reason: .schemeHeldBack),
        Row(
            name: "and not on Android", link: ["$ios_uri_redirect_mode": "0"], visitor: firefox,
            leads: .openApp(opening, fallback: playStore), reason: .app),
        Row(
            name: "mode 0 on Android where no intent is taken", link: ["$uri_redirect_mode": "0"], visitor: firefox,
            leads: .redirect(playStore), reason: .schemeHeldBack),
        Row(
            name: "mode 1 on Android", link: ["$uri_redirect_mode": "1"], visitor: firefox, leads: .redirect(playStore),
            reason: .schemeHeldBack),
        Row(
            name: "mode 1 on Android with the app", link: ["$uri_redirect_mode": "1"], visitor: with(firefox, hasApp: true),
            leads: .openApp(opening, fallback: playStore), reason: .app),
        Row(
            name: "$android_uri_redirect_mode 1 and 2", link: ["$android_uri_redirect_mode": "2", "$uri_redirect_mode": "0"],
            visitor: instagram, leads: .openApp(opening, fallback: playStore), reason: .app),
        Row(
            name: "a web view on Android is not given a scheme unasked", visitor: instagram, leads: .redirect(playStore),
            reason: .schemeHeldBack),
        Row(
            name: "unless the app is there", visitor: with(instagram, hasApp: true),
            leads: .openApp(opening, fallback: playStore), reason: .app),
        Row(
            name: "mode 0 on desktops", link: ["$uri_redirect_mode": "0"], app: with { $0.desktop.uriScheme = "orchard" },
            visitor: desktop, leads: .redirect(.web("https://o.example/desktop")), reason: .schemeHeldBack),
        Row(
            name: "mode 1 on desktops", link: ["$uri_redirect_mode": "1"], app: with { $0.desktop.uriScheme = "orchard" },
            visitor: desktop, leads: .redirect(.web("https://o.example/desktop")), reason: .schemeHeldBack),
        Row(
            name: "mode 2 on desktops", link: ["$uri_redirect_mode": "2"], app: with { $0.desktop.uriScheme = "orchard" },
            visitor: desktop, leads: .openApp(desktopOpening, fallback: .web("https://o.example/desktop")), reason: .app),
        Row(
            name: "$android_uri_redirect_mode too", link: ["$android_uri_redirect_mode": "0", "$uri_redirect_mode": "2"],
            visitor: firefox, leads: .redirect(playStore), reason: .schemeHeldBack),
        Row(
            name: "and is not for iOS", link: ["$android_uri_redirect_mode": "0"], visitor: safari,
            leads: .openApp(opening, fallback: appStore), reason: .app),
        Row(
            name: "an app has a mode for all its links", app: with { $0.uriRedirectMode = .conservative }, visitor: safari,
            leads: past, reason: .schemeHeldBack),
        Row(
            name: "which a link overrules", link: ["$uri_redirect_mode": "2"], app: with { $0.uriRedirectMode = .conservative },
            visitor: safari, leads: .openApp(opening, fallback: appStore), reason: .app),
        Row(
            name: "what is no mode says nothing", link: ["$uri_redirect_mode": "3"], visitor: safari,
            leads: .openApp(opening, fallback: appStore), reason: .app),
        Row(
            name: "Chrome on Android takes an intent, which needs no mode", link: ["$uri_redirect_mode": "0"], visitor: chrome,
            leads: .openApp(intent, fallback: playStore), reason: .app),
        Row(
            name: "a browser inside an app does not", link: ["$uri_redirect_mode": "0"], visitor: instagram,
            leads: .redirect(playStore), reason: .schemeHeldBack),
        Row(
            name: "always_open_app off is for all links of an app", app: with { $0.alwaysOpensApp = false }, visitor: safari,
            leads: .redirect(appStore), reason: .deepLinkingOff),
        Row(
            name: "but for one that says otherwise", link: ["$always_deeplink": "true"], app: with { $0.alwaysOpensApp = false },
            visitor: safari, leads: .openApp(opening, fallback: appStore), reason: .app),
        Row(
            name: "$ios_has_app_url is for who has the app",
            link: ["$ios_has_app_url": "https://h.example", "$ios_url": "https://i.example"], visitor: with(safari, hasApp: true),
            leads: .openApp(opening, fallback: .web("https://h.example")), reason: .app),
        Row(
            name: "and for no other visitor", link: ["$ios_has_app_url": "https://h.example", "$ios_url": "https://i.example"],
            visitor: safari, leads: .openApp(opening, fallback: .web("https://i.example")), reason: .app),
    ]

    // MARK: Desktops

    private static let desktops: [Row] = [
        Row(
            name: "a desktop without a target gets the page that sends the link to a phone", app: AppSettings(), visitor: desktop,
            leads: .sendToPhone, reason: .desktop),
        Row(
            name: "an app for desktops is opened", link: ["$deeplink_path": "pears"],
            app: with { $0.desktop.uriScheme = "orchard" }, visitor: desktop,
            leads: .openApp(
                AppLink(scheme: "orchard", path: "pears", timeout: AppLink.desktopTimeout),
                fallback: .web("https://o.example/desktop")),
            reason: .app),
        Row(
            name: "at $desktop_deeplink_path, and gone on behind",
            link: [
                "$deeplink_path": "all", "$desktop_deeplink_path": "here", "$afterclick_desktop_url": "https://a.example",
                "$desktop_url": "https://d.example",
            ], app: with { $0.desktop.uriScheme = "orchard" }, visitor: desktop,
            leads: .openApp(
                AppLink(scheme: "orchard", path: "here", timeout: AppLink.desktopTimeout, afterURL: "https://a.example"),
                fallback: .web("https://d.example")),
            reason: .app),
        Row(
            name: "$desktop_web_only leaves it alone", link: ["$desktop_web_only": "true"],
            app: with { $0.desktop.uriScheme = "orchard" }, visitor: desktop,
            leads: .redirect(.web("https://o.example/desktop")), reason: .desktop),
        Row(
            name: "$mobile_web_only does not", link: ["$mobile_web_only": "true"],
            app: with { $0.desktop.uriScheme = "orchard" }, visitor: desktop,
            leads: .openApp(desktopOpening, fallback: .web("https://o.example/desktop")), reason: .app),
        Row(
            name: "$web_only too", link: ["$web_only": "true"], app: with { $0.desktop.uriScheme = "orchard" }, visitor: desktop,
            leads: .redirect(.web("https://o.example/desktop")), reason: .desktop),
        Row(
            name: "$always_deeplink false too", link: ["$always_deeplink": "false"],
            app: with { $0.desktop.uriScheme = "orchard" }, visitor: desktop,
            leads: .redirect(.web("https://o.example/desktop")), reason: .desktop),
        Row(
            name: "where there is nothing to go on to, a page waits", app: AppSettings(desktop: .init(uriScheme: "orchard")),
            visitor: desktop, leads: .deepview(Deepview(app: desktopOpening, fallback: nil)), reason: .desktop),
        Row(
            name: "a phone is not kept from its app by $desktop_web_only", link: ["$desktop_web_only": "true"], visitor: safari,
            leads: .openApp(opening, fallback: appStore), reason: .app),
        Row(
            name: "the app's page for Windows Phones", app: with { $0.windowsPhoneURL = "https://w.example" },
            visitor: Visitor(platform: .desktop, device: .windowsPhone), leads: .redirect(.web("https://w.example")),
            reason: .desktop),
        Row(
            name: "and for BlackBerrys", app: with { $0.blackBerryURL = "https://b.example" },
            visitor: Visitor(platform: .desktop, device: .blackBerry), leads: .redirect(.web("https://b.example")),
            reason: .desktop),
    ]

    @Test(arguments: deepviews + modes + desktops)
    func aClickLeadsWhereTheTableSays(row: DecideTests.Row) {
        let destination = decided(link: ControlParameters(row.link), app: row.app, visitor: row.visitor)
        #expect(destination == Destination(row.leads, reason: row.reason))
    }

    private static func with(_ change: (inout AppSettings) -> Void) -> AppSettings {
        var settings = app
        change(&settings)
        return settings
    }

    private static func with(_ visitor: Visitor, hasApp: Bool) -> Visitor {
        var visitor = visitor
        visitor.hasApp = hasApp
        return visitor
    }
}
