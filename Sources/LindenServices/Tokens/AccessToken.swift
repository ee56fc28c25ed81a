import Linden
import LindenKernel

/// A credential for Linden's own calls and for those of Branch's calls that require an `Access-Token`.
package struct AccessToken: Sendable {
    package typealias ID = Identifier<AccessToken>

    package let id: ID
    package let name: String
    package let role: Role
    /// The only app that the token is valid for; nil for all.
    package let app: App.ID?
    package let hash: [UInt8]
    package let createdAt: Timestamp
    package let revokedAt: Timestamp?
    /// When the token is refused; nil for never.
    package let expiresAt: Timestamp?
    /// The last call with the token, to the minute.
    package let lastUsedAt: Timestamp?
    /// When its secret was last replaced.
    package let rotatedAt: Timestamp?
    /// When the secret before the last rotation is refused; nil if it was refused at once.
    package let formerEndsAt: Timestamp?

    package init(
        id: ID, name: String, role: Role, app: App.ID?, hash: [UInt8], createdAt: Timestamp, revokedAt: Timestamp? = nil,
        expiresAt: Timestamp? = nil, lastUsedAt: Timestamp? = nil, rotatedAt: Timestamp? = nil, formerEndsAt: Timestamp? = nil
    ) {
        self.id = id
        self.name = name
        self.role = role
        self.app = app
        self.hash = hash
        self.createdAt = createdAt
        self.revokedAt = revokedAt
        self.expiresAt = expiresAt
        self.lastUsedAt = lastUsedAt
        self.rotatedAt = rotatedAt
        self.formerEndsAt = formerEndsAt
    }
}

package protocol TokenReader {
    /// Returns the token whose secret, or former secret within the overlap, has this hash, unless it was revoked or has expired, or has a
    /// role that only a later version knows.
    func token(hash: [UInt8]) throws -> AccessToken?
    /// Returns all tokens, revoked ones too. Only for commands, which look for one by its name.
    func tokens() throws -> [AccessToken]
    /// Returns a page of tokens, revoked ones too, oldest first.
    ///
    /// - Parameters:
    ///   - app: the app that they are valid for; nil for all tokens.
    ///   - includesGeneral: whether tokens of all apps count as valid for it.
    func tokens(of app: App.ID?, includesGeneral: Bool, after id: AccessToken.ID?, limit: Int) throws -> [AccessToken]
    /// Returns a token, also a revoked one.
    func token(_ id: AccessToken.ID) throws -> AccessToken?
    /// Returns the number of an app's tokens that are neither revoked nor expired.
    func validTokenCount(of app: App.ID, at time: Timestamp) throws -> Int64
}

package protocol TokenRepository: TokenReader {
    func insert(_ token: AccessToken) throws
    /// Replaces the secret of a token. Returns false if it was replaced or revoked meanwhile.
    ///
    /// - Parameter formerEndsAt: when the former secret is refused; nil for now.
    func rotate(_ token: AccessToken, to hash: [UInt8], formerEndsAt: Timestamp?, expiresAt: Timestamp?, at time: Timestamp) throws
        -> Bool
    /// Stores a use of a token, unless one after `last` is stored.
    func setLastUse(of id: AccessToken.ID, at time: Timestamp, unlessAfter last: Timestamp) throws
    /// Deletes the oldest of an app's tokens that are revoked or expired.
    func deleteFormerTokens(of app: App.ID, keeping count: Int, at time: Timestamp) throws
    /// Revokes a token. Returns false if there is no such token or it was revoked before.
    func revokeToken(_ id: AccessToken.ID, at time: Timestamp) throws -> Bool
}
