/// By what figures can be told apart.
package enum Dimension: String, Sendable, CaseIterable {
    case platform
    case country
    case channel
    case campaign
    case feature
    /// Of an event.
    case name
    /// By its id; `0` is every long link.
    case link

    /// Those that counters are kept by for every hour.
    package static let hourly: [Dimension] = [.platform, .country, .channel, .campaign, .feature]
    /// Those that counters are kept by for every day in UTC.
    package static let daily: [Dimension] = hourly + [.link]

    /// Reads a name, Branch's longer ones too. Fails with `invalid`, also for what Branch has other values of than there are here.
    package init(named name: String) throws {
        guard name != "user_data_os", name != "user_data_platform" else {
            throw Failure.invalid("\(name) is not counted; platform is, with the values ios, android and desktop.")
        }
        guard let dimension = Dimension(rawValue: name) ?? Self.wireNames[name] else {
            let allowed = Dimension.allCases.map(\.rawValue).joined(separator: ", ")
            throw Failure.invalid("\(name) is no dimension; there are \(allowed).")
        }
        self = dimension
    }

    private static let wireNames: [String: Dimension] = [
        "user_data_geo_country_code": .country,
        "last_attributed_touch_data_tilde_channel": .channel,
        "last_attributed_touch_data_tilde_campaign": .campaign,
        "last_attributed_touch_data_tilde_feature": .feature,
        "last_attributed_touch_data_tilde_id": .link,
    ]
}
