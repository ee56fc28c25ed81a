/// A property of what happened, by which figures are grouped and filtered.
package enum Dimension: Sendable, Hashable {
    /// `ios`, `android` or `desktop`.
    case platform
    case country
    case channel
    case campaign
    case feature
    /// The event's name; for everything else Branch's name of it, such as `CLICK`.
    case name
    /// The credited link's id; `0` stands for every long link, ``Activity/adLink`` for an ad in Apple's store.
    case link
    /// `true` where a link or an ad is credited, else `false`.
    case attributed
    /// Branch's name of the operating system, such as `IOS`.
    case os
    /// Branch's name of the system and of what ran on it: `IOS_APP`, `ANDROID_WEB`.
    case userPlatform
    /// `true` where a page on a desktop sent the link to the phone, by text message or code, else `false`.
    case fromDesktop
    /// A member of the credited link's data, by its key: `~stage`.
    case touch(String)
    /// Any other column of an export, by its name.
    case column(String)

    /// Dimensions with a counter for every hour.
    package static let hourly: [Dimension] = [.platform, .country, .channel, .campaign, .feature]
    /// Dimensions with a counter for every day in UTC.
    package static let daily: [Dimension] = hourly + [.link]

    /// The dimension whose counters hold the figures of this one; nil where only rows do.
    var counter: Dimension? {
        switch self {
        case .platform, .country, .channel, .campaign, .feature, .link: self
        case .attributed: .link
        case .name, .os, .userPlatform, .fromDesktop, .touch, .column: nil
        }
    }

    /// The value that a counter's value stands for.
    func value(counted value: String) -> String {
        self == .attributed ? String(!value.isEmpty) : value
    }

    /// Whether any row may have a value. Branch's `ROBOT` is no value here, because visits by robots are not counted at all.
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
        daily + [.name, .attributed, .os, .userPlatform, .fromDesktop, .touch("~stage"), .touch("~tags")]

    /// The name on the command line and in Linden's own calls.
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
                "\(name) is no dimension. Dimensions are \(Self.allCases.map(\.rawValue).joined(separator: ", ")), and the columns of "
                    + "exports, such as user_data_language or last_attributed_touch_data_tilde_ad_name.")
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

    /// The keys of link data that have counters.
    private static let labels: [String: Dimension] = [
        "~channel": .channel, "~campaign": .campaign, "~feature": .feature, "~id": .link,
    ]

    /// Names in Branch's calls, beside columns of exports, of which Linden records nothing: their value is always none.
    private static let unrecorded: Set<String> = [
        "days_from_last_cta_view_to_event", "event_data_product_categories", "last_cta_view_type",
        "user_data_custom_events_completed",
        "user_data_has_app", "user_data_has_clicked_ad", "user_data_has_clicked_email", "user_data_standard_events_completed",
    ]
}
