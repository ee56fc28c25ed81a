import LindenKernel

/// A user of an app. Anonymous at first; may later get the developer's own id.
package struct Identity: Sendable {
    package typealias ID = Identifier<Identity>

    package let id: ID
    package let scope: Scope
    /// The developer's id of the user, at most 127 characters; nil for an anonymous identity.
    package let developerIdentity: String?
    /// The last touch on any device, as stored when the identity was read.
    package let lastClick: Click.ID?

    package init(id: ID, scope: Scope, developerIdentity: String?, lastClick: Click.ID? = nil) {
        self.id = id
        self.scope = scope
        self.developerIdentity = developerIdentity
        self.lastClick = lastClick
    }

    package static func check(developerIdentity: String?) throws {
        guard let developerIdentity else { return }
        guard (1...LengthLimits.identity).contains(developerIdentity.unicodeScalars.count) else {
            throw Failure.invalid("identity must have 1 to \(LengthLimits.identity) characters.")
        }
        guard !developerIdentity.unicodeScalars.contains("\0") else {
            throw Failure.invalid("identity must not contain a NUL character.")
        }
    }
}

package protocol IdentityReader {
    func identity(_ id: Identity.ID) throws -> Identity?
    func identity(_ developerIdentity: String, in scope: Scope) throws -> Identity?
    /// The parameters of the identity's first session.
    func firstSessionData(of id: Identity.ID) throws -> JSONObject?
    /// Whether a link led to the identity's first session (`+clicked_branch_link`). Does not parse the parameters.
    func hasFirstSessionLink(_ id: Identity.ID) throws -> Bool
    /// The identity that referred this one to the app first; later referrals do not replace it. Nil if there is none.
    func referrer(of id: Identity.ID) throws -> Identity.ID?
}

package protocol IdentityRepository: IdentityReader {
    /// Inserts an identity. To be called only if the scope has none with the same developer's id.
    func insert(_ identity: Identity, at time: Timestamp) throws
    /// Inserts an anonymous identity and its first device, with all that their first session sets, so that each row is written once.
    ///
    /// - Parameter session: the stored session whose parameters are those of the identity's first session; nil for none.
    func insert(
        _ identity: Identity, on device: Device, firstSession session: Session.ID?, referrer: Identity.ID?, lastClick: Click.ID?,
        at time: Timestamp) throws
    /// Sets an anonymous identity's developer's id. False if it has one already, or if another identity has this one.
    func name(_ id: Identity.ID, as developerIdentity: String) throws -> Bool
    /// Copies the parameters of a stored session to its identity as those of the first session.
    ///
    /// - Parameter replaces: whether they replace the parameters that the identity has already.
    func copyFirstSessionData(from session: Session, replaces: Bool) throws
    /// Replaces the parameters of an identity's first session: one without a link, or one whose attribution has changed.
    func replaceFirstSessionData(_ data: JSONObject, of id: Identity.ID) throws
    /// Stores the referrer of an identity, unless it has one.
    func setReferrer(_ referrer: Identity.ID, of id: Identity.ID) throws
}

extension IdentityRepository where Self: SnapshotReader & IDSource {
    /// Returns the identity with a developer's id; creates it if there is none.
    package func identity(named name: String, in scope: Scope) throws -> Identity {
        if let known = try identity(name, in: scope) { return known }
        let new = Identity(id: try newID(), scope: scope, developerIdentity: name)
        try insert(new, at: now)
        return new
    }

    func newAnonymousIdentity(in scope: Scope) throws -> Identity {
        let identity = Identity(id: try newID(), scope: scope, developerIdentity: nil)
        try insert(identity, at: now)
        return identity
    }
}

extension IdentityRepository where Self: SnapshotReader & IDSource & LedgerAccess {
    /// Returns the identity after a login as `name`. An anonymous identity is given an unknown name; otherwise the login switches to the
    /// identity with the name, creating it if necessary, and merges an anonymous identity's credits and referral into it.
    func identity(_ current: Identity, saying name: String, on device: Device.ID?) throws -> Identity {
        if current.developerIdentity.hasSameBytes(as: name) { return current }
        if try identity(name, in: current.scope) == nil, current.developerIdentity == nil, try self.name(current.id, as: name) {
            return Identity(id: current.id, scope: current.scope, developerIdentity: name, lastClick: current.lastClick)
        }
        let known = try identity(named: name, in: current.scope)
        try ledgerRecorder.merge(current, into: known, on: device)
        return known
    }
}
