/// Something that may happen once in a scope.
package struct CreditClaim: Sendable {
    let text: String
    /// What was asked for, where the one who asks chose the claim.
    let asked: String?

    private init(_ text: String, asked: String? = nil) {
        self.text = text
        self.asked = asked
    }

    /// A call with an idempotency key. The key is kept for good, unlike the tries of SDKs, see ``RequestKey``.
    static func key(_ key: String, asked: String) -> CreditClaim { CreditClaim("key " + key, asked: asked) }

    /// The same for a call of an app: each of its users has keys of his own, so that nobody takes one away from another or from a server.
    static func key(_ key: String, of user: Identity.ID, asked: String) -> CreditClaim {
        CreditClaim("app's key \(user) \(key)", asked: asked)
    }

    static func reversal(of id: CreditTransaction.ID) -> CreditClaim { CreditClaim("reversal \(id)") }

    /// Moving an anonymous user's credits to whom he turned out to be.
    static func merge(of user: Identity.ID) -> CreditClaim { CreditClaim("merge \(user)") }

    /// A rule's reward for what a user or device does the first time.
    static func rule(_ rule: RewardRule.ID, actor: Identity.ID) -> CreditClaim { CreditClaim("rule \(rule) user \(actor)") }
    static func rule(_ rule: RewardRule.ID, device: Device.ID) -> CreditClaim { CreditClaim("rule \(rule) device \(device)") }

    static func code(_ code: ReferralCode.ID, user: Identity.ID) -> CreditClaim { CreditClaim("code \(code) user \(user)") }
    static func code(_ code: ReferralCode.ID, device: Device.ID) -> CreditClaim { CreditClaim("code \(code) device \(device)") }
}

extension Transaction {
    func isTaken(_ claim: CreditClaim, in scope: Scope) throws -> Bool {
        try creditClaim(claim.text, in: scope) != nil
    }

    /// Notes that what may happen once has happened. Fails with `unavailable` for a claim that somebody else has taken meanwhile.
    func take(_ claims: [CreditClaim], for id: CreditTransaction.ID, in scope: Scope) throws {
        for claim in claims where try !self.claim(claim.text, in: scope, for: id, asked: claim.asked) {
            throw Failure.unavailable("The same was asked for at the same time; please try again.")
        }
    }
}
