/// What tells phones which apps may open the links of a host: Apple's `apple-app-site-association` and Google's `assetlinks.json`.
///
/// Made of the apps' settings `ios_team_id`, `ios_bundle_id`, `android_package_name` and `sha256_cert_fingerprints`; an app that lacks
/// its system's settings is not in that system's file.
package struct AssociationFiles: Sendable {
    /// How Apple's file is written (Apple, "Supporting associated domains").
    package enum Shape: String, Sendable, CaseIterable {
        /// `components`, which iOS reads from 13 on.
        case modern
        /// `paths`, which all of them read. Newer ones ignore it where both are there, so it is one or the other.
        case legacy
    }

    /// Whose links lie on the host comes first.
    private let apps: [AppConfiguration]

    init(apps: [AppConfiguration]) {
        self.apps = apps
    }

    /// Everything but `/e/…`, which stays on the web. What is excluded comes first, because the first rule that fits decides.
    package func apple(_ shape: Shape) -> JSON {
        let appIDs = apps.compactMap(\.appleAppID)
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
            apps.compactMap { app -> JSON? in
                guard let package = app["android_package_name"], let fingerprints = app.fingerprints else { return nil }
                return [
                    "relation": ["delegate_permission/common.handle_all_urls"],
                    "target": [
                        "namespace": "android_app", "package_name": .string(package),
                        "sha256_cert_fingerprints": JSON(fingerprints),
                    ],
                ]
            })
    }
}

extension AppConfiguration {
    /// Team and bundle, as the entitlement names an app.
    fileprivate var appleAppID: String? {
        guard let team = self["ios_team_id"], let bundle = self["ios_bundle_id"] else { return nil }
        return team + "." + bundle
    }

    fileprivate var fingerprints: [String]? {
        let texts = values["sha256_cert_fingerprints"]?.array?.compactMap(\.string) ?? []
        return texts.isEmpty ? nil : texts
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
        return AssociationFiles(apps: try ids.compactMap { try app($0)?.configuration })
    }
}
