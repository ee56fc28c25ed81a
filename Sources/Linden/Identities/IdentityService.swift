import LindenKernel

/// The tokens by which an SDK identifies its device, user and session.
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

/// A login or logout, as reported by an SDK.
package struct UserChange: Sendable {
    package var tokens: UserTokens
    /// The description for a new device, if the device is not known.
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

/// The user, device and session after a login or logout.
package struct IdentifiedUser: Sendable {
    package let identity: Identity
    package let device: Device.ID
    package let session: Session.ID
    /// The parameters of the session.
    package let data: JSONObject
    /// The parameters of the user's first session; nil for a new anonymous identity.
    package let firstSessionData: JSONObject?
    /// The identity that referred the user into this session.
    package let referrer: Identity?
    /// Whether the device is the user's first, an app or a browser. Anyone who knows a user's name can log in by it on another.
    package let isFirstDevice: Bool
}

extension IdentifiedUser {
    /// Creates the result of a logout, after which the device has a session without a link.
    fileprivate init(anonymous session: SessionReference) {
        self.init(
            identity: Identity(id: session.identity, scope: session.scope, developerIdentity: nil), device: session.device,
            session: session.id, data: ReferringData.organic(isFirstSession: false, foreignURL: nil), firstSessionData: nil,
            referrer: nil, isFirstDevice: true)
    }
}

/// Performs logins and logouts for SDKs that leave them to the server (up to iOS 2.2, Android 5.8, Web 2.78).
package struct IdentityService: Sendable {
    private let storage: any Storage
    private let crossPlatformIDs: CrossPlatformIDs

    package init(storage: any Storage, installationKey: InstallationKey) {
        self.storage = storage
        crossPlatformIDs = CrossPlatformIDs(key: installationKey)
    }

    /// Returns the user that tokens identify; nil if they identify none.
    package func crossPlatformUser(_ tokens: UserTokens, in scope: Scope) async throws -> CrossPlatformUser? {
        try await storage.read { reader in
            try reader.currentUser(of: tokens, device: try reader.device(of: tokens, in: scope), in: scope)
        }.map(crossPlatformIDs.user)
    }

    /// Returns the number of sessions of each kind that an identity's links led to; nil if there is no such identity.
    package func referrals(by id: Identity.ID, kinds: [Session.Kind]) async throws -> [ReferralCount]? {
        try await storage.read { reader in
            guard try reader.identity(id) != nil else { return nil }
            return try kinds.map { try reader.referrals(by: id, kind: $0) }
        }
    }

    /// Logs the user of a device in as `name`, see ``IdentityRepository/identity(_:saying:on:)``. An identity has only one name.
    package func identify(_ change: UserChange, as name: String, in scope: Scope) async throws -> IdentifiedUser {
        try Identity.check(developerIdentity: name)
        let login = try await storage.write { transaction -> Login in
            let device = try transaction.device(of: change, in: scope)
            if let device, let named = try transaction.session(of: change.tokens, in: scope), named.device == device.id {
                let user = try transaction.identify(change, as: name, device, in: scope)
                return Login(session: named.id, identity: user.id)
            }
            return try transaction.idempotently(change.requestKey, in: scope, earlier: transaction.earlierLogin) {
                let user = try transaction.identify(change, as: name, device, in: scope)
                let session = try transaction.insertSession(of: user, change, "The user logged in.")
                return (Login(session: session.id, identity: user.id), session.id)
            }
        }
        // After the transaction, because the data of sessions may be large, and other writers would wait while it is parsed.
        guard let user = try await storage.read({ try $0.identifiedUser(login) }) else {
            throw Failure.unavailable("The user was erased during the login; please try again.")
        }
        return user
    }

    /// Returns the response for a user who opted out of tracking. The ids are valid for the SDK, but nothing is stored.
    package func untracked(as name: String?, in scope: Scope) async throws -> IdentifiedUser {
        try await storage.write { transaction in
            IdentifiedUser(
                identity: Identity(id: try transaction.newID(), scope: scope, developerIdentity: name),
                device: try transaction.newID(),
                session: try transaction.newID(), data: ReferringData.organic(isFirstSession: false, foreignURL: nil),
                firstSessionData: nil, referrer: nil, isFirstDevice: true)
        }
    }

    /// Logs the user of a device out: the device gets a new session and, unless its user is anonymous already, a new anonymous identity.
    package func logOut(_ change: UserChange, in scope: Scope) async throws -> IdentifiedUser {
        try await storage.write { transaction in
            try transaction.idempotently(change.requestKey, in: scope, earlier: transaction.userAfterLogout) {
                let user =
                    try transaction.device(of: change, in: scope).map { try transaction.logOut($0) }
                    ?? transaction.newAnonymousIdentity(in: scope)
                let session = try transaction.insertSession(of: user, change, "The user logged out.")
                return (IdentifiedUser(anonymous: session.reference), session.id)
            }
        }
    }
}

/// The result of a login as ids.
private struct Login: Sendable {
    let session: Session.ID
    let identity: Identity.ID
}

extension IdentityRepository where Self: DeviceRepository & SnapshotReader & IDSource {
    /// Returns the device's anonymous identity; assigns a new one if a user with a developer's id was logged in.
    func logOut(_ device: Device) throws -> Identity {
        if let current = device.user, current.developerIdentity == nil { return current }
        let user = try newAnonymousIdentity(in: device.scope)
        try assign(user.id, to: device.id)
        return user
    }
}

/// A read-write transaction, as far as logins and logouts need it: identities, devices, sessions and the merge of credits.
package protocol LoginTransaction: IdentityRepository, DeviceRepository, SessionRepository, SnapshotReader, IDSource,
    LedgerAccess
{}

extension LoginTransaction {
    fileprivate func identify(
        _ change: UserChange, as name: String, _ device: Device?, in scope: Scope
    ) throws -> Identity {
        let current = try currentUser(of: change.tokens, device: device, in: scope)
        let user = try current.map { try identity($0, saying: name, on: device?.id) } ?? identity(named: name, in: scope)
        if let device, device.identity != user.id { try assign(user.id, to: device.id) }
        return user
    }

    /// Inserts a session that begins with a login or logout instead of an opening, on the known device or on a new one.
    fileprivate func insertSession(of user: Identity, _ change: UserChange, _ reason: String) throws -> Session {
        let id: Device.ID
        if let device = try device(of: change, in: user.scope) {
            id = device.id
            try assign(user.id, to: id)
        } else {
            id = try newID()
            let device = Device(
                id: id, scope: user.scope, identity: user.id, isBrowser: change.isBrowser, description: change.description)
            try insert(device, at: now)
        }
        let session = Session(
            id: try newID(), scope: user.scope, device: id, identity: user.id, kind: .userChange, link: nil, click: nil,
            data: ReferringData.organic(isFirstSession: false, foreignURL: nil),
            explanation: StoredDecision(outcome: .organic, reason: reason))
        try insert(session)
        return session
    }

    /// Returns the device of a change: by its token, else by its session. Not by its hardware id, which is no credential of the SDK.
    fileprivate func device(of change: UserChange, in scope: Scope) throws -> Device? {
        if let device = try device(of: change.tokens, in: scope) { return device }
        return try session(of: change.tokens, in: scope).flatMap { try device($0.device) }
    }

    /// Returns the result of an earlier logout: an anonymous identity, even if it has been given a developer's id since. Does not parse
    /// the session's data: another call's key may name a session with large data.
    fileprivate func userAfterLogout(_ id: Session.ID) throws -> IdentifiedUser? {
        try sessionReference(id).map(IdentifiedUser.init(anonymous:))
    }

    /// Returns the result of an earlier login; nil if its session or user is gone.
    fileprivate func earlierLogin(_ id: Session.ID) throws -> Login? {
        guard let session = try sessionReference(id), let user = try identity(session.identity) else { return nil }
        return Login(session: session.id, identity: user.id)
    }
}

extension SessionReader where Self: IdentityReader & DeviceReader {
    fileprivate func identifiedUser(_ login: Login) throws -> IdentifiedUser? {
        guard let session = try session(login.session), let user = try identity(login.identity) else { return nil }
        let isNamed = user.developerIdentity != nil
        return IdentifiedUser(
            identity: user, device: session.device, session: session.id, data: session.data,
            firstSessionData: try firstSessionData(of: user.id)
                ?? (isNamed ? ReferringData.organic(isFirstSession: true, foreignURL: nil) : nil),
            referrer: try session.referrer.flatMap { $0 == user.id ? nil : try identity($0) },
            isFirstDevice: try firstDevice(of: user.id) == session.device)
    }
}
