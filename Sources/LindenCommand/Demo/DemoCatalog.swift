import LindenKernel

/// The links, phones, countries and goods of the demo's app.
enum DemoCatalog {
    struct PlannedLink: Sendable {
        let alias: String
        let title: String
        let path: String
        let channel: String
        let feature: String
        let campaign: String?
        var tags: [String] = []
        /// The developer's id of the user who shares it.
        var sharer: String?
        /// How often it is clicked, compared with the others.
        let weight: Double
        /// The part of the time after which it is created.
        var from = 0.0
    }

    static let links = [
        PlannedLink(
            alias: "spring-newsletter", title: "Spring newsletter: first strawberries", path: "offers/strawberries",
            channel: "email", feature: "newsletter", campaign: "spring-offers", tags: ["seasonal"], weight: 20),
        PlannedLink(
            alias: "cox-box", title: "A crate of Cox apples", path: "apples/cox", channel: "instagram", feature: "marketing",
            campaign: "apple-weeks", tags: ["fruit", "box"], weight: 26),
        PlannedLink(
            alias: "recipe-tarte", title: "Recipe: tarte Tatin", path: "recipes/tarte-tatin", channel: "facebook",
            feature: "content", campaign: "recipes", weight: 17),
        PlannedLink(
            alias: "pear-juice", title: "Pear juice, three for two", path: "juices/pear", channel: "instagram",
            feature: "marketing", campaign: "juice-weeks", tags: ["box"], weight: 14, from: 0.35),
        PlannedLink(
            alias: "market-poster", title: "Poster at the farmers' market", path: "welcome", channel: "qr", feature: "poster",
            campaign: "market-days", weight: 9),
        PlannedLink(
            alias: "search-ad", title: "Search ad: fruit box delivery", path: "boxes", channel: "google", feature: "ads",
            campaign: "brand", weight: 13),
        PlannedLink(
            alias: "order-shipped", title: "Text message: your order is on its way", path: "orders", channel: "sms",
            feature: "service", campaign: nil, weight: 11),
        PlannedLink(
            alias: "plum-pick", title: "Pick your own plums", path: "events/plums", channel: "website", feature: "content",
            campaign: "market-days", weight: 7, from: 0.5),
        PlannedLink(
            alias: "winter-box", title: "Winter box, order early", path: "boxes/winter", channel: "email", feature: "newsletter",
            campaign: "winter-box", tags: ["seasonal", "box"], weight: 24, from: 0.72),
        PlannedLink(
            alias: "from-ann", title: "Ann invites you to Orchard", path: "invite", channel: "whatsapp", feature: "referral",
            campaign: "friends", sharer: "ann", weight: 5),
        PlannedLink(
            alias: "from-ben", title: "Ben invites you to Orchard", path: "invite", channel: "messages", feature: "referral",
            campaign: "friends", sharer: "ben", weight: 4, from: 0.1),
        PlannedLink(
            alias: "from-cleo", title: "Cleo invites you to Orchard", path: "invite", channel: "whatsapp", feature: "referral",
            campaign: "friends", sharer: "cleo", weight: 3, from: 0.3),
    ]

    /// The pages on which links of a channel stand; none for those that are opened from apps.
    static let referrers = [
        "instagram": "https://l.instagram.com/", "facebook": "https://l.facebook.com/", "google": "https://www.google.com/",
        "website": "https://orchard.example.com/journal",
    ]

    /// A phone as its browser and the app's SDK report it.
    struct Phone: Sendable {
        let os: String
        let version: String
        /// Android's level of its programming interface; nil for iOS.
        var level: String?
        let brand: String
        let model: String
        let userAgent: String

        static func iPhone(_ version: String, _ model: String) -> Phone {
            Phone(
                os: "iOS", version: version, brand: "Apple", model: model,
                userAgent:
                    "Mozilla/5.0 (iPhone; CPU iPhone OS \(version.replacing(".", with: "_")) like Mac OS X) "
                    + "AppleWebKit/605.1.15 (KHTML, like Gecko) Version/\(version) Mobile/15E148 Safari/604.1")
        }

        static func android(_ version: String, _ level: String, _ brand: String, _ model: String) -> Phone {
            Phone(
                os: "Android", version: version, level: level, brand: brand, model: model,
                userAgent: "Mozilla/5.0 (Linux; Android \(version); \(model)) AppleWebKit/537.36 (KHTML, like Gecko) "
                    + "Chrome/126.0.0.0 Mobile Safari/537.36")
        }
    }

    static let phones = Weighted<Phone>([
        (.iPhone("18.5", "iPhone17,1"), 15), (.iPhone("18.4", "iPhone15,4"), 12), (.iPhone("17.6", "iPhone14,5"), 8),
        (.iPhone("16.7", "iPhone10,6"), 3), (.android("15", "35", "Google", "Pixel 8"), 9),
        (.android("14", "34", "samsung", "SM-S918B"), 14), (.android("13", "33", "samsung", "SM-A536B"), 11),
        (.android("12", "31", "Xiaomi", "M2101K6G"), 7),
    ])

    static let computers = Weighted<String>([
        ("Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36", 6),
        (
            "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 "
                + "Safari/605.1.15", 3
        ),
        ("Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0", 1),
    ])

    static let robots = Weighted<String>([
        ("Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)", 5),
        ("facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)", 4), ("WhatsApp/2.23.20.0", 3),
    ])

    struct Country: Sendable {
        let code: String
        let language: String
        let currency: String
    }

    static let countries = Weighted<Country>([
        (Country(code: "DE", language: "de", currency: "EUR"), 34), (Country(code: "AT", language: "de", currency: "EUR"), 12),
        (Country(code: "FR", language: "fr", currency: "EUR"), 14), (Country(code: "GB", language: "en", currency: "GBP"), 13),
        (Country(code: "US", language: "en", currency: "USD"), 17), (Country(code: "NL", language: "nl", currency: "EUR"), 10),
    ])

    /// Units per US dollar.
    static let rates = [("EUR", "0.92"), ("GBP", "0.79")]

    struct Good: Sendable {
        let identifier: String
        let title: String
        let cents: Int
    }

    static let goods = Weighted<Good>([
        (Good(identifier: "apples/cox", title: "Crate of Cox", cents: 1890), 9),
        (Good(identifier: "apples/boskoop", title: "Crate of Boskoop", cents: 1790), 5),
        (Good(identifier: "juices/pear", title: "Pear juice", cents: 490), 8),
        (Good(identifier: "boxes/weekly", title: "Weekly fruit box", cents: 2450), 7),
        (Good(identifier: "boxes/winter", title: "Winter box", cents: 3900), 4),
        (Good(identifier: "jams/plum", title: "Plum jam", cents: 620), 5),
    ])

    /// The weights of the hours of a day.
    static let hours: [Double] = [3, 2, 1, 1, 1, 2, 5, 9, 8, 7, 7, 8, 11, 9, 7, 7, 8, 10, 13, 15, 16, 14, 10, 6]
    /// The weights of the days of a week, from Thursday on, which 1970-01-01 was.
    static let weekdays: [Double] = [1, 1.05, 1.35, 1.5, 0.8, 0.85, 0.9]
}
