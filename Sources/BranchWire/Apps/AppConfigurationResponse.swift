import Linden
import LinkRouting

/// An app's configuration as `GET|PUT /v1/app/<branch_key>` show it: the settings as they were sent, and what Linden knows of the
/// app. Numbers and switches come back as strings, as Branch sends them. The secret is not among them: it is stored hashed.
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

    /// The settings to be changed. What says who asks, and what belongs to Linden, is not among them.
    package var settings: JSONObject {
        let own: Set<String> = ["branch_key", "branch_secret", "app_name", "app_key", "id", "creation_date", "origin"]
        return body.members.filter { key, _ in !own.contains(key) }
    }
}
