import Linden

/// Who a call about credits is about, and by what it says so.
package enum CreditUser: Sendable {
    /// The tokens of his SDK, which nobody else has.
    case tokens(UserTokens)
    /// The developer's own id, which others may know too.
    case name(String)

    /// Fails with `invalid` for a call that names nobody.
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

    package var holder: CreditHolder {
        switch self {
        case .tokens(let tokens): .tokens(tokens)
        case .name(let name): .named(name)
        }
    }
}
