/// Something that may happen once in a scope.
package struct CreditClaim: Sendable {
    let text: String
    /// What was asked for, where the one who asks chose the claim.
    let asked: String?

    private init(_ text: String, asked: String? = nil) {
        self.text = text
        self.asked = asked
    }

    /// For a claim from the database.
    init(known text: String) { self.init(text) }

    /// A call with an idempotency key. The key is kept for good, unlike the tries of SDKs, see ``RequestKey``.
    static func key(_ key: String, isTrusted: Bool, asked: String) -> CreditClaim {
        CreditClaim((isTrusted ? "key " : "app's key ") + key, asked: asked)
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
}
