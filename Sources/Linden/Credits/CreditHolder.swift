/// Whose credits a call is about, as the one who calls says it.
package enum CreditHolder: Sendable {
    /// By the developer's own id.
    case named(String)
    /// By the tokens of his SDK.
    case tokens(UserTokens)
    /// As operators write it: the developer's own id or else the id that SDKs are shown.
    case reference(String, id: Identity.ID?)
}

extension Reader {
    /// Fails with `invalid` if there is no such user in the scope.
    func user(_ holder: CreditHolder, in scope: Scope) throws -> Identity {
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
    /// The same, but a developer's own id that was never seen is a new user.
    func userToGive(_ holder: CreditHolder, in scope: Scope) throws -> Identity {
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

extension CreditHolder {
    /// Fails with `invalid` for a name that nobody can have.
    func check() throws {
        switch self {
        case .named(let name), .reference(let name, _): try Identity.check(developerIdentity: name)
        case .tokens: break
        }
    }
}

extension Failure {
    /// Not `notFound`: Android SDKs up to 3.x fail all that they have queued on a 404.
    static let noSuchUser = Failure.invalid("There is no such identity.")
}
