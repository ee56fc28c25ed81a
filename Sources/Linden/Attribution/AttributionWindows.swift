import LinkRouting

/// The attribution windows of a deterministic click, in days: the link's own or the one appended to it, else the app's, else the default
/// (Branch, "attribution windows": the values partners are advised to set). A change affects later decisions only.
struct AttributionWindows {
    private let link: ControlParameters
    private let app: AppConfiguration

    /// - Parameter link: the link's control parameters; empty for a search ad.
    init(_ link: ControlParameters = ControlParameters(), app: AppConfiguration) {
        self.link = link
        self.app = app
    }

    /// Maximum seconds from a click to a session attributed to it.
    func seconds(for kind: Session.Kind) -> Int64 {
        switch kind {
        case .install, .reinstall, .fullAppConversion: days("click_install_window_days", standard: 30)
        case .open, .web, .userChange: days("click_session_start_window_days", standard: 90)
        }
    }

    /// The key of a link's own conversion window.
    static let conversionKey = "$click_conversion_window_days"

    /// Maximum seconds from a click to an event credited to it.
    var conversion: Int64 { days("click_conversion_window_days", standard: 90) }

    private func days(_ name: String, standard: Double) -> Int64 {
        let said = Self.number(link["$" + name]) ?? Self.number(app[name])
        return Int64(((said ?? standard) * 86400).rounded())
    }

    /// Parses a number of days from 0 to 90, as Branch allows; nil for anything else.
    static func number(_ text: String?) -> Double? {
        guard let days = text.flatMap(Double.init), (0...90).contains(days) else { return nil }
        return days
    }
}
