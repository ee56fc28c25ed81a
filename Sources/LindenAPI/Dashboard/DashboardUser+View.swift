import Linden
import LindenKernel
import LindenServices

extension DashboardUser {
    /// A user of the dashboard, without password and secrets.
    ///
    /// - `user_id`: the user's id, a string.
    /// - `name`: the name to sign in with, such as an e-mail address.
    /// - `role`: `admin`, `editor`, `analyst` or `support`.
    /// - `app_id`: the only app that the user may see; null for all apps.
    /// - `status`: `invited` for a user with neither a password nor an account of the OpenID provider, `active` or `disabled`.
    /// - `second_factor`: whether a sign-in with the password also needs a code.
    /// - `provider`: whether the user has signed in by the OpenID provider.
    /// - `set_up_expires_at`: when the link for setting a password expires; null without one.
    /// - `created_at`: a time in ISO 8601, UTC.
    /// - `last_sign_in_at`: a time in ISO 8601, UTC; null before the first time.
    /// - `disabled_at`: a time in ISO 8601, UTC; null if the user is not disabled.
    package var view: JSONObject {
        [
            "user_id": .string(String(id.rawValue)),
            "name": .string(name),
            "role": .string(role.rawValue),
            "app_id": JSON(app.map { String($0.rawValue) }),
            "status": .string(status.rawValue),
            "second_factor": .bool(hasSecondFactor),
            "provider": .bool(hasProvider),
            "set_up_expires_at": JSON(setUpExpiresAt?.iso8601),
            "created_at": .string(createdAt.iso8601),
            "last_sign_in_at": JSON(lastSignInAt?.iso8601),
            "disabled_at": JSON(disabledAt?.iso8601),
        ]
    }

    /// The view of a user that was created or reset.
    ///
    /// - `set_up_url`: the address at which the user sets a password, once. Shown only here.
    ///
    /// - Parameter secret: the one-time secret for setting a password.
    package func view(settingUpWith secret: String, on baseURL: BaseURL) -> JSONObject {
        view.merging(["set_up_url": .string(baseURL.text + Self.setUpPath(secret))])
    }

    /// Returns the path at which a user sets a password with a one-time secret.
    package static func setUpPath(_ secret: String) -> String { "/dashboard/set-up/" + secret }
}
