// Lookup of devices, sessions and identities by the tokens of a call. Tokens of another app or mode are ignored.
//
// A device token, a site's id of a browser and an identity token are known only to that app or site, so they authenticate their user.

extension DeviceReader {
    /// Returns the device of a scope that a token identifies.
    package func device(of tokens: UserTokens, in scope: Scope) throws -> Device? {
        guard let id = tokens.device, let device = try device(id), device.scope == scope else { return nil }
        return device
    }
}

extension SessionReader {
    /// Returns the session of a scope that an SDK refers to.
    func session(of tokens: UserTokens, in scope: Scope) throws -> SessionReference? {
        guard let id = tokens.session, let session = try sessionReference(id), session.scope == scope else { return nil }
        return session
    }
}

extension IdentityReader {
    /// Returns the current user. On an app's device, the stored user takes precedence, so that a late call with an old token does not undo
    /// a logout. In a browser, the page's identity token takes precedence over the browser's user.
    package func currentUser(of tokens: UserTokens, device: Device?, in scope: Scope) throws -> Identity? {
        let byDevice = device?.user(in: scope)
        if let byDevice, device?.isBrowser == false || tokens.identity == byDevice.id { return byDevice }
        return try tokens.identity.flatMap { try identity($0, in: scope) } ?? byDevice
    }

    /// Returns the user that a report is about: the one it identifies, since it may be about an earlier user of the device, else the
    /// device's.
    package func reportedUser(of tokens: UserTokens, device: Device?, in scope: Scope) throws -> Identity? {
        let byDevice = device?.user(in: scope)
        guard let id = tokens.identity, id != byDevice?.id else { return byDevice }
        return try identity(id, in: scope) ?? byDevice
    }

    private func identity(_ id: Identity.ID, in scope: Scope) throws -> Identity? {
        try identity(id).flatMap { $0.scope == scope ? $0 : nil }
    }
}

extension Device {
    fileprivate func user(in scope: Scope) -> Identity? { user.flatMap { $0.scope == scope ? $0 : nil } }
}
