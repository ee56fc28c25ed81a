import Linden
import LindenKernel

/// A browser in which a user of the dashboard is signed in.
package struct DashboardSession: Sendable {
    package typealias ID = Identifier<DashboardSession>

    package let id: ID
    package let user: DashboardUser
    package let createdAt: Timestamp
    /// At most ``useResolution`` before the last use.
    package let lastUsedAt: Timestamp
    /// When the session expires even if it is in use.
    package let expiresAt: Timestamp

    package init(id: ID, user: DashboardUser, createdAt: Timestamp, lastUsedAt: Timestamp, expiresAt: Timestamp) {
        self.id = id
        self.user = user
        self.createdAt = createdAt
        self.lastUsedAt = lastUsedAt
        self.expiresAt = expiresAt
    }

    /// The time after which a session without use expires.
    package static let idleLifetime: Duration = .seconds(12 * 3600)
    /// The time after which any session expires.
    package static let lifetime: Duration = .seconds(30 * 86400)
    /// The minimum time between two updates of ``lastUsedAt``.
    static let useResolution: Duration = .seconds(60)
    /// The most sessions of a user; a further one ends the oldest.
    static let mostPerUser = 50

    /// Whether the session has not expired and its user is active.
    func isValid(at time: Timestamp) -> Bool {
        time < expiresAt && time < lastUsedAt + Self.idleLifetime && user.status == .active
    }
}
