import LindenKernel
import LinkRouting

/// The device and the identity of a session.
struct SessionUser {
    let device: Device.ID
    let identity: Identity
    /// Whether the device was known before.
    let isKnown: Bool
    /// The app environment that the device had then.
    var earlier: AppEnvironment?
    /// Whether the device is another user's now, so that a session which a server reports changes nothing of it.
    var isDeviceOfAnotherUser = false
    /// The device if neither it nor the identity is stored yet.
    var newDevice: Device?
}

extension SessionStarter {
    /// Returns the device and the identity of a session: found by their tokens, else by hardware id, else created. A device token alone
    /// identifies the identity, because the C++ SDK stores no other. An anonymous identity on a new device is not inserted yet.
    ///
    /// - Parameter known: the device, if it is known.
    func user(on known: Device?) throws -> SessionUser {
        let start = context.start
        if start.isTrackingDisabled { return try untrackedUser() }
        if let known, let user = try userElsewhere(than: known) { return user }
        let continued = known.flatMap { continues($0) ? $0 : nil }
        let current = try transaction.currentUser(
            of: UserTokens(identity: start.identity ?? start.liteApp?.identity), device: continued, in: start.scope)
        let isNew = current == nil && continued == nil && start.developerIdentity == nil && start.caller != .browser
        let identity =
            isNew
            ? Identity(id: try transaction.newID(), scope: start.scope, developerIdentity: nil)
            : try user(after: current, on: continued)
        let kind = start.kind(ofDevice: known != nil, after: known?.description.environment)
        if let continued {
            try transaction.update(device(continued.id, of: identity, kind), from: continued, at: transaction.now)
            if continued.identity != identity.id { try transaction.assign(identity.id, to: continued.id) }
            return SessionUser(
                device: continued.id, identity: identity, isKnown: true, earlier: continued.description.environment)
        }
        // A page may have the identity's token without the browser's id, which some browsers withhold from it.
        let isKnown = known != nil || (start.caller == .browser && current != nil)
        // A browser keeps the id that it was given before it had a session.
        if start.caller == .browser, let id = start.device, id.isPlausible(at: transaction.now),
            try transaction.insertUnlessTaken(device(id, of: identity, kind), at: transaction.now)
        {
            return SessionUser(device: id, identity: identity, isKnown: isKnown)
        }
        let new = device(try transaction.newID(), of: identity, kind)
        if isNew { return SessionUser(device: new.id, identity: identity, isKnown: isKnown, newDevice: new) }
        try transaction.insert(new, at: transaction.now)
        // The next session that names only the user is on it again.
        if start.isByName { try transaction.setFirstDevice(new.id, of: identity.id) }
        return SessionUser(device: new.id, identity: identity, isKnown: isKnown)
    }

    /// A user of whom nothing is stored. An unknown visitor has no first session, so the device counts as known.
    private func untrackedUser() throws -> SessionUser {
        let start = context.start
        let identity = Identity(id: try transaction.newID(), scope: start.scope, developerIdentity: start.developerIdentity)
        return SessionUser(device: try transaction.newID(), identity: identity, isKnown: true)
    }

    /// Returns the user whom a server named without a device, if the known device is another user's now.
    private func userElsewhere(than known: Device) throws -> SessionUser? {
        let start = context.start
        guard let name = start.developerIdentity, start.isByName, start.device != known.id else { return nil }
        let user = try transaction.identity(named: name, in: start.scope)
        guard known.identity != user.id else { return nil }
        return SessionUser(device: known.id, identity: user, isKnown: true, isDeviceOfAnotherUser: true)
    }

    /// The device as this session describes it.
    private func device(_ id: Device.ID, of identity: Identity, _ kind: Session.Kind) -> Device {
        let start = context.start
        return Device(
            id: id, scope: start.scope, identity: identity.id, isBrowser: start.caller == .browser,
            installedAt: kind.isInstall ? transaction.now : nil, site: context.site, description: start.description)
    }

    /// Whether a launch continues a device that is known. With `security=strict`, its hardware id alone is not enough: exports show it too, and
    /// who reads them must not get the user's tokens. The launch is on a new device then, and counts as that of a known one.
    private func continues(_ device: Device) -> Bool {
        let start = context.start
        guard start.app.app.configuration.isStrict, start.caller == .newInstallation || start.caller == .installation else {
            return true
        }
        return device.id == start.device || device.id == start.liteApp?.device
    }

    /// Returns the identity from this session on.
    private func user(after current: Identity?, on device: Device?) throws -> Identity {
        let start = context.start
        if let name = start.developerIdentity {
            return try current.map { try transaction.identity($0, saying: name, on: device?.id) }
                ?? transaction.identity(named: name, in: start.scope)
        }
        guard let current else { return try transaction.newAnonymousIdentity(in: start.scope) }
        guard current.developerIdentity != nil, start.isLogoutWithoutIdentity else { return current }
        // A page keeps sending the token of its first visit, so that each visit after a logout looks like one.
        return try device.map { try transaction.logOut($0) } ?? transaction.newAnonymousIdentity(in: start.scope)
    }
}

extension DeviceReader where Self: IdentityReader {
    /// Returns the id of the device of a launch, if it is known. A server that names only the user means the user's first device, which
    /// another user may have now, unless it is a browser.
    func deviceID(of start: SessionStart) throws -> Device.ID? {
        for id in start.namedDevices where try scope(of: id) == start.scope { return id }
        return try unnamedDeviceID(of: start)
    }

    /// Returns the device of ``deviceID(of:)``, with one read where the launch names it.
    func device(of start: SessionStart) throws -> Device? {
        for id in start.namedDevices { if let device = try device(id), device.scope == start.scope { return device } }
        return try unnamedDeviceID(of: start).flatMap { try device($0) }
    }

    /// Returns the id of the known device of a launch that names none.
    private func unnamedDeviceID(of start: SessionStart) throws -> Device.ID? {
        if let hardwareID = start.description.hardwareID { return try deviceID(hardwareID: hardwareID, in: start.scope) }
        guard start.caller == .server, let name = start.developerIdentity, let user = try identity(name, in: start.scope) else {
            return nil
        }
        return try device(of: user.id, orLater: false)?.id
    }
}

extension SessionStart {
    /// The devices that the launch names, which need not exist.
    fileprivate var namedDevices: [Device.ID] { [device, liteApp?.device].compactMap { $0 } }

    /// Returns the kind of the session.
    ///
    /// - Parameters:
    ///   - isKnown: whether the device was known before.
    ///   - earlier: the app environment that it had then.
    func kind(ofDevice isKnown: Bool, after earlier: AppEnvironment?) -> Session.Kind {
        switch caller {
        case .newInstallation where isTrackingDisabled: .install
        case .newInstallation where isFullAppConversion(from: earlier): .fullAppConversion
        case .newInstallation: isKnown ? .reinstall : .install
        case .installation: .open
        case .browser: .web
        case .server: isKnown ? .open : .install
        }
    }

    private func isFullAppConversion(from earlier: AppEnvironment?) -> Bool {
        // A device that had the whole app before may still have data of its App Clip.
        guard earlier != .fullApp, description.environment?.isTrial != true else { return false }
        return liteApp != nil || earlier?.isTrial == true && description.environment == .fullApp
    }
}
