import Linden

/// The reference by which a call about credits names the identity.
package enum CreditUser: Sendable {
    /// The tokens of the identity's SDK, which no other client has.
    case tokens(UserTokens)
    /// The developer's own id of the identity, which other clients may know too.
    case name(String)

    /// Prefers the SDK's tokens in calls without the secret, and the developer's id in calls with it. Fails with `invalid` for a call that
    /// has neither.
    package init(_ fields: RequestFields, _ ids: PublicIDs) throws {
        let tokens = fields.tokens(ids)
        if tokens.identity != nil || tokens.device != nil, fields.branchSecret == nil {
            self = .tokens(tokens)
        } else if let name = fields.text("identity", "developer_identity") {
            self = .name(name)
        } else if tokens.identity != nil {
            self = .tokens(tokens)
        } else {
            throw Failure.invalid("identity is missing.")
        }
    }

    package var holder: AccountReference {
        switch self {
        case .tokens(let tokens): .tokens(tokens)
        case .name(let name): .named(name)
        }
    }
}
