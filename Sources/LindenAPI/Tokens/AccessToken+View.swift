import Linden
import LindenKernel
import LindenServices

extension AccessToken {
    /// An access token, without its secret.
    ///
    /// - `token_id`: the token's id, a string.
    /// - `name`: the name that describes its purpose.
    /// - `role`: `admin` or `analyst`.
    /// - `app_id`: the only app that the token may access; null for all apps.
    /// - `created_at`: a time in ISO 8601, UTC.
    /// - `revoked_at`: a time in ISO 8601, UTC; null if the token is not revoked.
    package var view: JSONObject {
        [
            "token_id": .string(String(id.rawValue)),
            "name": .string(name),
            "role": .string(role.rawValue),
            "app_id": JSON(app.map { String($0.rawValue) }),
            "created_at": .string(createdAt.iso8601),
            "revoked_at": JSON(revokedAt?.iso8601),
        ]
    }
}
