import Linden

/// The counts of the rows stored about an identity.
package struct IdentitySummary: Sendable {
    package let identity: Identity
    /// The newest devices whose current user is the identity, at most ``mostDevices``.
    package let devices: [Device]
    package let firstSession: Session.ID?
    package let lastSession: Session.ID?
    package let sessions: Int64
    package let events: Int64
    /// The links created by the identity.
    package let links: Int64
    package let referredInstalls: Int64

    package init(
        identity: Identity, devices: [Device], firstSession: Session.ID?, lastSession: Session.ID?, sessions: Int64, events: Int64,
        links: Int64, referredInstalls: Int64
    ) {
        self.identity = identity
        self.devices = devices
        self.firstSession = firstSession
        self.lastSession = lastSession
        self.sessions = sessions
        self.events = events
        self.links = links
        self.referredInstalls = referredInstalls
    }

    /// Anyone who knows a user's name can log devices in under it, so their number has no bound.
    package static let mostDevices = 100
}

package protocol IdentitySummaryReader {
    /// Counts the rows stored about an identity, by indexes alone.
    func summary(of identity: Identity) throws -> IdentitySummary
}
