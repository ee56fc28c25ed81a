import Linden
import LindenKernel

/// The association files of a host, by which phones learn which apps may open its links: Apple's `apple-app-site-association` and Google's
/// `assetlinks.json`.
///
/// Built from the apps' settings `ios_team_id`, `ios_bundle_id`, `android_package_name` and `sha256_cert_fingerprints`. An app is left out
/// of a system's file if it lacks that system's settings or has invalid ones.
package struct AssociationFiles: Sendable {
    /// The format of Apple's file (Apple, "Supporting associated domains").
    package enum Shape: String, Sendable, CaseIterable {
        /// With `components`, supported from iOS 13 on.
        case modern
        /// With `paths`, supported by all versions. Newer ones ignore `paths` if both are present, so a file has one or the other.
        case legacy
    }

    /// The apps of the host. The app that owns the domain comes first.
    package let apps: [App]

    package init(apps: [App]) {
        self.apps = apps
    }

    /// The ids of the iOS apps, team and bundle, as in the app's entitlement.
    package var appleAppIDs: [String] { apps.compactMap(\.configuration.appleAppID) }

    package var androidApps: [AndroidApp] { apps.compactMap(\.configuration.androidApp) }

    /// Paths that phones leave to the browser: links for the web only, and pages and files of operators, whose addresses have secrets in them that
    /// the app would report.
    private static let webPaths = ["/e/*"] + Alias.operatorSegments.map { "/\($0)/*" }

    /// Returns Apple's file, which matches all paths but ``webPaths``. The exclusions come first, because the first matching rule decides.
    package func apple(_ shape: Shape) -> JSON {
        switch shape {
        case .modern:
            let exclusions = Self.webPaths.map { path -> JSON in ["/": .string(path), "exclude": true] }
            let components = JSON.array(exclusions + [["/": "*"]])
            let details = appleAppIDs.map { id -> JSON in ["appIDs": [.string(id)], "components": components] }
            return ["applinks": ["details": .array(details)]]
        case .legacy:
            let paths = JSON(Self.webPaths.map { "NOT " + $0 } + ["*", "/"])
            let details = appleAppIDs.map { id -> JSON in ["appID": .string(id), "paths": paths] }
            return ["applinks": ["apps": [], "details": .array(details)]]
        }
    }

    func json(_ kind: AssociationFile.Kind) -> JSON {
        switch kind {
        case .apple(let shape): apple(shape)
        case .android: android
        }
    }

    package var android: JSON {
        .array(
            androidApps.map { app in
                [
                    "relation": [.string(AssetLinks.relation)],
                    "target": [
                        "namespace": "android_app", "package_name": .string(app.package),
                        "sha256_cert_fingerprints": JSON(app.fingerprints),
                    ],
                ]
            })
    }
}

extension App {
    /// Whether two versions of an app are the same in association files.
    func isInSameAssociations(as other: App) -> Bool {
        func entries(_ app: App) -> [[UInt8]] {
            Mode.allCases.flatMap { mode in
                let files = AssociationFiles(apps: [app.side(mode)])
                return [files.apple(.modern).bytes, files.android.bytes]
            }
        }
        return entries(self) == entries(other)
    }
}

/// An Android app in `assetlinks.json`.
package struct AndroidApp: Equatable {
    package let package: String
    /// SHA-256 fingerprints of its signing certificates; at least one.
    package let fingerprints: [String]
}

extension AppConfiguration {
    fileprivate var appleAppID: String? {
        guard let team = self["ios_team_id"], let bundle = self["ios_bundle_id"], AppName.teamID.fits(team),
            AppName.bundleID.fits(bundle)
        else { return nil }
        return team + "." + bundle
    }

    fileprivate var androidApp: AndroidApp? {
        let fingerprints = values["sha256_cert_fingerprints"]?.array?.compactMap(\.string) ?? []
        guard let package = self["android_package_name"], AppName.package.fits(package), !fingerprints.isEmpty else { return nil }
        return AndroidApp(package: package, fingerprints: fingerprints)
    }
}

extension DomainReader where Self: AppReader {
    /// Returns the files of a host; nil for a host without links of this installation. Apps without a domain for their live links share the
    /// base URL's host, even if it is also another app's domain.
    func associationFiles(of host: String, _ baseURL: BaseURL) throws -> AssociationFiles? {
        let owner = try domain(host).flatMap { domain in try app(domain.scope.app)?.side(domain.scope.mode) }
        guard owner != nil || host == baseURL.host else { return nil }
        var apps = [owner].compactMap { $0 }
        if host == baseURL.host { apps += try appsWithoutDomain(.live) }
        apps += try associatedApps(of: host).compactMap { try app($0) }
        var named: Set<App.ID> = []
        return AssociationFiles(apps: apps.filter { named.insert($0.id).inserted })
    }
}
