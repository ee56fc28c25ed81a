/// The tokens by which an SDK says who its user is. Tokens of another app or mode count as none.
package struct UserTokens: Sendable {
    package var device: Device.ID?
    package var identity: Identity.ID?
    package var session: Session.ID?

    package init(device: Device.ID? = nil, identity: Identity.ID? = nil, session: Session.ID? = nil) {
        self.device = device
        self.identity = identity
        self.session = session
    }
}

/// Who a user is after he logged in or out.
package struct IdentifiedUser: Sendable {
    package let identity: Identity
    /// Nil if the SDK named no device of ours.
    package let device: Device.ID?
    package let session: Session.ID
    /// What the user's first session was answered with; that of nobody's link if he never had one.
    package let firstSessionData: JSONObject?
}

/// Names users and forgets them, for SDKs that leave this to the server (up to iOS 2.2, Android 5.8, Web 2.78).
package struct IdentityService: Sendable {
    private let storage: any Storage
    private let crossPlatformIDs: CrossPlatformIDs

    package init(storage: any Storage, installationKey: InstallationKey) {
        self.storage = storage
        crossPlatformIDs = CrossPlatformIDs(key: installationKey)
    }

    /// The user whom tokens name; nil if they name none.
    package func crossPlatformUser(_ tokens: UserTokens, in scope: Scope) async throws -> CrossPlatformUser? {
        try await storage.read { reader in
            try reader.knownUser(of: tokens, device: try reader.device(of: tokens, in: scope), in: scope)
        }.map(crossPlatformIDs.user)
    }

    /// How many sessions of a kind a user's links brought; nil if there is no such user.
    package func referrals(by id: Identity.ID, kinds: [Session.Kind]) async throws -> [ReferralCount]? {
        try await storage.read { reader in
            guard try reader.identity(id) != nil else { return nil }
            return try kinds.map { try reader.referrals(by: id, kind: $0) }
        }
    }

    /// The user of a device says who he is: an anonymous one is named, a name that is known is switched to. One name a user.
    package func identify(_ tokens: UserTokens, as name: String, in scope: Scope) async throws -> IdentifiedUser {
        try Identity.check(developerIdentity: name)
        return try await storage.write { transaction in
            let device = try transaction.device(of: tokens, in: scope)
            let current = try transaction.user(of: tokens, device: device, in: scope)
            let identity = try transaction.identity(current, saying: name)
            if let device, device.identity != identity.id { try transaction.assign(identity.id, to: device.id) }
            return IdentifiedUser(
                identity: identity, device: device?.id, session: try tokens.session ?? transaction.newID(),
                firstSessionData: try transaction.firstSessionData(of: identity.id)
                    ?? ReferringData.organic(isFirstSession: true, foreignURL: nil))
        }
    }

    /// A user who is not to be tracked: what an SDK needs as an answer, and nothing is kept.
    package func untracked(as name: String?, in scope: Scope) async throws -> IdentifiedUser {
        try await storage.write { transaction in
            IdentifiedUser(
                identity: Identity(id: try transaction.newID(), scope: scope, developerIdentity: name), device: nil,
                session: try transaction.newID(), firstSessionData: nil)
        }
    }

    /// The user of a device leaves: from now on it is somebody anonymous, in a session of his own.
    package func logOut(_ tokens: UserTokens, in scope: Scope, requestKey: RequestKey? = nil) async throws -> IdentifiedUser {
        try await storage.write { transaction in
            guard let device = try transaction.device(of: tokens, in: scope) else {
                let identity = try transaction.newAnonymousIdentity(in: scope)
                return IdentifiedUser(
                    identity: identity, device: nil, session: try transaction.newID(), firstSessionData: nil)
            }
            return try transaction.once(requestKey, in: scope, earlier: transaction.userAfterLogout) {
                let user = try transaction.logOut(device)
                return (user, user.session)
            }
        }
    }
}

extension Transaction {
    fileprivate func logOut(_ device: Device) throws -> IdentifiedUser {
        let identity = try newAnonymousIdentity(in: device.scope)
        try assign(identity.id, to: device.id)
        let session = Session(
            id: try newID(), scope: device.scope, device: device.id, identity: identity.id, kind: .open, link: nil, click: nil,
            data: ReferringData.organic(isFirstSession: false, foreignURL: nil),
            explanation: ["outcome": "none", "reason": "The user logged out."])
        try insert(session)
        return IdentifiedUser(identity: identity, device: device.id, session: session.id, firstSessionData: nil)
    }

    fileprivate func userAfterLogout(_ id: Session.ID) throws -> IdentifiedUser? {
        guard let session = try session(id), let identity = try identity(session.identity) else { return nil }
        return IdentifiedUser(identity: identity, device: session.device, session: id, firstSessionData: nil)
    }
}

extension Reader {
    /// The device of a scope that a token names.
    func device(of tokens: UserTokens, in scope: Scope) throws -> Device? {
        guard let id = tokens.device, let device = try device(id), device.scope == scope else { return nil }
        return device
    }

    /// The user that tokens name: by his own token, else by his device's.
    func knownUser(of tokens: UserTokens, device: Device?, in scope: Scope) throws -> Identity? {
        for id in [tokens.identity, device?.identity] {
            if let id, let identity = try identity(id), identity.scope == scope { return identity }
        }
        return nil
    }
}

extension Transaction {
    func user(of tokens: UserTokens, device: Device?, in scope: Scope) throws -> Identity {
        try knownUser(of: tokens, device: device, in: scope) ?? newAnonymousIdentity(in: scope)
    }
}
