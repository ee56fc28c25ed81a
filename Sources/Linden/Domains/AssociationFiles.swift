/// What tells phones which apps may open the links of a host: Apple's `apple-app-site-association` and Google's `assetlinks.json`.
///
/// Made of the apps' settings `ios_team_id`, `ios_bundle_id`, `android_package_name` and `sha256_cert_fingerprints`; an app that
/// lacks its system's settings is not in that system's file.
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
        let appIDs = appleAppIDs
        switch shape {
        case .modern:
            let components: JSON = [["/": "/e/*", "exclude": true, "comment": "Links for the web only"], ["/": "*"]]
            let details: JSON = appIDs.isEmpty ? [] : [["appIDs": JSON(appIDs), "components": components]]
            return ["applinks": ["details": details]]
        case .legacy:
            let details = appIDs.map { id -> JSON in ["appID": .string(id), "paths": ["NOT /e/*", "*", "/"]] }
            return ["applinks": ["apps": [], "details": .array(details)]]
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
        guard let team = self["ios_team_id"], let bundle = self["ios_bundle_id"] else { return nil }
        return team + "." + bundle
    }

    fileprivate var androidApp: AndroidApp? {
        let fingerprints = values["sha256_cert_fingerprints"]?.array?.compactMap(\.string) ?? []
        guard let package = self["android_package_name"], !fingerprints.isEmpty else { return nil }
        return AndroidApp(package: package, fingerprints: fingerprints)
    }
}

extension Reader {
    /// The files of a host; nil for one that has no links of ours. Apps without a domain share the base URL's host.
    func associationFiles(of host: String, _ baseURL: BaseURL) throws -> AssociationFiles? {
        var ids: [App.ID]
        if let domain = try domain(host) {
            ids = [domain.scope.app]
        } else if host == baseURL.host {
            ids = try apps().map(\.id).filter { id in
                try Mode.allCases.contains { try domains(of: Scope(app: id, mode: $0)).isEmpty }
            }
        } else {
            return nil
        }
        ids += try associatedApps(of: host).filter { !ids.contains($0) }
        return AssociationFiles(apps: try ids.compactMap { try app($0) })
    }
}
