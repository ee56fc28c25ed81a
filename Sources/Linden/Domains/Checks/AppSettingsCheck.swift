/// An app must be named whole, or it is left out of the files: an iOS app by team and bundle, an Android app by package and
/// fingerprints. One whose settings say nothing of a system is taken not to be there for it.
package enum AppSettingsCheck {
    package static func findings(on app: App) -> [Finding] {
        [iOS(app), android(app)]
    }

    private static func iOS(_ app: App) -> Finding {
        let settings = app.configuration
        let isThere = ["ios_team_id", "ios_bundle_id", "ios_uri_scheme", "ios_app_store_id"].contains { settings[$0] != nil }
        let missing = ["ios_team_id", "ios_bundle_id"].filter { settings[$0] == nil }
        guard isThere else { return Finding("settings.ios", .ok, "\(app.name) has no iOS app.") }
        guard missing.isEmpty else {
            return incomplete("settings.ios", app, missing, "apple-app-site-association, so iPhones open")
        }
        guard settings["ios_team_id"].map(isTeamID) == true else {
            return Finding(
                "settings.ios", .error,
                "The ios_team_id of \(app.name) must be the 10 capital letters and digits that come before the bundle id in the "
                    + "app's identifier, such as ABCDE12345.")
        }
        return Finding("settings.ios", .ok, "\(app.name) is \(AssociationFiles(apps: [app]).appleAppIDs.joined()) on iOS.")
    }

    private static func android(_ app: App) -> Finding {
        let settings = app.configuration
        let isThere = ["android_package_name", "android_uri_scheme", "sha256_cert_fingerprints"].contains {
            settings.values[$0] != nil
        }
        guard isThere else { return Finding("settings.android", .ok, "\(app.name) has no Android app.") }
        var missing = settings["android_package_name"] == nil ? ["android_package_name"] : []
        if settings.values["sha256_cert_fingerprints"]?.array?.isEmpty ?? true { missing.append("sha256_cert_fingerprints") }
        guard missing.isEmpty else {
            return incomplete("settings.android", app, missing, "assetlinks.json, so Android phones open")
        }
        return Finding("settings.android", .ok, "\(app.name) is \(settings["android_package_name"] ?? "") on Android.")
    }

    private static func incomplete(_ check: String, _ app: App, _ missing: [String], _ consequence: String) -> Finding {
        let options = missing.compactMap { Self.flags[$0] }.joined(separator: " ")
        return Finding(
            check, .error,
            "\(app.name) has no \(missing.joined(separator: " and no ")). It is left out of \(consequence) its links in the "
                + "browser: linden apps update \(app.id.rawValue) \(options)")
    }

    private static let flags = [
        "ios_team_id": "--ios-team-id ID", "ios_bundle_id": "--ios-bundle-id ID", "android_package_name": "--android-package NAME",
        "sha256_cert_fingerprints": "--android-sha256 HEX",
    ]

    private static func isTeamID(_ text: String) -> Bool {
        text.utf8.count == 10 && text.allSatisfy { $0.isASCII && ($0.isUppercase || $0.isNumber) }
    }
}
