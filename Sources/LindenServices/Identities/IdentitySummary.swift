import Linden

/// An identity with its devices and totals. Its events and links are not among them: an index to count them would make each more expensive
/// to write.
package struct IdentitySummary: Sendable {
    package let identity: Identity
    /// The newest devices whose current user is the identity, at most ``mostDevices``.
    package let devices: [Device]
    package let firstSession: Session.ID?
    package let lastSession: Session.ID?
    package let sessions: Int64
    package let referredInstalls: Int64

    package init(
        identity: Identity, devices: [Device], firstSession: Session.ID?, lastSession: Session.ID?, sessions: Int64,
        referredInstalls: Int64
    ) {
        self.identity = identity
        self.devices = devices
        self.firstSession = firstSession
        self.lastSession = lastSession
        self.sessions = sessions
        self.referredInstalls = referredInstalls
    }

    /// Anyone who knows a user's name can log devices in under it, so their number has no bound.
    package static let mostDevices = 100
}

package protocol IdentitySummaryReader {
    /// Finds an identity's devices and counts its sessions, by indexes alone.
    func summary(of identity: Identity) throws -> IdentitySummary
}
