/// Who somebody is, by the tokens that come with a call. Tokens of another app or mode count as none.
///
/// A device token, a site's number for a browser and an identity token are known to that app or site alone and prove their user.
extension Reader {
    /// The device of a scope that a token names.
    func device(of tokens: UserTokens, in scope: Scope) throws -> Device? {
        guard let id = tokens.device, let device = try device(id), device.scope == scope else { return nil }
        return device
    }

    /// The session of a scope that an SDK names.
    func session(of tokens: UserTokens, in scope: Scope) throws -> Session? {
        guard let id = tokens.session, let session = try session(id), session.scope == scope else { return nil }
        return session
    }

    /// The user who is there now. An app's own device knows best: an older token that arrives late brings nobody back who has logged
    /// out. A page's own token comes before that of its browser.
    func currentUser(of tokens: UserTokens, device: Device?, in scope: Scope) throws -> Identity? {
        let byDevice = try device.flatMap { try identity($0.identity, in: scope) }
        if let byDevice, device?.isBrowser == false { return byDevice }
        return try tokens.identity.flatMap { try identity($0, in: scope) } ?? byDevice
    }

    /// The user a report is about: whom it names itself, since it may be about what happened before, else the device's.
    func reportedUser(of tokens: UserTokens, device: Device?, in scope: Scope) throws -> Identity? {
        try tokens.identity.flatMap { try identity($0, in: scope) } ?? device.flatMap { try identity($0.identity, in: scope) }
    }

    private func identity(_ id: Identity.ID, in scope: Scope) throws -> Identity? {
        try identity(id).flatMap { $0.scope == scope ? $0 : nil }
    }
}
