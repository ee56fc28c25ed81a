import Linden
import LindenKernel

/// A service that creates, lists, revokes and verifies access tokens.
package struct TokenService: Sendable {
    private let storage: any Database
    private let random: RandomSource

    package init(storage: any Database, random: RandomSource) {
        self.storage = storage
        self.random = random
    }

    /// Creates a token. Returns it with its secret, of which only a hash is stored.
    package func create(name: String, role: AccessToken.Role, app: App.ID?) async throws -> (token: AccessToken, secret: String) {
        guard !name.isEmpty, name.unicodeScalars.count <= 128 else {
            throw Failure.invalid("A token's name must have 1 to 128 characters.")
        }
        let secret = "linden_" + random.alphanumerics(40)
        let token = try await storage.write { transaction in
            let token = AccessToken(
                id: try transaction.newID(), name: name, role: role, app: app, hash: Secret.hash(secret), createdAt: transaction.now
            )
            try transaction.insert(token)
            return token
        }
        return (token, secret)
    }

    package func list() async throws -> [AccessToken] {
        try await storage.read { try $0.tokens() }
    }

    /// Returns a valid token by its id or its name. Fails with `notFound`, or with `conflict` if several have the name.
    package func find(_ reference: String) async throws -> AccessToken {
        let matches = try await list().filter {
            $0.revokedAt == nil && (String($0.id.rawValue) == reference || $0.name == reference)
        }
        guard let token = matches.first else { throw Failure.notFound("There is no valid token named \(reference).") }
        guard matches.count == 1 else {
            throw Failure(.conflict, "\(matches.count) tokens have the name \(reference): use the id of one of them.")
        }
        return token
    }

    /// Revokes a token permanently. Does nothing if it was revoked before.
    package func revoke(_ id: AccessToken.ID) async throws {
        try await storage.write { _ = try $0.revokeToken(id, at: $0.now) }
    }

    /// Returns the token with a secret. Fails with `unauthorized` or `forbidden`.
    package func authorize(_ secret: String?, role: AccessToken.Role, app: App.ID) async throws -> AccessToken {
        let token = try await authorize(secret, role: role)
        guard token.app == nil || token.app == app else { throw Failure.tokenNotGoodForThis }
        return token
    }

    /// Checks for a token of the role admin that is valid for all apps. Fails with `unauthorized`, or with `forbidden`.
    ///
    /// - Parameter act: what only such a token can do, for the message.
    /// - Returns: the token.
    @discardableResult
    package func authorizeForAllApps(_ secret: String?, to act: String) async throws -> AccessToken {
        let token = try await authorize(secret, role: .admin)
        guard token.app == nil else { throw Failure(.forbidden, "Only a token of all apps can \(act).") }
        return token
    }

    /// Variant for calls whose app is not known yet; the caller must check the token's app.
    package func authorize(_ secret: String?, role: AccessToken.Role) async throws -> AccessToken {
        guard let secret, let token = try await storage.read({ try $0.token(hash: Secret.hash(secret)) }) else {
            throw Failure(.unauthorized, "The access token is missing, unknown or revoked.")
        }
        guard token.role == role || token.role == .admin else { throw Failure.tokenNotGoodForThis }
        return token
    }
}

extension Failure {
    fileprivate static let tokenNotGoodForThis = Failure(.forbidden, "The access token is not valid for this app or this call.")
}
