import Linden

extension Finding {
    /// The finding and the command that solves its problem.
    package var message: String {
        remedy.map { "\(detail) \($0.purpose): \($0.action.command)" } ?? detail
    }
}

extension Remedy.Action {
    /// The command as it is typed, with placeholders in capitals.
    fileprivate var command: String {
        switch self {
        case .set(let setting, let value, let app): "linden apps update \(app) --set \(setting)=\(value)"
        case .name(let alternatives, let app):
            "linden apps update \(app) "
                + alternatives.map { $0.compactMap { Self.options[$0] }.joined(separator: " ") }.joined(separator: ", or ")
        case .addDomain(let host): "linden domains add \(host ?? "HOST") --app KEY"
        case .importRates: "linden rates import FILE"
        case .listHeldRewards(let app): "linden rewards held --app \(app)"
        case .showAttribution: "linden query attribution"
        }
    }

    private static let options = [
        "ios_team_id": "--ios-team-id ID", "ios_bundle_id": "--ios-bundle-id ID", "android_package_name": "--android-package NAME",
        "sha256_cert_fingerprints": "--android-sha256 HEX",
    ]
}
