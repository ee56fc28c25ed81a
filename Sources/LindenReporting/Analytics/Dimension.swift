import LindenKernel

/// A property of analytics records by which totals are grouped and filtered.
package enum Dimension: Sendable, Hashable {
    /// `ios`, `android` or `desktop`.
    case platform
    case country
    case channel
    case campaign
    case feature
    /// The event's name; for other topics Branch's name of the topic, such as `CLICK`.
    case name
    /// The credited link's id. `0` stands for every long link, ``AnalyticsRecord/adLink`` for an ad in Apple's store.
    case link
    /// `true` if a link or an ad is credited, otherwise `false`.
    case attributed
    /// Branch's name of the operating system, such as `IOS`.
    case os
    /// The name of the browser, or of the app whose in-app browser it is, such as `Safari` or `Instagram`.
    case browser
    /// The primary language in upper case, without its region, such as `EN`. Of clicks, those that an install may match have one.
    case language
    /// The host of the page with the credited link, such as `news.example`.
    case referrer
    /// The hour of the day in the query's time zone, from `00` to `23`.
    case hourOfDay
    /// Branch's name of the operating system combined with app or web: `IOS_APP`, `ANDROID_WEB`.
    case userPlatform
    /// `true` if a desktop page sent the link to the phone, by text message or QR code, otherwise `false`.
    case fromDesktop
    /// A member of the credited link's data, by its key: `~stage`.
    case touch(String)
    /// Any other column of an export, by its name.
    case column(String)

    /// Dimensions with hourly rollups.
    package static let hourly: [Dimension] = [.platform, .country, .channel, .campaign, .feature]
    /// Dimensions with daily rollups (UTC), but no hourly ones.
    package static let dailyOnly: [Dimension] = [.link]
    package static let daily: [Dimension] = hourly + dailyOnly
    /// Dimensions with daily rollups (UTC) of clicks only, and without counts of devices.
    package static let ofVisitors: [Dimension] = [.os, .browser, .language, .referrer]

    /// Returns the dimensions by which a topic has daily rollups, but no hourly ones.
    package static func dailyOnly(of topic: Topic) -> [Dimension] { topic == .click ? dailyOnly + ofVisitors : dailyOnly }

    /// Returns the dimension whose rollups hold the totals of this one; nil if only rows do.
    func counter(of topics: [Topic]) -> Dimension? {
        switch self {
        case .platform, .country, .channel, .campaign, .feature, .link: self
        case .attributed: .link
        case .os, .browser, .language, .referrer: topics.allSatisfy { $0 == .click } ? self : nil
        case .name, .hourOfDay, .userPlatform, .fromDesktop, .touch, .column: nil
        }
    }

    /// Returns this dimension's value for a value of its rollups.
    func value(counted value: String) -> String {
        self == .attributed ? String(!value.isEmpty) : value
    }

    /// Returns whether a row can have a value. Branch's `ROBOT` does not occur, because visits by robots are not counted.
    func mayBe(_ value: String) -> Bool {
        switch self {
        case .os, .userPlatform: value != "ROBOT"
        case .touch(LinkProduct.currentKey): value.isEmpty || LinkProduct.ofLinks.map(\.rawValue).contains(value)
        default: true
        }
    }
}

// MARK: Names

extension Dimension: CaseIterable {
    /// The dimensions with short names.
    package static let allCases: [Dimension] =
        daily + [.name, .attributed] + ofVisitors + [.hourOfDay, .userPlatform, .fromDesktop, .touch("~stage"), .touch("~tags")]

    /// The name on the command line and in Linden's own API.
    package var rawValue: String {
        switch self {
        case .platform: "platform"
        case .country: "country"
        case .channel: "channel"
        case .campaign: "campaign"
        case .feature: "feature"
        case .name: "name"
        case .link: "link"
        case .attributed: "attributed"
        case .os: "os"
        case .browser: "browser"
        case .language: "language"
        case .referrer: "referrer"
        case .hourOfDay: "hour_of_day"
        case .userPlatform: "user_platform"
        case .fromDesktop: "from_desktop"
        case .touch("~stage"): "stage"
        case .touch("~tags"): "tags"
        case .touch(let key): ExportTouch.prefix + (Self.signs[key.first ?? "~"] ?? "") + key.dropFirst()
        case .column(let name): name
        }
    }

    /// Reads a short name or one of Branch's. Fails with `invalid` for a name that is neither.
    package init(named name: String) throws {
        if let dimension = Self.named[name] ?? Self(column: name) ?? Self(column: ExportTouch.prefix + name) {
            self = dimension
        } else {
            throw Failure.invalid(
                "\(name) is not a dimension. The dimensions are \(Self.allCases.map(\.rawValue).joined(separator: ", ")), and the columns of "
                    + "exports, such as user_data_language or last_attributed_touch_data_tilde_ad_name.", at: "by")
        }
    }

    private init?(column name: String) {
        if let index = ExportTouch.index(ofColumn: name) {
            let key = ExportTouch.keys[index]
            self = Self.labels[key] ?? .touch(key)
        } else if ExportColumn.known.contains(name) || Self.unrecorded.contains(name) {
            self = .column(name)
        } else {
            return nil
        }
    }

    private static let named = Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) }).merging([
        "user_data_os": .os, "user_data_platform": .userPlatform, "user_data_geo_country_code": .country,
        "user_data_country": .country,
    ]) { $1 }

    private static let signs: [Character: String] = ["~": "tilde_", "+": "plus_", "$": "dollar_"]

    /// The dimensions of the link data's keys that have rollups.
    private static let labels: [String: Dimension] = [
        "~channel": .channel, "~campaign": .campaign, "~feature": .feature, "~id": .link,
    ]

    /// Names that Branch's API has in addition to the columns of exports, and for which Linden records nothing. Their value is always
    /// empty.
    private static let unrecorded: Set<String> = [
        "days_from_last_cta_view_to_event", "event_data_product_categories", "last_cta_view_type",
        "user_data_custom_events_completed",
        "user_data_has_app", "user_data_has_clicked_ad", "user_data_has_clicked_email", "user_data_standard_events_completed",
    ]
}
