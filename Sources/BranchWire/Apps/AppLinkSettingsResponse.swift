import Linden
import LindenKernel
import LinkRouting

/// The response to `GET /v1/app-link-settings/<branch_key>`, which the SDKs' integration validators compare with the app's own
/// configuration. Schemes end in `://`: Android removes three characters, old iOS SDKs compare the whole string. Unset values are omitted.
package struct AppLinkSettingsResponse: Sendable {
    private let app: AppContext
    private let baseURL: BaseURL

    package init(_ app: AppContext, baseURL: BaseURL) {
        self.app = app
        self.baseURL = baseURL
    }

    package var json: JSON {
        let settings = app.app.configuration
        let domain = app.domain ?? baseURL.host
        var members = JSONObject()
        for (name, value) in [
            ("ios_bundle_id", settings["ios_bundle_id"]), ("ios_team_id", settings["ios_team_id"]),
            ("ios_uri_scheme", app.routing.ios.uriScheme.map { $0 + "://" }),
            ("android_package_name", settings["android_package_name"]),
            ("android_uri_scheme", app.routing.android.uriScheme.map { $0 + "://" }),
            ("short_url_domain", domain), ("default_short_url_domain", domain),
            ("alternate_short_url_domain", settings["alternate_short_url_domain"]),
        ] {
            if let value { members[name] = .string(value) }
        }
        return .object(members)
    }
}
