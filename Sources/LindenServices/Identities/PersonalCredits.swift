import Linden
import LindenKernel
import LindenLedger
import LindenReporting

/// The ledger data about a data subject.
///
/// The ledger must stay balanced, so no entry is deleted. The accounts, and the mentions in other identities' transactions, pass to
/// tombstones, ids that were never an identity's; the details of the causes are erased.
struct PersonalCredits: Sendable {
    /// The transactions on the data subject's accounts.
    var own = SortedIDs<CreditTransaction>()
    /// Those on other identities' accounts in which it is the counterparty. What they say is about the others as well, so that a copy for
    /// the data subject leaves them out.
    var others = SortedIDs<CreditTransaction>()
    var transactions: SortedIDs<CreditTransaction> { own.union(others) }
    /// Those of its identities that have accounts, or are the counterparty of a transaction.
    var holders = SortedIDs<Identity>()

    /// Whether a row is one of the transactions.
    func contains(_ row: Int64) -> Bool { [own, others].contains { $0.contains(Identifier(rawValue: row)) } }
}

/// A stored ``UniquenessKey``.
package struct PersonalUniquenessKey: Sendable {
    let text: String
    /// The fingerprint of the request, if a caller chose the key.
    let asked: String?
    /// The id of the created row: a transaction, a code, a rule or a held reward.
    let row: Int64

    package init(text: String, asked: String?, row: Int64) {
        self.text = text
        self.asked = asked
        self.row = row
    }

    /// Whether the key was chosen by a caller.
    fileprivate var isChosen: Bool { asked != nil }

    /// Whether the request was about one of the identities, see ``RequestFingerprint``: whether its words contain `user` and the id.
    fileprivate func asks(for users: SortedIDs<Identity>) -> Bool {
        guard let asked else { return false }
        let words = asked.split(separator: " ", omittingEmptySubsequences: false)
        return zip(words.dropFirst(), words.dropFirst(2)).contains { word, id in
            word == "user" && Int64(id).map { users.contains(Identity.ID(rawValue: $0)) } == true
        }
    }
}

package protocol PersonalCreditReader {
    func creditAccounts(of user: Identity.ID) throws -> [CreditAccount.ID]
    /// The next transactions of an account, by id.
    func creditTransactions(of account: CreditAccount.ID, after id: CreditTransaction.ID?, limit: Int) throws
        -> [CreditTransaction.ID]
    /// The next claims of a scope, by text.
    func uniquenessKeys(of scope: Scope, after claim: String, limit: Int) throws -> [PersonalUniquenessKey]
}

package protocol PersonalCreditRepository: PersonalCreditReader {
    func replaceCause(of transaction: CreditTransaction.ID, by cause: CreditCause) throws
    func eraseUniquenessKeys(_ claims: [String], in scope: Scope) throws
    /// Moves all accounts of an identity to another one that has none.
    func moveCreditAccounts(of user: Identity.ID, to other: Identity.ID) throws
    func eraseRewardCounts(of user: Identity.ID) throws
}

extension PersonalDataSearch {
    func findCredits(_ data: inout PersonalData) async throws {
        var credits = PersonalCredits()
        for identity in data.identities.ids {
            for account in try await storage.read({ try $0.creditAccounts(of: identity) }) {
                credits.holders.insert(identity)
                try await forEachPage {
                    try $0.creditTransactions(of: account, after: $1, limit: $2)
                } _: {
                    credits.own.formUnion($0)
                }
            }
        }
        try await forEach(.creditTransactions) { row in
            guard data.names(row) else { return }
            let transaction = CreditTransaction.ID(rawValue: row.id)
            if !credits.own.contains(transaction) { credits.others.insert(transaction) }
            credits.holders.formUnion([row.identity, row.otherIdentity].compactMap { $0 }.filter(data.identities.contains))
        }
        data.credits = credits
    }
}

extension PersonalData {
    /// Whether a claim is a uniqueness key of one of its identities or devices, or the key of a call about its credits, which a server may
    /// have derived from personal data.
    func owns(_ claim: PersonalUniquenessKey) -> Bool {
        let isOfCall =
            credits.contains(claim.row)
            || referralCodes.contains(Identifier(rawValue: claim.row))
        return belongsToSubject(claim) || claim.isChosen && isOfCall
    }

    /// Whether a claim is about one of the data subject's identities or devices, see ``UniquenessKey``.
    private func belongsToSubject(_ claim: PersonalUniquenessKey) -> Bool {
        if claim.isChosen {
            let words = claim.text.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false)
            let isOwnKey = words.count == 4 && words[0] == "app's" && words[1] == "key" && contains(identity: words[2])
            return isOwnKey || claim.asks(for: identities)
        }
        let words = claim.text.split(separator: " ")
        guard words.count > 1, let id = words.last else { return false }
        switch words[words.count - 2] {
        case "user", "merge": return contains(identity: id)
        case "device": return Int64(id).map { devices.contains(Device.ID(rawValue: $0)) } == true
        default: return false
        }
    }

    private func contains(identity id: Substring) -> Bool {
        Int64(id).map { identities.contains(Identity.ID(rawValue: $0)) } == true
    }

    /// Returns a cause without the details about the data subject.
    ///
    /// - Parameter tombstones: the substitute for each of its identities.
    func erased(_ cause: CreditCause, _ tombstones: [Identity.ID: Identity.ID]) -> CreditCause {
        var cause = cause
        cause.metadata = nil
        switch cause.source {
        case .rule, .code, .reversal, .expiry, .merge: break
        // A name chosen by the caller, which may contain personal data.
        case .operator, .server, .sdk: cause.eventName = nil
        }
        if let session = cause.session, sessions.contains(session) { cause.session = nil }
        if let event = cause.event, events.contains(event) { cause.event = nil }
        switch cause.counterparty {
        case .referrer(let id): cause.counterparty = .referrer(tombstones[id] ?? id)
        case .referree(let id): cause.counterparty = .referree(tombstones[id] ?? id)
        case nil: break
        }
        return cause
    }
}
