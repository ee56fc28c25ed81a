/// A call that moves credits, and by what its retries are recognised.
package struct CreditCall: Sendable {
    package static let longestKey = 255

    /// Chosen by the one who calls: the same for every try, for good.
    package let idempotencyKey: String?
    /// From SDKs, which choose none.
    package let requestKey: RequestKey?

    /// Whether the caller is the operator or a server of the app's. Others have keys of their own, so that nobody takes one away from these.
    let isTrusted: Bool

    /// Fails with `invalid` for a key that cannot be one.
    package init(idempotencyKey: String? = nil, requestKey: RequestKey? = nil, isTrusted: Bool = true) throws {
        if let key = idempotencyKey {
            guard (1...Self.longestKey).contains(key.utf8.count), !key.unicodeScalars.contains(where: { $0.value < 0x20 }) else {
                throw Failure.invalid("An idempotency key must have 1 to \(Self.longestKey) bytes and no control characters.")
            }
        }
        self.isTrusted = isTrusted
        self.idempotencyKey = idempotencyKey
        self.requestKey = requestKey
    }
}

extension Transaction {
    /// Moves credits once for all tries of a call.
    ///
    /// - Parameters:
    ///   - asked: what the call asks for, the same for each try. The same key with another call is refused, since one of the two would be lost unnoticed.
    ///   - body: moves them, upon the claims given.
    func once(
        _ call: CreditCall, asked: String, in scope: Scope, body: ([CreditClaim]) throws -> CreditTransaction.ID
    ) throws -> CreditTransaction.ID {
        let claim = call.idempotencyKey.map { CreditClaim.key($0, isTrusted: call.isTrusted, asked: asked) }
        if let claim, let earlier = try creditClaim(claim.text, in: scope) {
            guard earlier.asked == asked else {
                throw Failure(.conflict, "This idempotency key came with another call before.")
            }
            return earlier.transaction
        }
        return try once(call.requestKey, in: scope, earlier: { $0 }) {
            let id = try body([claim].compactMap { $0 })
            return (id, id)
        }
    }
}
