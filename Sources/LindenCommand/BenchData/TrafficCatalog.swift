import LindenKernel
import LinkRouting

/// The constants and distributions of synthetic traffic.
enum TrafficCatalog {
    /// A phone model as its browser and the SDK of an app on it report it.
    struct Phone: Sendable {
        let visitor: Visitor
        let userAgent: String
        let os: String
        let osVersion: String
        let brand: String
        let model: String

        var sdk: String { os == "iOS" ? "ios3.12.0" : "android5.20.0" }

        /// - Parameter model: the model as the SDK reports it.
        init(_ os: String, _ osVersion: String, _ brand: String, _ model: String, userAgent: String) {
            visitor = Visitor(userAgent: userAgent, clientHints: ClientHints())
            self.userAgent = userAgent
            self.os = os
            self.osVersion = osVersion
            self.brand = brand
            self.model = model
        }
    }

    private static func iPhone(_ version: String, _ model: String) -> Phone {
        Phone(
            "iOS", version, "Apple", model,
            userAgent:
                "Mozilla/5.0 (iPhone; CPU iPhone OS \(version.replacing(".", with: "_")) like Mac OS X) AppleWebKit/605.1.15 "
                + "(KHTML, like Gecko) Version/\(version) Mobile/15E148 Safari/604.1")
    }

    private static func android(_ version: String, _ level: String, _ brand: String, _ model: String) -> Phone {
        Phone(
            "Android", level, brand, model,
            userAgent: "Mozilla/5.0 (Linux; Android \(version); \(model)) AppleWebKit/537.36 (KHTML, like Gecko) "
                + "Chrome/126.0.0.0 Mobile Safari/537.36")
    }

    static let phones = Weighted([
        (iPhone("18.5", "iPhone17,1"), 14), (iPhone("18.4", "iPhone15,4"), 12), (iPhone("17.6", "iPhone14,5"), 9),
        (iPhone("16.7", "iPhone10,6"), 3), (android("14", "34", "samsung", "SM-S918B"), 15),
        (android("13", "33", "samsung", "SM-A536B"), 14), (android("15", "35", "Google", "Pixel 8"), 8),
        (android("12", "31", "Xiaomi", "M2101K6G"), 9), (android("11", "30", "OPPO", "CPH2219"), 4),
    ])

    /// Desktop browsers. They click and never install.
    static let computers = browsers([
        "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36": 7,
        "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15": 3,
        "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:128.0) Gecko/20100101 Firefox/128.0": 1,
    ])

    static let robots = browsers([
        "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)": 5,
        "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)": 4, "WhatsApp/2.23.20.0": 3, "curl/8.5.0": 1,
    ])

    private static func browsers(
        _ shares: KeyValuePairs<String, Double>
    ) -> Weighted<(visitor: Visitor, userAgent: String)> {
        Weighted(shares.map { ((visitor: Visitor(userAgent: $0, clientHints: ClientHints()), userAgent: $0), $1) })
    }

    /// Countries with language and currency. Swiss francs have no exchange rate, so revenue in them stays unconverted.
    static let countries = Weighted<(code: String, language: String, currency: Currency)>([
        (("US", "en", .standard), 34), (("DE", "de", Currency("EUR")!), 16), (("FR", "fr", Currency("EUR")!), 11),
        (("GB", "en", Currency("GBP")!), 10), (("IN", "hi", .standard), 9), (("BR", "pt", .standard), 8),
        (("JP", "ja", .standard), 7), (("CH", "de", Currency("CHF")!), 2),
    ])

    /// Units of the currency per dollar on the first day. A rate rises by a thousandth of this on each day.
    static let rates: [(currency: Currency, millionths: Int64)] = [(Currency("EUR")!, 925_000), (Currency("GBP")!, 790_000)]

    /// Channels with the referrer of their clicks.
    static let channels = Weighted<(name: String, referrer: String?)>([
        (("facebook", "https://l.facebook.com/"), 24), (("instagram", "https://l.instagram.com/"), 18), (("email", nil), 15),
        (("sms", nil), 9), (("twitter", "https://t.co/"), 8), (("website", "https://www.example.com/shop"), 12), (("qr", nil), 4),
        (("google", "https://www.google.com/"), 10),
    ])

    static let campaigns = Weighted<String?>([
        ("spring-sale", 20), ("back-to-school", 14), ("newsletter-12", 12), ("launch", 10), ("brand", 8), ("retargeting", 6),
        ("influencer-anna", 4), ("influencer-ben", 3), (nil, 20),
    ])

    static let features = Weighted([("sharing", 40.0), ("marketing", 35), ("referral", 15), ("qr", 4)])

    /// Names of events with their weights. Those that are not standard events are custom events.
    static let events = Weighted([
        ("VIEW_ITEM", 34.0), ("VIEW_ITEMS", 8), ("SEARCH", 8), ("ADD_TO_CART", 11), ("INITIATE_PURCHASE", 5), ("PURCHASE", 7),
        ("SHARE", 4), ("RATE", 2), ("COMPLETE_REGISTRATION", 3), ("LOGIN", 9), ("level_reached", 6), ("photo_saved", 3),
    ])

    static let searches = ["pears", "apples", "plums", "crates", "juice"]
    static let fruits = ["Pear", "Apple", "Plum", "Quince", "Cherry", "Medlar", "Apricot"]
}
