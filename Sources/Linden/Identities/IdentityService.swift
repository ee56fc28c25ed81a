/// The tokens by which an SDK says who its user is.
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

/// Somebody logs in or out: what his SDK says of him.
package struct UserChange: Sendable {
    package var tokens: UserTokens
    /// Of the device, should it not be known.
    package var description: DeviceDescription
    package var isBrowser: Bool
    package var requestKey: RequestKey?

    package init(tokens: UserTokens, description: DeviceDescription, isBrowser: Bool, requestKey: RequestKey?) {
        self.tokens = tokens
        self.description = description
        self.isBrowser = isBrowser
        self.requestKey = requestKey
    }
}

/// Who a user is after he logged in or out.
package struct IdentifiedUser: Sendable {
    package let identity: Identity
    package let device: Device.ID
    package let session: Session.ID
    /// The parameters of the session.
    package let data: JSONObject
    /// What the user's first session was answered with; nil for whoever has just come into being.
    package let firstSessionData: JSONObject?
    /// Who brought him into this session.
    package let referrer: Identity?
}

extension IdentifiedUser {
    fileprivate init(anonymous session: Session) {
        self.init(
            identity: Identity(id: session.identity, scope: session.scope, developerIdentity: nil), device: session.device,
            session: session.id, data: session.data, firstSessionData: nil, referrer: nil)
    }
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
            try reader.currentUser(of: tokens, device: try reader.device(of: tokens, in: scope), in: scope)
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
    package func identify(_ change: UserChange, as name: String, in scope: Scope) async throws -> IdentifiedUser {
        try Identity.check(developerIdentity: name)
        return try await storage.write { transaction in
            let device = try transaction.device(of: change, in: scope)
            if let device, let session = try transaction.session(of: change.tokens, in: scope), session.device == device.id {
                let user = try transaction.identify(change, as: name, device, in: scope)
                return try transaction.identifiedUser(user, device.id, session)
            }
            return try transaction.once(change.requestKey, in: scope, earlier: transaction.identifiedUser) {
                let user = try transaction.identify(change, as: name, device, in: scope)
                let session = try transaction.insertSession(of: user, change, "The user logged in.")
                return (try transaction.identifiedUser(user, session.device, session), session.id)
            }
        }
    }

    /// A user who is not to be tracked: what an SDK needs as an answer, and nothing is kept.
    package func untracked(as name: String?, in scope: Scope) async throws -> IdentifiedUser {
        try await storage.write { transaction in
            IdentifiedUser(
                identity: Identity(id: try transaction.newID(), scope: scope, developerIdentity: name),
                device: try transaction.newID(),
                session: try transaction.newID(), data: ReferringData.organic(isFirstSession: false, foreignURL: nil),
                firstSessionData: nil, referrer: nil)
        }
    }

    /// The user of a device leaves: from now on it is somebody anonymous, in a session of his own.
    package func logOut(_ change: UserChange, in scope: Scope) async throws -> IdentifiedUser {
        try await storage.write { transaction in
            try transaction.once(change.requestKey, in: scope, earlier: transaction.userAfterLogout) {
                let user = try transaction.newAnonymousIdentity(in: scope)
                let session = try transaction.insertSession(of: user, change, "The user logged out.")
                return (IdentifiedUser(anonymous: session), session.id)
            }
        }
    }
}

extension Transaction {
    /// The device's user, without a name: a new one if a user with a name was logged in.
    func logOut(_ device: Device) throws -> Identity {
        if let current = try identity(device.identity), current.developerIdentity == nil { return current }
        let user = try newAnonymousIdentity(in: device.scope)
        try assign(user.id, to: device.id)
        return user
    }

    fileprivate func identify(
        _ change: UserChange, as name: String, _ device: Device?, in scope: Scope
    ) throws -> Identity {
        let current = try currentUser(of: change.tokens, device: device, in: scope)
        let user = try current.map { try identity($0, saying: name) } ?? identity(named: name, in: scope)
        if let device, device.identity != user.id { try assign(user.id, to: device.id) }
        return user
    }

    /// A session that begins with a change of user rather than with an opening, on the device that is known or a new one.
    fileprivate func insertSession(of user: Identity, _ change: UserChange, _ reason: String) throws -> Session {
        let id: Device.ID
        if let device = try device(of: change, in: user.scope) {
            id = device.id
            try assign(user.id, to: id)
        } else {
            id = try newID()
            let device = Device(
                id: id, scope: user.scope, identity: user.id, isBrowser: change.isBrowser, description: change.description)
            _ = try insert(device, at: now)
        }
        let session = Session(
            id: try newID(), scope: user.scope, device: id, identity: user.id, kind: .userChange, link: nil, click: nil,
            data: ReferringData.organic(isFirstSession: false, foreignURL: nil),
            explanation: ["outcome": "organic", "reason": .string(reason)])
        try insert(session)
        return session
    }

    /// The device of a change: by its token, else the one of its session, else by its hardware id.
    fileprivate func device(of change: UserChange, in scope: Scope) throws -> Device? {
        if let device = try device(of: change.tokens, in: scope) { return device }
        if let session = try session(of: change.tokens, in: scope) { return try device(session.device) }
        return try change.description.hardwareID.flatMap { try device(hardwareID: $0, in: scope) }
    }

    /// Somebody new, whatever he may have said of himself since.
    fileprivate func userAfterLogout(_ id: Session.ID) throws -> IdentifiedUser? {
        try session(id).map(IdentifiedUser.init(anonymous:))
    }

    fileprivate func identifiedUser(_ id: Session.ID) throws -> IdentifiedUser? {
        guard let session = try session(id), let identity = try identity(session.identity) else { return nil }
        return try identifiedUser(identity, session.device, session)
    }

    fileprivate func identifiedUser(_ user: Identity, _ device: Device.ID, _ session: Session) throws -> IdentifiedUser {
        let isNamed = user.developerIdentity != nil
        return IdentifiedUser(
            identity: user, device: device, session: session.id, data: session.data,
            firstSessionData: try firstSessionData(of: user.id)
                ?? (isNamed ? ReferringData.organic(isFirstSession: true, foreignURL: nil) : nil),
            referrer: try session.referrer.flatMap { $0 == user.id ? nil : try identity($0) })
    }
}
