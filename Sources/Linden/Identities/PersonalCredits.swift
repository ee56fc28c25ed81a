/// What the books say of one person.
///
/// Books must go on to add up, so nothing in them is deleted: his accounts and his part in other users' transactions pass to a user who
/// never was, and what was said of a movement beside its amount goes.
struct PersonalCredits: Sendable {
    /// On his accounts, or in which he had a part.
    var transactions: Set<CreditTransaction.ID> = []
    /// What he or his devices may do once, and keys of calls about his credits, which a server may have worded after him.
    var claims: [String] = []
    /// Of his app: by each it may have been counted how often he was rewarded.
    var rules: [RewardRule.ID] = []
}

/// A ``CreditClaim`` as it is kept.
package struct PersonalClaim: Sendable {
    let text: String
    /// What was asked for, if a caller chose the key.
    let asked: String?
    /// What was made upon it: a transaction, a code or a rule.
    let row: Int64

    package init(text: String, asked: String?, row: Int64) {
        self.text = text
        self.asked = asked
        self.row = row
    }

    /// Whether it is a key that a caller chose.
    fileprivate var isChosen: Bool { asked != nil }

    /// See ``AskedCredits``.
    fileprivate func asks(for user: Identity.ID) -> Bool {
        asked.map { $0.hasSuffix(" user \(user)") || $0.contains(" user \(user) ") } ?? false
    }
}

package protocol PersonalCreditReader {
    func creditAccounts(of user: Identity.ID) throws -> [CreditAccount.ID]
    /// The next transactions of an account.
    func creditTransactions(of account: CreditAccount.ID, after id: CreditTransaction.ID?, limit: Int) throws
        -> [CreditTransaction.ID]
    /// The next claims in the order of their texts.
    func creditClaims(of scope: Scope, after claim: String, limit: Int) throws -> [PersonalClaim]
    /// The next rules of a scope, also those that were removed.
    func rewardRules(of scope: Scope, after id: RewardRule.ID?, limit: Int) throws -> [RewardRule.ID]
}

package protocol PersonalCreditRepository: PersonalCreditReader {
    func replaceCause(of transaction: CreditTransaction.ID, by cause: CreditCause) throws
    func eraseCreditClaims(_ claims: [String], in scope: Scope) throws
    /// Gives all accounts of a user to another, who has none yet.
    func moveCreditAccounts(of user: Identity.ID, to other: Identity.ID) throws
    func eraseRewardCounts(of user: Identity.ID, by rules: [RewardRule.ID]) throws
}

extension Storage {
    func findCredits(_ data: inout PersonalData) async throws {
        var credits = PersonalCredits()
        for identity in data.identities {
            for account in try await read({ try $0.creditAccounts(of: identity) }) {
                credits.transactions.formUnion(
                    try await all { try $0.creditTransactions(of: account, after: $1, limit: $2) })
            }
        }
        try await forEach(.creditTransactions) { row in
            if data.names(row) { credits.transactions.insert(CreditTransaction.ID(rawValue: row.id)) }
        }
        let scope = data.scope
        let calls = Set(credits.transactions.map(\.rawValue)).union(data.referralCodes.map(\.rawValue))
        let claims = try await all {
            try $0.creditClaims(of: scope, after: $1?.text ?? "", limit: $2)
        } where: {
            data.isHis($0) || $0.isChosen && calls.contains($0.row)
        }
        credits.claims = claims.map(\.text)
        credits.rules = try await all { try $0.rewardRules(of: scope, after: $1, limit: $2) }
        data.credits = credits
    }
}

extension PersonalData {
    /// Whether a claim is that something happens once for him or for one of his devices, see ``CreditClaim``.
    fileprivate func isHis(_ claim: PersonalClaim) -> Bool {
        if claim.isChosen {
            return identities.contains { claim.text.hasPrefix("app's key \($0) ") || claim.asks(for: $0) }
        }
        return identities.contains { claim.text.hasSuffix(" user \($0)") || claim.text == CreditClaim.merge(of: $0).text }
            || devices.contains { claim.text.hasSuffix(" device \($0)") }
    }

    /// What may still be said of why credits moved.
    ///
    /// - Parameter tombstones: who stands for each of his identities.
    func erased(_ cause: CreditCause, _ tombstones: [Identity.ID: Identity.ID]) -> CreditCause {
        var cause = cause
        cause.metadata = nil
        switch cause.source {
        case .rule, .code, .reversal, .expiry, .merge: break
        // In the words of whoever moved them.
        case .operator, .server, .sdk: cause.eventName = nil
        }
        if let session = cause.session, sessions.contains(session) { cause.session = nil }
        if let event = cause.event, events.contains(event) { cause.event = nil }
        switch cause.party {
        case .referrer(let id): cause.party = .referrer(tombstones[id] ?? id)
        case .referree(let id): cause.party = .referree(tombstones[id] ?? id)
        case nil: break
        }
        return cause
    }
}
