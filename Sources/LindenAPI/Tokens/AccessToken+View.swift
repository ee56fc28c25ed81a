import Linden
import LindenKernel
import LindenServices

extension AccessToken {
    /// An access token, without its secret.
    ///
    /// - `token_id`: the token's id, a string.
    /// - `name`: the name that describes its purpose.
    /// - `role`: `admin`, `editor`, `analyst`, `support` or `ingest`.
    /// - `app_id`: the only app that the token may access; null for all apps.
    /// - `created_at`: a time in ISO 8601, UTC.
    /// - `expires_at`: when it is refused, a time in ISO 8601, UTC; null for never.
    /// - `last_used_at`: the last call with it, to the minute; null for none.
    /// - `rotated_at`: when its secret was last replaced; null for never.
    /// - `former_ends_at`: when the secret before that is refused; null if there was none, or it was refused at once.
    /// - `revoked_at`: a time in ISO 8601, UTC; null if the token is not revoked.
    package var view: JSONObject {
        [
            "token_id": .string(String(id.rawValue)),
            "name": .string(name),
            "role": .string(role.rawValue),
            "app_id": JSON(app.map { String($0.rawValue) }),
            "created_at": .string(createdAt.iso8601),
            "expires_at": JSON(expiresAt?.iso8601),
            "last_used_at": JSON(lastUsedAt?.iso8601),
            "rotated_at": JSON(rotatedAt?.iso8601),
            "former_ends_at": JSON(formerEndsAt?.iso8601),
            "revoked_at": JSON(revokedAt?.iso8601),
        ]
    }
}
