/// For how long a click that is known by an id counts, in days: the link's own window, else the app's, else the usual
/// (Branch, "attribution windows": what partners are advised to set). A change affects what is decided from then on.
struct AttributionWindows {
    let link: Link
    let app: AppConfiguration

    /// Seconds.
    func seconds(for kind: Session.Kind) -> Int64 {
        switch kind {
        case .install, .reinstall, .fullAppConversion: days("click_install_window_days", standard: 30)
        case .open, .web, .userChange: days("click_session_start_window_days", standard: 90)
        }
    }

    /// From about a minute to 90 days, as Branch allows.
    private func days(_ name: String, standard: Double) -> Int64 {
        let said = Self.number(link.data["$" + name]?.scalarText) ?? Self.number(app[name])
        return Int64(((said ?? standard) * 86400).rounded())
    }

    private static func number(_ text: String?) -> Double? {
        guard let days = text.flatMap(Double.init), (0...90).contains(days) else { return nil }
        return days
    }
}
