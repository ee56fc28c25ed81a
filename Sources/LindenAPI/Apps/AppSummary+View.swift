import Linden
import LindenKernel
import LindenServices

extension AppSummary {
    /// An app in a list.
    ///
    /// - `app_id`: the app's id, a string.
    /// - `name`: the app's name.
    /// - `branch_key`, `test_branch_key`: the keys of its live and test mode; null if there is none.
    /// - `domains`: the hosts of its links.
    package var view: JSONObject {
        [
            "app_id": .string(String(app.id.rawValue)),
            "name": .string(app.name),
            "branch_key": JSON(keys.first { $0.scope.mode == .live }?.branchKey),
            "test_branch_key": JSON(keys.first { $0.scope.mode == .test }?.branchKey),
            "domains": JSON(domains.map(\.host)),
        ]
    }

    /// An app with its settings.
    ///
    /// - the members of ``view``.
    /// - `created_at`: a time in ISO 8601, UTC.
    /// - `former_keys`, `former_secrets`: replaced keys and secrets, with `mode`, `replaced_at` and `ends_at` (a time in ISO 8601 or
    ///   `never`), keys also with `branch_key`; absent if there are none.
    /// - `settings`: the settings that differ from the defaults.
    /// - `test_settings`: the overrides of test mode; absent if there are none.
    package var detailedView: JSONObject {
        var members = view
        members["created_at"] = .string(app.createdAt.iso8601)
        let formerKeys = keys.compactMap { key -> JSON? in
            guard let replacedAt = key.replacedAt else { return nil }
            return .object(Self.former(["branch_key": .string(key.branchKey)], key.scope, replacedAt, key.endsAt))
        }
        if !formerKeys.isEmpty { members["former_keys"] = .array(formerKeys) }
        let secrets = formerSecrets.map { JSON.object(Self.former([:], $0.scope, $0.replacedAt, $0.endsAt)) }
        if !secrets.isEmpty { members["former_secrets"] = .array(secrets) }
        members["settings"] = .object(app.configuration.values)
        if !app.testConfiguration.values.isEmpty { members["test_settings"] = .object(app.testConfiguration.values) }
        return members
    }

    private static func former(_ members: JSONObject, _ scope: Scope, _ replacedAt: Timestamp, _ endsAt: Timestamp?) -> JSONObject {
        members.merging([
            "mode": .string(scope.mode.name), "replaced_at": .string(replacedAt.iso8601),
            "ends_at": .string(endsAt?.iso8601 ?? "never"),
        ])
    }
}
