import LinkRouting

/// For how long a click that is known by an id counts, in days: the link's own window or what was appended to it, else the app's, else
/// the usual (Branch, "attribution windows": what partners are advised to set). A change affects what is decided from then on.
struct AttributionWindows {
    private let link: ControlParameters
    private let app: AppConfiguration

    /// - Parameter link: none for an ad in a store.
    init(_ link: ControlParameters = ControlParameters(), app: AppConfiguration) {
        self.link = link
        self.app = app
    }

    /// Seconds from a click to a session that is given to it.
    func seconds(for kind: Session.Kind) -> Int64 {
        switch kind {
        case .install, .reinstall, .fullAppConversion: days("click_install_window_days", standard: 30)
        case .open, .web, .userChange: days("click_session_start_window_days", standard: 90)
        }
    }

    /// Seconds from a click to an event that is credited to it.
    var conversion: Int64 { days("click_conversion_window_days", standard: 90) }

    private func days(_ name: String, standard: Double) -> Int64 {
        let said = Self.number(link["$" + name]) ?? Self.number(app[name])
        return Int64(((said ?? standard) * 86400).rounded())
    }

    /// From about a minute to 90 days, as Branch allows; nil for anything else.
    static func number(_ text: String?) -> Double? {
        guard let days = text.flatMap(Double.init), (0...90).contains(days) else { return nil }
        return days
    }
}
