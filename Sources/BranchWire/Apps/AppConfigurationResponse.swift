import Linden
import LindenKernel
import LinkRouting

/// The body of responses to `GET|PUT /v1/app/<branch_key>`: the settings as they were sent, and the app's own properties. Numbers and
/// Booleans are returned as strings, as Branch does. The secret is not included: only its hash is stored.
package struct AppConfigurationResponse: Sendable {
    private let app: App
    private let context: AppContext
    private let baseURL: BaseURL

    package init(_ app: App, _ context: AppContext, baseURL: BaseURL) {
        self.app = app
        self.context = context
        self.baseURL = baseURL
    }

    package var json: JSON {
        var members = JSONObject()
        for (key, value) in app.configuration.values {
            members[key] = value.array == nil ? value.scalarText.map(JSON.string) ?? value : value
        }
        let domain = context.domain ?? baseURL.host
        members["short_url_domain"] = .string(domain)
        members["default_short_url_domain"] = .string(domain)
        members["app_name"] = .string(app.name)
        members["branch_key"] = .string(context.key.branchKey)
        members["app_key"] = .string(context.key.branchKey)
        members["id"] = .string(String(app.id.rawValue))
        members["creation_date"] = .string(app.createdAt.iso8601)
        return .object(members)
    }
}

/// The fields of `PUT /v1/app/<branch_key>`.
package struct UpdateAppRequest: Sendable {
    private let body: RequestFields

    package init(_ body: RequestFields) {
        self.body = body
    }

    package func name() throws -> String? {
        try body.strictText("app_name")
    }

    /// The settings to change, without the credentials of the call, the app's name and the read-only members that Linden adds. Throws
    /// `invalid` for too many settings, and for a name that a reader of the response would take for another key, id or secret of the app.
    package func settings() throws -> JSONObject {
        let settings = body.members.without([
            "branch_key", "branch_secret", "app_name", "app_key", "id", "creation_date", "origin",
        ])
        try AppConfiguration.checkChange(settings)
        for (name, _) in settings {
            let lowercased = name.lowercased()
            guard lowercased != "app_id", !lowercased.contains("branch_key"), !lowercased.contains("secret") else {
                throw Failure.invalid("\(name) is not a setting of an app. Keys, ids and secrets cannot be changed by this call.")
            }
        }
        return settings
    }
}
