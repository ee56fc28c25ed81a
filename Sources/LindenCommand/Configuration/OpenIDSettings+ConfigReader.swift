import Configuration
import LindenKernel
import LindenServices
import OpenID

extension OpenIDSettings {
    /// Reads the settings of `dashboard.openid`. Nil without an issuer.
    ///
    /// - `dashboard.openid.issuer` (URL, default none), `.client_id` (text), `.client_secret` (text, default none), `.client_secret_file` (path,
    ///   default none), `.name` (text, default the issuer's host), `.user_claim` (email or preferred_username, default email)
    /// - `dashboard.openid.allowed_domains` (host names or *, comma-separated or a list, default none), `.allowed_users` (names,
    ///   comma-separated or a list, default none), `.new_user_role` (a role, default none)
    init?(reader: ConfigReader) throws {
        let issuer = try reader.value("dashboard.openid.issuer") { text in
            try Self.check(text)
            return text
        }
        guard let issuer else {
            guard let client = reader.text("dashboard.openid.client_id") else { return nil }
            throw Failure.setting("dashboard.openid.client_id", client, "needs dashboard.openid.issuer, the provider's address")
        }
        guard let client = reader.text("dashboard.openid.client_id") else {
            throw Failure.setting(
                "dashboard.openid.issuer", issuer, "needs dashboard.openid.client_id, the provider's name for Linden")
        }
        self.init(issuer: issuer, clientID: client, clientSecret: try reader.secret("dashboard.openid.client_secret"))
        name = reader.text("dashboard.openid.name")
        userClaim = try reader.choice("dashboard.openid.user_claim") ?? userClaim
        let (domains, users) = (reader.list("dashboard.openid.allowed_domains"), reader.list("dashboard.openid.allowed_users"))
        do {
            allowed = try AllowedNames(domains: domains, users: users)
        } catch let failure as Failure {
            throw Failure.setting("dashboard.openid.allowed_domains", domains.joined(separator: ","), failure.message)
        }
        newUserRole = try reader.choice("dashboard.openid.new_user_role")
        if let newUserRole, allowed.isEmpty {
            throw Failure.setting(
                "dashboard.openid.new_user_role", newUserRole.rawValue,
                "needs dashboard.openid.allowed_domains or dashboard.openid.allowed_users, which say who may become a user; "
                    + "allowed_domains: \"*\" is every account of the provider")
        }
    }
}
