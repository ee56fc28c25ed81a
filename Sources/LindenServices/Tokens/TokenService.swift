import Linden
import LindenKernel

/// A service that creates, lists, rotates, revokes and verifies access tokens.
package struct TokenService: Sendable {
    /// The most valid tokens of an app, and the most of its former ones that are kept.
    package static let mostOfApp = 1000

    private let storage: any Database
    private let random: RandomSource
    private let uses = TokenUses()

    package init(storage: any Database, random: RandomSource) {
        self.storage = storage
        self.random = random
    }

    /// Creates a token. Returns it with its secret, of which only a hash is stored. Fails with `conflict` beyond ``mostOfApp``.
    ///
    /// - Parameter expires: when the token is refused, see ``TokenExpiry``.
    package func create(
        name: String, role: Role, app: App.ID?, expires: TokenExpiry = .never
    ) async throws -> (token: AccessToken, secret: String) {
        guard !name.isEmpty, name.unicodeScalars.count <= 128 else {
            throw Failure.invalid("A token's name must have 1 to 128 characters.", at: "name")
        }
        let secret = newSecret()
        let token = try await storage.write { transaction in
            let token = AccessToken(
                id: try transaction.newID(), name: name, role: role, app: app, hash: Secret.hash(secret),
                createdAt: transaction.now,
                expiresAt: try expires.time(from: transaction.now))
            if let app {
                guard try transaction.validTokenCount(of: app, at: transaction.now) < Self.mostOfApp else {
                    throw Failure(.conflict, "The app has \(Self.mostOfApp) valid tokens, the most that it may have: revoke some.")
                }
                try transaction.deleteFormerTokens(of: app, keeping: Self.mostOfApp, at: transaction.now)
            }
            try transaction.insert(token)
            return token
        }
        return (token, secret)
    }

    private func newSecret() -> String { "linden_" + random.alphanumerics(40) }

    /// Gives a token a new secret, and returns it with that. The former one is accepted until the overlap ends; one that an earlier rotation
    /// replaced is refused from now on.
    ///
    /// - Parameter expires: when the token is refused from now on; nil for as long after now as it was after it got its former secret.
    package func rotate(
        _ id: AccessToken.ID, overlap: RotationOverlap, expires: TokenExpiry? = nil
    ) async throws -> (token: AccessToken, secret: String) {
        let secret = newSecret()
        let token = try await storage.write { transaction in
            let now = transaction.now
            guard let token = try transaction.token(id), token.revokedAt == nil else {
                throw Failure.notFound("There is no valid token \(id).")
            }
            guard let end = try overlap.end(from: now) else {
                throw Failure.invalid("The overlap of a token must end: a duration such as 7d, 12h or 0, or a date or time.")
            }
            let expiresAt = try expires.map { try $0.time(from: now) } ?? token.renewedExpiry(at: now)
            let formerEndsAt = overlap.isNone ? nil : token.expiresAt.map { min($0, end) } ?? end
            guard
                try transaction.rotate(
                    token, to: Secret.hash(secret), formerEndsAt: formerEndsAt, expiresAt: expiresAt, at: now),
                let rotated = try transaction.token(id)
            else { throw Failure.unavailable("The token was rotated or revoked at the same time; please try again.") }
            return rotated
        }
        return (token, secret)
    }

    /// Returns a page of tokens, revoked ones too, oldest first, and the token after which the next page begins; nil at the end.
    ///
    /// - Parameters:
    ///   - app: the app that they are valid for; nil for all tokens.
    ///   - includesGeneral: whether tokens of all apps count as valid for it.
    package func list(
        of app: App.ID? = nil, includesGeneral: Bool = false, after id: AccessToken.ID? = nil, limit: Int
    ) async throws -> (tokens: [AccessToken], next: AccessToken.ID?) {
        let found = try await storage.read {
            try $0.tokens(of: app, includesGeneral: includesGeneral, after: id, limit: limit + 1)
        }
        let page = Array(found.prefix(limit))
        return (page, found.count > limit ? page.last?.id : nil)
    }

    /// Returns a token by its id, also a revoked one; nil if there is none.
    package func token(_ id: AccessToken.ID) async throws -> AccessToken? {
        try await storage.read { try $0.token(id) }
    }

    /// Returns a valid token by its id or its name. Fails with `notFound`, or with `conflict` if several have the name.
    package func find(_ reference: String) async throws -> AccessToken {
        let matches = try await storage.read { try $0.tokens() }.filter {
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

    /// Returns the token with a secret, if its role has a permission. Fails with `unauthorized` or `forbidden`.
    package func authorize(_ secret: String?, to permission: Permission, app: App.ID) async throws -> AccessToken {
        let token = try await authorize(secret, to: permission)
        guard token.app == nil || token.app == app else { throw Failure(.forbidden, "The token is not valid for this app.") }
        return token
    }

    /// Checks for a token of the role admin that is valid for all apps. Fails with `unauthorized`, or with `forbidden`.
    ///
    /// - Parameter act: what only such a token can do, for the message.
    /// - Returns: the token.
    @discardableResult
    package func authorizeForAllApps(_ secret: String?, to act: String) async throws -> AccessToken {
        let token = try await authorize(secret, to: .administer)
        guard token.app == nil else { throw Failure(.forbidden, "Only a token of all apps can \(act).") }
        return token
    }

    /// Variant for calls whose app is not known yet; the caller must check the token's app.
    package func authorize(_ secret: String?, to permission: Permission) async throws -> AccessToken {
        let find = { @Sendable (reader: any DatabaseReader) in
            try secret.flatMap { try reader.token(hash: Secret.hash($0)) }.map { (token: $0, now: reader.now) }
        }
        guard let (token, now) = try await storage.read(find) else {
            throw Failure(.unauthorized, "The access token is missing, unknown, expired or revoked.")
        }
        guard token.may(permission) else { throw Failure.needs(permission, not: token.role) }
        await recordUse(of: token, at: now)
        // What a server sends all day is no operator's change; the ledger has its credits.
        if token.role != .ingest { OperatorCall.identify(.token(token)) }
        return token
    }
}

extension TokenService {
    /// Stores that a token was used, at most once a minute. A call succeeds although that cannot be stored, such as on a full disk. Must be
    /// called before the actor is known: a use is no change by an operator.
    private func recordUse(of token: AccessToken, at now: Timestamp) async {
        guard uses.isDue(token, at: now) else { return }
        try? await storage.write { try $0.setLastUse(of: token.id, at: now, unlessAfter: now - TokenUses.interval) }
    }
}

extension AccessToken {
    /// The expiry after a rotation that names none.
    fileprivate func renewedExpiry(at now: Timestamp) -> Timestamp? {
        expiresAt.map { now + .milliseconds($0.milliseconds - (rotatedAt ?? createdAt).milliseconds) }
    }
}
