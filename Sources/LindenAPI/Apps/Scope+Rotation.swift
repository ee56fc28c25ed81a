import Linden
import LindenKernel

/// The views of replaced and ended keys and secrets. Each has `app_id` and `mode`; times are in ISO 8601, UTC, or `never`.
extension Scope {
    /// A new key, with `branch_key`, `former_branch_key` and `former_key_ends_at`.
    package func keyView(_ key: AppKey, former: AppKey) -> JSONObject {
        side.merging([
            "branch_key": .string(key.branchKey), "former_branch_key": .string(former.branchKey),
            "former_key_ends_at": .string(former.endsAt?.iso8601 ?? "never"),
        ])
    }

    /// A new secret, with `branch_secret`, which is shown this once, and `former_secret_ends_at`.
    package func secretView(_ secret: String, formerEndsAt end: Timestamp?) -> JSONObject {
        side.merging(["branch_secret": .string(secret), "former_secret_ends_at": .string(end?.iso8601 ?? "never")])
    }

    /// The number of former secrets that were ended, `ended_secrets`.
    package func endedSecretsView(_ count: Int) -> JSONObject { side.merging(["ended_secrets": .integer(Int64(count))]) }

    fileprivate var side: JSONObject { ["app_id": .string(String(app.rawValue)), "mode": .string(mode.name)] }
}

extension AppKey {
    /// A former key that was ended, with `branch_key` and `ended_at`.
    package var endedView: JSONObject {
        scope.side.merging(["branch_key": .string(branchKey), "ended_at": JSON(endsAt?.iso8601)])
    }
}
