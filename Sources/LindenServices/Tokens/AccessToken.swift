import Linden
import LindenKernel

/// A credential for Linden's own calls and for those of Branch's calls that require an `Access-Token`.
package struct AccessToken: Sendable {
    package typealias ID = Identifier<AccessToken>

    package enum Role: String, Sendable, CaseIterable {
        /// May read and write.
        case admin
        /// May only read.
        case analyst
    }

    package let id: ID
    package let name: String
    package let role: Role
    /// The only app that the token is valid for; nil for all.
    package let app: App.ID?
    package let hash: [UInt8]
    package let createdAt: Timestamp
    package let revokedAt: Timestamp?

    package init(
        id: ID, name: String, role: Role, app: App.ID?, hash: [UInt8], createdAt: Timestamp, revokedAt: Timestamp? = nil
    ) {
        self.id = id
        self.name = name
        self.role = role
        self.app = app
        self.hash = hash
        self.createdAt = createdAt
        self.revokedAt = revokedAt
    }
}

package protocol TokenReader {
    /// Returns the token with this hash, unless it was revoked.
    func token(hash: [UInt8]) throws -> AccessToken?
    func tokens() throws -> [AccessToken]
}

package protocol TokenRepository: TokenReader {
    func insert(_ token: AccessToken) throws
    /// Revokes a token. Returns false if there is no such token or it was revoked before.
    func revokeToken(_ id: AccessToken.ID, at time: Timestamp) throws -> Bool
}
