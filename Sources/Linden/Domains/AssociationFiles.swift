/// What tells phones which apps may open the links of a host: Apple's `apple-app-site-association` and Google's `assetlinks.json`.
///
/// Made of the apps' settings `ios_team_id`, `ios_bundle_id`, `android_package_name` and `sha256_cert_fingerprints`; an app that
/// lacks its system's settings, or whose settings cannot be a name there, is not in that system's file.
package struct AssociationFiles: Sendable {
    /// How Apple's file is written (Apple, "Supporting associated domains").
    package enum Shape: String, Sendable, CaseIterable {
        /// `components`, which iOS reads from 13 on.
        case modern
        /// `paths`, which all of them read. Newer ones ignore it where both are there, so it is one or the other.
        case legacy
    }

    /// Whose links lie on the host comes first.
    package let apps: [App]

    init(apps: [App]) {
        self.apps = apps
    }

    /// The iOS apps of the files: team and bundle, as the entitlement names an app.
    var appleAppIDs: [String] { apps.compactMap(\.configuration.appleAppID) }

    var androidApps: [AndroidApp] { apps.compactMap(\.configuration.androidApp) }

    /// Everything but `/e/…`, which stays on the web. What is excluded comes first, because the first rule that fits decides.
    package func apple(_ shape: Shape) -> JSON {
        switch shape {
        case .modern:
            let components: JSON = [["/": "/e/*", "exclude": true, "comment": "Links for the web only"], ["/": "*"]]
            let details = appleAppIDs.map { id -> JSON in ["appIDs": [.string(id)], "components": components] }
            return ["applinks": ["details": .array(details)]]
        case .legacy:
            let details = appleAppIDs.map { id -> JSON in ["appID": .string(id), "paths": ["NOT /e/*", "*", "/"]] }
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

/// An Android app as `assetlinks.json` names it.
struct AndroidApp: Equatable {
    let package: String
    /// Of the certificates it may be signed with; at least one.
    let fingerprints: [String]
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

extension Reader {
    /// The files of a host; nil for one that has no links of ours. Apps without a domain for their live links share the base URL's
    /// host, even where it is another app's domain.
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
