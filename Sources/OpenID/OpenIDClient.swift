import Crypto
import Foundation
import LindenKernel
import LindenServices
import LinkRouting

/// A client of an OpenID provider: discovery, the authorization code flow with PKCE (RFC 7636), and verified ID tokens.
package struct OpenIDClient: IdentityProvider {
    private let settings: OpenIDSettings
    private let clock: WallClock
    private let metadata: ProviderDocument<ProviderMetadata>
    private let keys: ProviderDocument<ProviderKeys>

    package var name: String { settings.name ?? URLParts(settings.issuer).host }
    package var newUserRole: DashboardUser.Role? { settings.newUserRole }

    /// Providers change keys. For a token that no known key has signed, newer ones are looked for at most this often.
    private static let keysResolution = Duration.seconds(60)
    private static let longestCode = 4096

    package init(_ settings: OpenIDSettings, clock: WallClock) {
        self.settings = settings
        self.clock = clock
        let metadata = ProviderDocument(clock: clock) {
            try ProviderMetadata(try await ProviderCall.read(ProviderMetadata.url(of: settings.issuer)), of: settings.issuer)
        }
        self.metadata = metadata
        keys = ProviderDocument(clock: clock) {
            await ProviderKeys(try await ProviderCall.read(try await metadata.value().keysURL))
        }
    }

    package func admits(_ name: String?) -> Bool { settings.allowed.admits(name) }

    package func signInURL(_ attempt: ProviderAttempt, returnURL: String) async throws -> String {
        let endpoint = try await metadata.value().authorizationEndpoint
        let challenge = Data(SHA256.hash(data: Data(attempt.verifier.utf8))).base64URLText
        let query = ProviderCall.form([
            ("response_type", "code"), ("client_id", settings.clientID), ("redirect_uri", returnURL),
            ("scope", "openid email profile"), ("state", attempt.state), ("nonce", attempt.nonce),
            ("code_challenge", challenge), ("code_challenge_method", "S256"),
        ])
        return endpoint + (endpoint.contains("?") ? "&" : "?") + query
    }

    package func user(code: String, of attempt: ProviderAttempt, returnURL: String) async throws -> ProvidedUser {
        guard (1...Self.longestCode).contains(code.utf8.count) else {
            throw Failure(.unauthorized, "The sign-in failed: the provider sent no valid code.")
        }
        let tokens = try await redeem(code, attempt, returnURL)
        guard let text = tokens["id_token"]?.string else { throw Failure.badProvider("it sends no ID token") }
        let token = try await verified(text)
        let subject = try token.check(
            issuer: settings.issuer, client: settings.clientID, nonce: attempt.nonce, at: clock.now())
        var name = name(email: token.email, isVerified: token.isEmailVerified, username: token.preferredUsername)
        if name == nil, let access = tokens["access_token"]?.string { name = try await userInfoName(of: subject, access) }
        return ProvidedUser(subject: settings.issuer + " " + subject, name: name)
    }

    /// Returns the value of the claim that the settings name; nil if there is none, or the provider does not vouch for it.
    private func name(email: String?, isVerified: Bool, username: String?) -> String? {
        let name =
            switch settings.userClaim {
            case .email: isVerified ? email : nil
            case .preferredUsername: username
            }
        return name?.isEmpty == false ? name : nil
    }

    private func redeem(_ code: String, _ attempt: ProviderAttempt, _ returnURL: String) async throws -> JSONObject {
        let metadata = try await metadata.value()
        var fields = [
            ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", returnURL), ("code_verifier", attempt.verifier),
        ]
        var authorization: String?
        if let secret = settings.clientSecret, metadata.takesBasicAuthentication {
            // RFC 6749, section 2.3.1: both parts are encoded as in a form.
            let pair = PercentCoding.encodeQueryValue(settings.clientID) + ":" + PercentCoding.encodeQueryValue(secret)
            authorization = "Basic " + Data(pair.utf8).base64EncodedString()
        } else {
            fields.append(("client_id", settings.clientID))
            if let secret = settings.clientSecret { fields.append(("client_secret", secret)) }
        }
        let (status, members) = try await ProviderCall.post(fields, to: metadata.tokenEndpoint, authorization: authorization)
        guard status < 500 else { throw Failure.badProvider("it answers \(status)") }
        guard status == 200, let members else {
            let reason = members?["error"]?.string?.prefix(100) ?? "status \(status)"
            throw Failure(.unauthorized, "The sign-in failed: the provider refused the code (\(reason)). Please begin again.")
        }
        return members
    }

    /// Asks for the claims that an ID token may lack (section 5.3). They are of the token's user, or not used.
    private func userInfoName(of subject: String, _ access: String) async throws -> String? {
        guard let url = try await metadata.value().userInfoEndpoint else { return nil }
        let (status, members) = try await ProviderCall.get(url, authorization: "Bearer " + access)
        guard status == 200, let members, members["sub"]?.string == subject else { return nil }
        let isVerified = members["email_verified"]?.scalarText == "true"
        return name(email: members["email"]?.string, isVerified: isVerified, username: members["preferred_username"]?.string)
    }

    /// Returns the claims of a token. If none of the known keys has signed it, newer ones are read.
    private func verified(_ token: String) async throws -> IDToken {
        do {
            return try await keys.value().verified(token)
        } catch let failure as Failure where failure.code == .unauthorized {
            return try await keys.value(notOlderThan: Self.keysResolution).verified(token)
        }
    }
}

extension Data {
    /// Base64 for URLs, without padding (RFC 4648, section 5).
    fileprivate var base64URLText: String {
        base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
