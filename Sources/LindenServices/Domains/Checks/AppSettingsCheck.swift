import Linden
import LindenKernel

/// A check that an app's settings are complete, since an incomplete app is left out of the association files: an iOS app needs team and
/// bundle, an Android app package and fingerprints. An app without any setting for a system is not expected there.
package enum AppSettingsCheck {
    package static func findings(on app: App) -> [Finding] {
        guard hasIOS(app) || hasAndroid(app) else {
            return [
                Finding(
                    "settings.apps", .warning,
                    "\(app.name) has neither an iOS nor an Android app, so its links open in the browser.",
                    remedy: Remedy("If it has one", .name(alternatives: [iOSNames, androidNames], app: String(app.id.rawValue))),
                    app: app.id)
            ]
        }
        return [iOS(app), android(app)]
    }

    private static let iOSNames = ["ios_team_id", "ios_bundle_id"]
    private static let androidNames = ["android_package_name", "sha256_cert_fingerprints"]

    private static func hasIOS(_ app: App) -> Bool {
        ["ios_team_id", "ios_bundle_id", "ios_uri_scheme", "ios_app_store_id"].contains { app.configuration[$0] != nil }
    }

    private static func hasAndroid(_ app: App) -> Bool {
        ["android_package_name", "android_uri_scheme"].contains { app.configuration[$0] != nil }
            || !fingerprints(of: app).isEmpty
    }

    private static func fingerprints(of app: App) -> [JSON] { app.configuration.values["sha256_cert_fingerprints"]?.array ?? [] }

    private static func iOS(_ app: App) -> Finding {
        let settings = app.configuration
        func finding(_ status: Finding.Status, _ detail: String) -> Finding {
            Finding("settings.ios", status, detail, app: app.id)
        }
        guard hasIOS(app) else { return finding(.ok, "\(app.name) has no iOS app.") }
        let missing = iOSNames.filter { settings[$0] == nil }
        guard missing.isEmpty else {
            return incomplete("settings.ios", app, missing, "apple-app-site-association, so iPhones open")
        }
        if let wrong = wrong([.teamID, .bundleID], of: app) { return finding(.error, wrong) }
        return finding(.ok, "\(app.name) is \(AssociationFiles(apps: [app]).appleAppIDs.joined()) on iOS.")
    }

    private static func android(_ app: App) -> Finding {
        let settings = app.configuration
        func finding(_ status: Finding.Status, _ detail: String) -> Finding {
            Finding("settings.android", status, detail, app: app.id)
        }
        guard hasAndroid(app) else { return finding(.ok, "\(app.name) has no Android app.") }
        var missing = settings["android_package_name"] == nil ? ["android_package_name"] : []
        if fingerprints(of: app).isEmpty { missing.append("sha256_cert_fingerprints") }
        guard missing.isEmpty else {
            return incomplete("settings.android", app, missing, "assetlinks.json, so Android phones open")
        }
        if let wrong = wrong([.package], of: app) { return finding(.error, wrong) }
        return finding(.ok, "\(app.name) is \(settings["android_package_name"] ?? "") on Android.")
    }

    /// Returns a message about an invalid stored name; nil if all are valid.
    private static func wrong(_ names: [AppName], of app: App) -> String? {
        let name = names.first { name in app.configuration[name.rawValue].map { !name.fits($0) } ?? false }
        return name.map { "The \($0.rawValue) of \(app.name) must be \($0.rule). The app is left out until it is." }
    }

    private static func incomplete(_ check: String, _ app: App, _ missing: [String], _ consequence: String) -> Finding {
        Finding(
            check, .error,
            "\(app.name) has no \(missing.joined(separator: " and no ")). It is left out of \(consequence) its links in the browser.",
            remedy: Remedy("To complete it", .name(alternatives: [missing], app: String(app.id.rawValue))), app: app.id)
    }
}
