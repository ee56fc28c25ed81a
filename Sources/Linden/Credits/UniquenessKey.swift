/// A uniqueness key: an action that may happen only once in a scope.
package struct UniquenessKey: Sendable {
    let text: String
    /// The fingerprint of the request, if the caller chose the key.
    let asked: String?

    private init(_ text: String, asked: String? = nil) {
        self.text = text
        self.asked = asked
    }

    /// The claim of a trusted call with an idempotency key. The key is kept forever, unlike a ``RequestKey``.
    static func key(_ key: String, asked: String) -> UniquenessKey { UniquenessKey("key " + key, asked: asked) }

    /// The claim of an app's call with an idempotency key. Each identity has a separate key space, so that it cannot occupy a key of
    /// another identity or of a server.
    static func key(_ key: String, of user: Identity.ID, asked: String) -> UniquenessKey {
        UniquenessKey("app's key \(user) \(key)", asked: asked)
    }

    static func reversal(of id: CreditTransaction.ID) -> UniquenessKey { UniquenessKey("reversal \(id)") }

    /// The move of an anonymous identity's credits to the identity that logged in there.
    static func merge(of user: Identity.ID) -> UniquenessKey { UniquenessKey("merge \(user)") }

    /// The reward of a rule for the first action of an identity or device.
    static func rule(_ rule: RewardRule.ID, actor: Identity.ID) -> UniquenessKey { UniquenessKey("rule \(rule) user \(actor)") }
    static func rule(_ rule: RewardRule.ID, device: Device.ID) -> UniquenessKey { UniquenessKey("rule \(rule) device \(device)") }

    static func code(_ code: ReferralCode.ID, user: Identity.ID) -> UniquenessKey { UniquenessKey("code \(code) user \(user)") }
    static func code(_ code: ReferralCode.ID, device: Device.ID) -> UniquenessKey { UniquenessKey("code \(code) device \(device)") }
}

extension Transaction {
    func isTaken(_ claim: UniquenessKey, in scope: Scope) throws -> Bool {
        try creditClaim(claim.text, in: scope) != nil
    }

    /// Records claims. Fails with `unavailable` if a concurrent transaction has taken one of them.
    func take(_ claims: [UniquenessKey], for id: CreditTransaction.ID, in scope: Scope) throws {
        for claim in claims where try !self.claim(claim.text, in: scope, for: id, asked: claim.asked) {
            throw Failure.unavailable("The same request is being executed; please try again.")
        }
    }
}
