import LinkRouting

/// The attribution windows of a deterministic click, in days: the link's own or the one appended to it, else the app's, else the default
/// (Branch, "attribution windows": the values partners are advised to set). A change affects later decisions only.
package struct AttributionWindows {
    private let link: ControlParameters
    private let app: AppConfiguration

    /// - Parameter link: the link's control parameters; empty for a search ad.
    package init(_ link: ControlParameters = ControlParameters(), app: AppConfiguration) {
        self.link = link
        self.app = app
    }

    /// The windows of a click on a stored link. Decodes nothing else of the query.
    ///
    /// - Parameter query: the query that was appended to the link, which overrides the link's own windows.
    init(_ link: LinkWindows, appended query: String?, app: AppConfiguration) {
        var parameters = ControlParameters()
        for (name, days) in [
            (Self.installName, link.install), (Self.sessionStartName, link.sessionStart), (Self.conversionName, link.conversion),
        ] {
            let appended = query.flatMap { URLParts.lastValue(ofControl: name, in: $0) }
            if let days = appended ?? days { parameters.set("$\(name)", to: days) }
        }
        self.init(parameters, app: app)
    }

    static let installName: StaticString = "click_install_window_days"
    static let sessionStartName: StaticString = "click_session_start_window_days"
    static let conversionName: StaticString = "click_conversion_window_days"

    /// Maximum seconds from a click to a session attributed to it.
    func seconds(for kind: Session.Kind) -> Int64 {
        switch kind {
        case .install, .reinstall, .fullAppConversion: days(Self.installName, standard: 30)
        case .open, .web, .userChange: days(Self.sessionStartName, standard: 90)
        }
    }

    /// Seconds after which no session can be attributed to a click.
    var longest: Int64 { max(seconds(for: .install), seconds(for: .open)) }

    /// Maximum seconds from a click to an event credited to it.
    package var conversion: Int64 { days(Self.conversionName, standard: 90) }

    private func days(_ name: StaticString, standard: Double) -> Int64 {
        let name = "\(name)"
        let said = Self.number(link["$" + name]) ?? Self.number(app[name])
        return Int64(((said ?? standard) * 86400).rounded())
    }

    /// Parses a number of days from 0 to 90, as Branch allows; nil for anything else.
    package static func number(_ text: String?) -> Double? {
        guard let days = text.flatMap(Double.init), (0...90).contains(days) else { return nil }
        return days
    }
}
