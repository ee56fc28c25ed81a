/// A user of an app: anonymous at first, later perhaps known by the developer's own id.
package struct Identity: Sendable {
    package typealias ID = Identifier<Identity>

    package let id: ID
    package let scope: Scope
    /// The developer's id of the user, at most 127 characters; nil while anonymous.
    package let developerIdentity: String?

    package init(id: ID, scope: Scope, developerIdentity: String?) {
        self.id = id
        self.scope = scope
        self.developerIdentity = developerIdentity
    }

    package static func check(developerIdentity: String?) throws {
        guard let developerIdentity else { return }
        guard (1...Limits.identity).contains(developerIdentity.unicodeScalars.count) else {
            throw Failure.invalid("identity must have 1 to \(Limits.identity) characters.")
        }
        guard !developerIdentity.unicodeScalars.contains("\0") else {
            throw Failure.invalid("identity must not contain a NUL character.")
        }
    }
}

package protocol IdentityReader {
    func identity(_ id: Identity.ID) throws -> Identity?
    func identity(_ developerIdentity: String, in scope: Scope) throws -> Identity?
    /// What the user's first session was answered with.
    func firstSessionData(of id: Identity.ID) throws -> JSONObject?
    /// The user who brought this one to the app, for good; nil if nobody did.
    func referrer(of id: Identity.ID) throws -> Identity.ID?
}

package protocol IdentityRepository: IdentityReader {
    /// False if the scope has an identity of that developer id already.
    func insert(_ identity: Identity, at time: Timestamp) throws -> Bool
    /// Gives an anonymous identity its developer id. False if it has one, or if another identity has this one.
    func name(_ id: Identity.ID, as developerIdentity: String) throws -> Bool
    /// Keeps the parameters of a user's first session; later calls change nothing.
    func keepFirstSessionData(_ data: JSONObject, of id: Identity.ID) throws
    /// Keeps them in place of those of a first session that no link led to.
    func replaceFirstSessionData(_ data: JSONObject, of id: Identity.ID) throws
    /// Notes who brought a user; later calls change nothing.
    func setReferrer(_ referrer: Identity.ID, of id: Identity.ID) throws
}

extension Transaction {
    /// The identity of a developer's user id, made if it is new.
    func identity(named name: String, in scope: Scope) throws -> Identity {
        if let known = try identity(name, in: scope) { return known }
        let new = Identity(id: try newID(), scope: scope, developerIdentity: name)
        if try insert(new, at: now) { return new }
        guard let known = try identity(name, in: scope) else {
            throw Failure.unavailable("The identity changed while it was being read; please try again.")
        }
        return known
    }

    /// Who somebody is from now on who says to be `name`: an anonymous user is named, a name that is known is switched to.
    func identity(_ current: Identity, saying name: String) throws -> Identity {
        if current.developerIdentity == name { return current }
        if try identity(name, in: current.scope) == nil, current.developerIdentity == nil, try self.name(current.id, as: name) {
            return Identity(id: current.id, scope: current.scope, developerIdentity: name)
        }
        let known = try identity(named: name, in: current.scope)
        try mergeCredits(of: current, into: known)
        return known
    }

    func newAnonymousIdentity(in scope: Scope) throws -> Identity {
        let identity = Identity(id: try newID(), scope: scope, developerIdentity: nil)
        _ = try insert(identity, at: now)
        return identity
    }
}
