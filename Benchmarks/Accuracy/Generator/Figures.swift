import LinkRouting

/// The figures from which the generator draws, each with its source. The population is that of the United States, for which most figures
/// are published.
///
/// «Assumed» marks a figure without a public source, with the reason for the value chosen.
enum Figures {
    // MARK: Phones

    /// StatCounter, mobile systems in the United States, January 2026 (iOS 59.77 %, Android 39.95 %), quoted by
    /// https://expandedramblings.com/index.php/android-statistics
    static let iPhoneShare = 0.5977

    /// Shares in percent of all iPhones, by machine name, with the screen in points.
    ///
    /// Start.io, iPhones in the United States, September 2025: the generations 13 to 16 (17.04, 18.91, 17.57, 18.33 %) and the
    /// models 13 (9.24), 16 (4.44) and 16 Pro Max (5.97),
    /// https://www.finanznachrichten.de/nachrichten-2025-09/66473369-start-io-releases-new-state-by-state-data-on-iphone-ownership-ahead-of-iphone-17-launch-200.htm
    /// Assumed: the shares within each generation (larger models sell better), and those of older ones by age. Sizes: Apple's Human
    /// Interface Guidelines, Layout, https://developer.apple.com/design/human-interface-guidelines/layout
    static let iPhones: [(PhoneModel, Double)] = [
        (.iPhone("iPhone14,5", 390, 844, 3), 9.24), (.iPhone("iPhone14,4", 375, 812, 3), 1.3),
        (.iPhone("iPhone14,2", 390, 844, 3), 2.7), (.iPhone("iPhone14,3", 428, 926, 3), 3.8),
        (.iPhone("iPhone14,7", 390, 844, 3), 6.91), (.iPhone("iPhone14,8", 428, 926, 3), 1.9),
        (.iPhone("iPhone15,2", 393, 852, 3), 4.1), (.iPhone("iPhone15,3", 430, 932, 3), 6.0),
        (.iPhone("iPhone15,4", 393, 852, 3), 5.97), (.iPhone("iPhone15,5", 430, 932, 3), 1.5),
        (.iPhone("iPhone16,1", 393, 852, 3), 4.1), (.iPhone("iPhone16,2", 430, 932, 3), 6.0),
        (.iPhone("iPhone17,3", 393, 852, 3), 4.44), (.iPhone("iPhone17,4", 430, 932, 3), 1.4),
        (.iPhone("iPhone17,1", 402, 874, 3), 3.9), (.iPhone("iPhone17,2", 440, 956, 3), 5.97),
        (.iPhone("iPhone17,5", 390, 844, 3), 2.62),
        (.iPhone("iPhone13,2", 390, 844, 3), 6.5), (.iPhone("iPhone13,4", 428, 926, 3), 2.6),
        (.iPhone("iPhone13,3", 390, 844, 3), 2.2), (.iPhone("iPhone13,1", 375, 812, 3), 0.9),
        (.iPhone("iPhone12,1", 414, 896, 2), 6.5), (.iPhone("iPhone12,3", 375, 812, 3), 1.2),
        (.iPhone("iPhone12,5", 414, 896, 3), 1.6), (.iPhone("iPhone14,6", 375, 667, 2), 2.8),
        (.iPhone("iPhone12,8", 375, 667, 2), 1.6), (.iPhone("iPhone11,8", 414, 896, 2), 2.25),
    ]

    /// Assumed: the cheaper models sell best. Their Safari requests pages with a Mac's user agent.
    static let iPads: [(PhoneModel, Double)] = [
        (.iPhone("iPad13,18", 820, 1180, 2), 45), (.iPhone("iPad12,1", 810, 1080, 2), 35), (.iPhone("iPad14,8", 820, 1180, 2), 20),
    ]
    /// The factor by which Display Zoom reduces a screen (iPhone 14: 390 to 320 points).
    static let zoom = 0.82

    /// The most popular first, with the screen in pixels and the number of pixels per CSS pixel.
    ///
    /// The order follows Omdia's best sellers of 2024 (Galaxy A15, S24 Ultra, A05 …,
    /// https://www.androidauthority.com/most-popular-phones-h1-2024-3484063/) and Start.io's makers (six in ten Androids are
    /// Samsung's, https://start.io/?p=100280). Assumed: Zipf's law with ``androidZipf``, since no list names shares by model.
    static let androids: [PhoneModel] = [
        .android("SM-A156U", 1080, 2340, 2.8125), .android("SM-S928U", 1080, 2340, 2.8125), .android("SM-S921U", 1080, 2340, 3),
        .android("SM-A146U", 1080, 2408, 2.8125), .android("SM-S918U", 1080, 2316, 2.8125), .android("SM-S911U", 1080, 2340, 3),
        .android("SM-A546U", 1080, 2340, 2.8125), .android("SM-S938U", 1080, 2340, 2.8125), .android("Pixel 7a", 1080, 2400, 2.625),
        .android("SM-A256U", 1080, 2340, 2.8125), .android("SM-S901U", 1080, 2340, 3),
        .android("moto g power 5G - 2024", 1080, 2400, 2.5),
        .android("SM-G991U", 1080, 2400, 3), .android("Pixel 8", 1080, 2400, 2.625), .android("SM-S926U", 1080, 2340, 2.8125),
        .android("SM-A057F", 720, 1600, 1.875), .android("moto g 5G - 2024", 720, 1612, 1.75),
        .android("Pixel 9", 1080, 2424, 2.625),
        .android("SM-G781U", 1080, 2400, 2.8125), .android("Pixel 6a", 1080, 2400, 2.625), .android("SM-A526U", 1080, 2400, 2.625),
        .android("CPH2515", 1080, 2400, 3), .android("moto g stylus 5G - 2024", 1080, 2400, 2.5),
        .android("23124RA7EO", 1080, 2400, 2.75),
    ]
    static let androidZipf = 0.7
    /// The height in points that `Display.getMetrics`, and thus Branch's SDK, leaves out: the three-button navigation bar (Material
    /// Design). Assumed: all phones have it.
    static let navigationBar = 48.0

    /// The OS versions that SDKs report, in percent of iPhones.
    ///
    /// Major versions: TelemetryDeck, January 2026 (60 % iOS 26, 37 % iOS 18). Minor versions: StatCounter (18.7 33.8, 18.6 25.2, 18.5 5.6;
    /// 26.1 10.6, 26.2 4.6, 26.0 1.1). Both in
    /// https://www.moneycontrol.com/technology/iphone-users-not-updating-to-ios-26-this-is-what-data-has-to-say-article-13766486.html
    /// Assumed: most phones have the last patch of their minor version.
    static let iOSVersions: [(String, Double)] = [
        ("26.1", 39), ("26.2", 16.8), ("26.0.1", 3.2), ("26", 1),
        ("18.7.2", 11.2), ("18.7.1", 8), ("18.6.2", 11.4), ("18.6", 3), ("18.5", 3.4),
        ("17.6.1", 1.5), ("16.7.12", 1.5),
    ]

    /// Google's figures of 1 December 2025, in percent of devices,
    /// https://usatimes247.com/android-16-hits-7-5-adoption-android-15-is-now-the-most-popular-version Versions before Android 8 have
    /// almost no installs. API levels: https://apilevels.com
    static let androidVersions: [(AndroidVersion, Double)] = [
        (.init("16", 36), 7.5), (.init("15", 35), 19.3), (.init("14", 34), 17.2), (.init("13", 33), 13.9), (.init("12", 31), 11.4),
        (.init("11", 30), 13.7), (.init("10", 29), 7.8), (.init("9", 28), 4.5), (.init("8.1", 27), 2.3),
    ]

    /// The versions of phones that companies issue and keep up to date.
    static let newestIOS = "26.2"
    static let newestAndroid = AndroidVersion("16", 36)

    /// Assumed: Chrome and the web view update automatically within weeks, so most have the latest version.
    static let chromeVersions: [(Int, Double)] = [(143, 60), (142, 25), (141, 8), (139, 4), (136, 3)]
    /// Assumed: both are updated by one store, on most phones in the same week.
    static let webViewIsAsOldAsChrome = 0.9

    // MARK: People

    /// Shares of the population in percent, https://besthotelshome.com/what-percentage-of-the-us-population-lives-in-the-eastern-central-and-pacific-time-zones-respectively/
    /// (Eastern 47.6, Central 29.1, Mountain 6.7, Pacific 16.6), divided among regions, each with networks of its own.
    static let regions: [(Region, Double)] = [
        (.init(0, "America/New_York", -5), 14), (.init(1, "America/New_York", -5), 9.6), (.init(2, "America/New_York", -5), 8),
        (.init(3, "America/New_York", -5), 8), (.init(4, "America/New_York", -5), 8),
        (.init(5, "America/Chicago", -6), 12), (.init(6, "America/Chicago", -6), 9.1), (.init(7, "America/Chicago", -6), 8),
        (.init(8, "America/Denver", -7), 6.7),
        (.init(9, "America/Los_Angeles", -8), 10), (.init(10, "America/Los_Angeles", -8), 6.6),
    ]

    /// Languages at home, Census Bureau, 2019: one in five speaks another language than English, of these 62 % Spanish, then Chinese,
    /// Tagalog, Vietnamese and Arabic, https://dioknoed.blogspot.com/2023/01/census-chinese-tagalog-and-vietnamese.html Assumed: phones are
    /// set to the language spoken at home, which is the most by which languages can distinguish people.
    static let languages: [(Language, Double)] = [
        (.init("en-US"), 78.4), (.init("es-US"), 13.4), (.init("zh-CN"), 1.1), (.init("fil-US"), 0.6), (.init("vi-VN"), 0.5),
        (.init("ar-US"), 0.4), (.init("en-GB"), 2.6), (.init("fr-FR"), 3),
    ]
    /// Assumed: in most homes all phones speak one language.
    static let householdSharesLanguage = 0.9

    /// Assumed: three of four pairs of housemates choose one OS together; in the others each chooses independently.
    static let householdSharesSystem = 0.75

    /// Assumed: nine in ten phones in Germany are set to German.
    static let languagesOfGermany: [(Language, Double)] = [
        (.init("de-DE"), 90), (.init("en-US"), 4), (.init("tr-TR"), 2.5), (.init("ru-RU"), 1.5), (.init("ar-DE"), 1),
        (.init("pl-PL"), 1),
    ]
    /// The localizations of each app. Assumed.
    static let localizations: [Set<String>] = [["en"], ["en", "es"], ["en"], ["en", "es", "zh", "fr", "vi", "ar", "de"]]

    /// The language that an SDK reports. On iOS a process runs in one of the app's localizations, and `NSLocale.currentLocale` follows it:
    /// English where the app lacks the phone's language. On Android it is the phone's language.
    static func language(of app: Int, on phone: Phone, isEnglish: Bool) -> String {
        guard phone.os == .iOS else { return phone.language.code }
        return !isEnglish && localizations[app].contains(phone.language.code) ? phone.language.code : "en"
    }

    /// The share in percent of a person's clicks in each hour of the day. Assumed, after the curve of all traffic: little at night, most in
    /// the early evening, https://blog.cloudflare.com/when-people-pause
    static let hours: [Double] = [
        2, 1, 0.6, 0.5, 0.5, 1, 2, 3.5, 4.5, 5, 5.2, 5.4, 5.6, 5.4, 5.2, 5.2, 5.4, 5.8, 6.2, 6.8, 7, 6.6, 5.2, 3.4,
    ]
    /// The working hours, Monday to Friday. Assumed.
    static let officeHours = 9..<18

    // MARK: Apps, links and clicks

    static let weeks = 3
    /// Assumed: a small team's server, on which one app has most of the traffic (Zipf's law).
    static let apps = 4
    static let appZipf = 1.0
    /// Assumed: newsletters and push messages per week and app, each with its own link.
    static let blastsPerWeek = 2
    /// Assumed: links in posts, a few of which get most clicks (Zipf's law, as for any content).
    static let posts = 60
    static let advertisements = 10
    static let linkZipf = 1.0

    /// Shares of channels in percent. Assumed: what apps of this kind are built for, a quarter of it by word of mouth.
    static let channels: [(Channel, Double)] = [(.blast, 35), (.post, 30), (.referral, 25), (.advertisement, 10)]
    /// The share of mass messages with personal links, by a query appended to the link, so that colleagues get different links; referrals
    /// always have personal ones. Assumed: one in five campaigns.
    static let personalBlasts = 0.2

    /// Clicks that become installs: the middle of the ranges in https://tolinku.com/blog/deferred-linking-conversion-rates/
    /// (referral 15–30 %, email 8–15 %, social 5–12 %, paid 3–8 %).
    static func conversion(_ channel: Channel) -> Double {
        switch channel {
        case .referral: 0.225
        case .blast: 0.115
        case .post: 0.085
        case .advertisement: 0.055
        // Assumed: half of those whom their employer asks.
        case .invitation: 0.5
        }
    }

    /// The conversion rate over all clicks.
    static let conversion: Double = {
        let weights = channels.map(\.1).reduce(0, +)
        return channels.map { conversion($0.0) * $0.1 }.reduce(0, +) / weights
    }()

    /// The delay of clicks after a mass message. 33.6 % come within the first hour, 51.4 % within three, 81 % within a day (GetResponse,
    /// 5.5 billion emails,
    /// https://moversandshakers.v12data.com/datatechnology/half-of-your-email-campaigns-clicks-occur-within-3-hours-post-send-more-email-benchmarks/);
    /// this distribution is within one percentage point of each.
    static let afterBlast = LogNormal(median: .hours(2.9), sigma: 2.5)
    /// Assumed: chats and word of mouth are faster than mail.
    static let afterRecommendation = LogNormal(median: .minutes(30), sigma: 1.5)

    /// The delays from click to first opening. Together they match 75 % within an hour and 94 % within a day (AppsFlyer,
    /// https://www.appsflyer.com/mobile-fraud-glossary/click-to-install-time-ctit/). Assumed: how the time divides among them. People who
    /// continue at once need a minute in the store, others come back later; a download takes a minute, a slow one a quarter of an hour;
    /// most wait for it, others open the app hours later.
    static let delayBody = LogNormal(median: .seconds(72), sigma: 1.2)
    static let delayTail = LogNormal(median: .hours(8), sigma: 1.5)
    static let delayTailShare = 0.17
    static let download = LogNormal(median: .seconds(45), sigma: 0.8)
    static let slowDownload = LogNormal(median: .minutes(15), sigma: 1)
    static let opensSoon = LogNormal(median: .seconds(30), sigma: 1.2)
    static let opensLater = LogNormal(median: .hours(3), sigma: 1.8)
    /// Less than ten seconds from click to opening are considered fraud (AppsFlyer, as above).
    static let shortestDelay = Duration.seconds(5)
    static let shortestDownload = Duration.seconds(6)
    static let longestDelay = Duration.hours(24 * 14)

    /// The median app's share of installs without any link (MWM, April 2026, https://mwm.ai/glossary/organic-installs).
    static let organicShare = 0.616

    /// Assumed: the share of people who click twice, because the page was slow or to find the link again.
    static let clicksTwice = 0.08
    static let secondClickAfter = Duration.minutes(2)
    /// Assumed: the share of second clicks on another link of the same app.
    static let secondClickIsOther = 0.25

    /// Assumed: one link in twenty reaches a second person of the same home or office, as in a family's chat.
    static let reachesNeighbour = 0.05
    /// The weights of the actions of a person who hears of the app in the same home or office: clicking the same link, clicking a personal
    /// one, or searching the store. Assumed.
    static let neighbourDoes: [(Neighbour, Double)] = [(.clicksSame, 5), (.clicksOwn, 3), (.searchesStore, 2)]

    /// Assumed: a third of the people who tell others of the app open it to show it.
    static let showsApp = 0.3
    /// Assumed: a person with the app opens it twice a day, so with this probability within the four hours around a click.
    static let holderOpensNearby = 0.33
    static let mostOpeningsOfHolder = 4
    /// Assumed: the share of openings, by people who have the app, after a click in a browser that does not open the app by itself; and, of
    /// those not opened by hand, the share that the page opens.
    static let holderFollows = 0.03
    static let pageOpensApp = 0.8
    /// Assumed: the time to return to the home screen and tap the app's icon.
    static let opensByHand = LogNormal(median: .seconds(20), sigma: 1)

    // MARK: Browsers

    /// The share of clicks in in-app browsers. Assumed: social networks open a post's links, and most advertisements, in their own browser
    /// by default; mail and messages use the phone's browser. Of all browsing, Facebook's has 8.82 % (Mixpanel,
    /// https://thehustle.co/facebook-is-the-3rd-largest-mobile-browser-wait-what).
    static func inAppShare(_ channel: Channel) -> Double {
        switch channel {
        case .post: 0.75
        case .advertisement: 0.6
        case .blast, .referral, .invitation: 0.05
        }
    }
    /// Shares of clicks in apps. Assumed: by the size of the networks; the rest are apps whose web view does not identify itself.
    static let inAppBrowsers: [(BrowserName, Double)] = [(.facebook, 40), (.instagram, 40), (.webView, 20)]

    /// Shares of clicks in browsers. StatCounter saw iOS 26 at 16 % when it was at 60 %, because only browsers other than Safari report the
    /// actual version (https://pxlnv.com/blog/updating-the-record-on-ios-26): so these have a quarter of iOS, the in-app ones (9 %)
    /// included.
    static let iOSBrowsers: [(BrowserName, Double)] = [(.safari, 82), (.chrome, 18)]
    /// Samsung's browser has 5 to 6 % of all phones worldwide, https://zipdo.co/mobile-browser-usage-statistics, and more on Android alone.
    static let androidBrowsers: [(BrowserName, Double)] = [(.chrome, 88), (.samsungInternet, 12)]

    /// The share of clicks with high-entropy client hints: Chromium browsers send model and version from the second request to a host on
    /// (https://developer.chrome.com/docs/privacy-security/user-agent-client-hints). Assumed: one click in four is not the browser's first
    /// to the server's host within the lifetime of the `Accept-CH` response.
    static let hintsHaveCome = 0.25
    /// Assumed: half of the phones have three components in Safari's `Version/`; both forms occur.
    static let safariTellsPatch = 0.5

    /// Assumed: one page in ten is left, or its script blocked, before the script has reported.
    static let pageReports = 0.9

    // MARK: Robots

    /// Requests of robots per click of a person. Assumed: a third of all requests. Imperva counts 51 % and more of all traffic
    /// (https://www.thenamelessthought.com/articles/technology/2026/03/19-bot-vs-human-web-traffic-article), but most of that is for
    /// log-ins, prices and APIs.
    static let robotsPerClick = 0.5
    /// Assumed: one in ten robots has a phone's user agent. Robots run in data centres.
    static let disguisedRobots = 0.1
    /// The share of referrals for which a messenger fetches a preview; iMessage and WhatsApp do so on the sender's phone, from its address.
    /// https://webmasterid.com/user-agents/whatsapp-preview-user-agent Assumed: nearly all personal links are sent by these.
    static let previewOfReferral = 0.8
    /// Assumed: browsers prefetch only pages that they predict with near certainty.
    static let prefetched = 0.02

    // MARK: Networks

    /// Shares of homes and phones that reach a server over IPv6 if it has an IPv6 address. Homes: Google sees 50 %, APNIC 42 %
    /// (https://blog.apnic.net/2026/04/28/google-hits-50-ipv6/). Carriers: all major ones of the United States exceed 70 %
    /// (https://mountyapp.org/becarpenter/book6/blob/main/8.%20Deployment%20Status/Deployment%20by%20carriers.md).
    static let homeIPv6 = 0.46
    static let cellularIPv6 = 0.75

    /// Assumed: one home in ten has a provider that gives a new address each day, as 20 providers of the 929 networks in «Reasons
    /// Dynamic Addresses Change» (IMC 2016, https://doi.org/10.1145/2987443.2987461) do, some of them large. Elsewhere addresses
    /// are kept for weeks («Don't count me out», WWW 2020, https://hal.inria.fr/hal-02435622).
    static let renumberedHomes = 0.1

    /// The share of the people in reach who click or install by this server within the weeks. Assumed: a well-known local app; among
    /// colleagues, who talk to each other, five times as many: some 150 in an office of 250. See also ``Assumptions/density``.
    static let participation = 0.12
    static let officeParticipation = 0.6

    /// «Hundreds or even thousands of users» behind one address (Cloudflare, «One IP address, many users», October 2025,
    /// https://ipv6.net/news/one-ip-address-many-users-detecting-cgnat-to-reduce-collateral-effects). Assumed: two thousand, so
    /// that 240 take part.
    static let subscribersPerAddress = 2000.0
    /// Assumed: the number of public addresses of one carrier-grade NAT gateway.
    static let addressesPerGateway = 32
    /// The share of gateways with arbitrary pooling. RFC 4787 (REQ-2) recommends that a phone keeps its address, but some carriers'
    /// gateways use any address of the pool for any connection («A Multi-perspective Analysis of Carrier-Grade NAT Deployment», IMC 2016,
    /// https://arxiv.org/abs/1605.05606). Assumed: a fifth.
    static let arbitraryPooling = 0.2
    /// Phones «expose different IP addresses to servers within time spans of a few minutes» at worst («Where's that Phone?», IMC
    /// 2009, https://docslib.org/doc/10276710/geolocating-ip-addresses-on-3g-networks). Assumed: a new one every three hours.
    static let cellularLease = Duration.hours(3)

    /// The number of people in an office. Assumed: hundreds; two thirds are within a factor of two of the median.
    static let officeSize = (median: 250.0, sigma: 0.7)
    /// Assumed: the share of offices whose employer asks its people to install an app within the weeks, the share of the people who follow
    /// the link, and the share of such requests with a personal link for each.
    static let invitingOffices = 0.015
    static let invited = 0.2
    static let personalInvitation = 0.5

    /// Guests of a café, train or school who take part, behind one address. Assumed.
    static let guestsPerHotspot = 120.0

    /// Assumed: the egress addresses of VPN providers, each used for some hours; sometimes the VPN is off.
    static let vpnAddresses = 60
    static let vpnSession = Duration.hours(6)
    static let vpnIsOn = 0.85

    /// Ranges of egress addresses that Apple lists in https://mask-api.icloud.com/egress-ip-ranges.csv; its other operators' are listed
    /// there, too. Only Safari's requests use them (and unencrypted web pages), an app's do not:
    /// https://developer.apple.com/icloud/prepare-your-network-for-icloud-private-relay/
    static let relayRanges = ["172.224.0.0/12", "2a02:26f7::/32"]
    static let relayIPv4: UInt32 = 0xACE0_0000
    static let relayIPv6: UInt64 = 0x2A02_26F7_C000_0000
    /// Assumed: the egress addresses of a region, any of which is used for any connection.
    static let relayAddressesPerRegion = 64

    /// Assumed: the mean time before people change place. Half of those who install after some three hours have another network by then.
    static let staysFor = Duration.hours(4)
}
