/// A caller's reference to the identity whose credits a call is about.
package enum AccountReference: Sendable {
    /// The developer's id.
    case named(String)
    /// The tokens of the user's SDK.
    case tokens(UserTokens)
    /// An operator's reference: the developer's id or, if there is none of that name, the public id that SDKs receive.
    case reference(String, id: Identity.ID?)
}

extension Reader {
    /// Returns the identity. Fails with `invalid` if the scope has no such identity.
    func user(_ holder: AccountReference, in scope: Scope) throws -> Identity {
        let found =
            switch holder {
            case .named(let name): try identity(name, in: scope)
            case .tokens(let tokens): try reportedUser(of: tokens, device: try device(of: tokens, in: scope), in: scope)
            case .reference(let name, let id):
                try identity(name, in: scope) ?? id.flatMap { try identity($0) }.flatMap { $0.scope == scope ? $0 : nil }
            }
        guard let found else { throw Failure.noSuchUser }
        return found
    }
}

extension Transaction {
    /// Returns the identity. Creates it for an unknown developer's id; fails with `invalid` for unknown tokens.
    func userToGive(_ holder: AccountReference, in scope: Scope) throws -> Identity {
        do {
            return try user(holder, in: scope)
        } catch let failure as Failure where failure.code == .invalid {
            switch holder {
            case .named(let name), .reference(let name, _): return try identity(named: name, in: scope)
            case .tokens: throw failure
            }
        }
    }
}

extension AccountReference {
    /// Fails with `invalid` for an invalid developer's id.
    func check() throws {
        switch self {
        case .named(let name), .reference(let name, _): try Identity.check(developerIdentity: name)
        case .tokens: break
        }
    }
}

extension Failure {
    /// The failure for an unknown identity. Not `notFound`: Android SDKs up to 3.x fail their whole queue on a 404.
    static let noSuchUser = Failure.invalid("There is no such identity.")
}
