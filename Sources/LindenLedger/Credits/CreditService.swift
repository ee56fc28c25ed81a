import Linden
import LindenKernel

/// Grants, redeems and lists credits. Correct under concurrency: a balance is changed by one conditional statement, in the transaction that
/// writes the ledger.
package struct CreditService: Sendable {
    let storage: any LedgerStorage

    package init(storage: any LedgerStorage) {
        self.storage = storage
    }

    // MARK: Reading

    /// Returns the scope of an identity; nil if there is no such identity, or its app was deleted.
    package func scope(of user: Identity.ID) async throws -> Scope? {
        try await storage.read { reader in
            guard let scope = try reader.identity(user)?.scope, try reader.app(scope.app) != nil else { return nil }
            return scope
        }
    }

    /// Returns the identity of an account. Fails with `invalid` if there is no such identity.
    package func user(of holder: AccountReference, in scope: Scope) async throws -> Identity {
        try await storage.read { try holder.user(in: scope, $0) }
    }

    /// Returns an identity's buckets with their balances. Always contains the standard one, which comes first if it has no account.
    package func balances(of holder: AccountReference, in scope: Scope) async throws -> [(bucket: Bucket, balance: Int64)] {
        try await storage.read { reader in
            let balances = try reader.creditBalances(of: try holder.user(in: scope, reader).id)
            return balances.contains { $0.bucket == .standard } ? balances : [(.standard, 0)] + balances
        }
    }

    /// Returns an identity's balance in one bucket.
    package func balance(of holder: AccountReference, in bucket: Bucket, _ scope: Scope) async throws -> Int64 {
        try await storage.read { reader in
            let user = try holder.user(in: scope, reader)
            try bucket.check(in: scope, reader)
            return try reader.creditBalance(of: user.id, in: bucket)
        }
    }

    package func history(_ query: CreditHistoryQuery, of holder: AccountReference, in scope: Scope) async throws -> [CreditRecord] {
        try await storage.read { reader in
            let user = try holder.user(in: scope, reader)
            if let bucket = query.bucket { try bucket.check(in: scope, reader) }
            return try reader.creditHistory(query, of: user.id)
        }
    }

    // MARK: Writing

    /// Reads the result of a movement in the transaction that posts it.
    private typealias ResultReader<Value> = @Sendable (any CreditReader, CreditTransaction.ID, Identity) throws -> Value

    /// Grants credits. Creates the identity if its developer's id is unknown.
    @discardableResult
    package func grant(_ grant: CreditGrant, _ reason: RequestedCause, _ call: CreditCall, in scope: Scope) async throws
        -> CreditTransaction.ID
    {
        try await post(grant, reason, call, in: scope) { _, id, _ in id }
    }

    /// Variant of ``grant(_:_:_:in:)`` that also reads the identity's entry.
    package func grantWithReceipt(_ grant: CreditGrant, _ reason: RequestedCause, _ call: CreditCall, in scope: Scope)
        async throws -> CreditReceipt
    {
        try await post(grant, reason, call, in: scope) { reader, id, user in try CreditReceipt(of: id, for: user, reader) }
    }

    private func post<Value: Sendable>(
        _ grant: CreditGrant, _ reason: RequestedCause, _ call: CreditCall, in scope: Scope,
        result: @escaping ResultReader<Value>
    ) async throws -> Value {
        try grant.holder.check()
        return try await storage.write { transaction in
            let user = try grant.holder.userToGive(in: scope, transaction)
            let id = try call.idempotently(by: user.id, asked: grant.asked(reason), in: scope, transaction) { claims in
                guard grant.expiresAt.map({ $0 > transaction.now }) ?? true else {
                    throw Failure.invalid("The expiry of credits must be in the future.", at: "expires_at")
                }
                return try Ledger(transaction: transaction).post(
                    .grant,
                    [
                        Posting(.user(user.id), grant.bucket, grant.amount.value, expiresAt: grant.expiresAt),
                        Posting(.app(.issued), grant.bucket, -grant.amount.value),
                    ], because: try reason.resolved(in: scope, transaction), claims: claims, in: scope)
            }
            return try result(transaction, id, user)
        }
    }

    /// Redeems credits. Fails with `insufficient` if the balance is lower.
    @discardableResult
    package func redeem(_ redemption: CreditWithdrawal, _ reason: RequestedCause, _ call: CreditCall, in scope: Scope) async throws
        -> CreditTransaction.ID
    {
        try await withdraw(redemption, .redeem, reason, call, in: scope) { _, id, _ in id }
    }

    /// Variant of ``redeem(_:_:_:in:)`` that also reads the identity's entry.
    package func redeemWithReceipt(_ redemption: CreditWithdrawal, _ reason: RequestedCause, _ call: CreditCall, in scope: Scope)
        async throws -> CreditReceipt
    {
        try await withdraw(redemption, .redeem, reason, call, in: scope) { reader, id, user in
            try CreditReceipt(of: id, for: user, reader)
        }
    }

    /// Takes the amount, or the whole balance if it is lower. Fails with `insufficient` if the balance is zero.
    package func reconcile(_ correction: CreditWithdrawal, _ reason: RequestedCause, _ call: CreditCall, in scope: Scope)
        async throws -> CreditReceipt
    {
        try await withdraw(correction, .reconcile, reason, call, in: scope) { reader, id, user in
            try CreditReceipt(of: id, for: user, reader)
        }
    }

    private func withdraw<Value: Sendable>(
        _ withdrawal: CreditWithdrawal, _ kind: WithdrawalKind, _ reason: RequestedCause, _ call: CreditCall, in scope: Scope,
        result: @escaping ResultReader<Value>
    ) async throws -> Value {
        try await expireCredits { reader in
            let user = try withdrawal.holder.user(in: scope, reader)
            return try reader.creditAccount(of: .user(user.id), withdrawal.bucket, in: scope).map { [$0] } ?? []
        }
        return try await storage.write { transaction in
            let bucket = withdrawal.bucket
            let user = try withdrawal.holder.user(in: scope, transaction)
            try bucket.check(in: scope, transaction)
            let asked = RequestFingerprint("\(kind.rawValue) \(withdrawal.amount.value) \(bucket.name)", reason.details)
            let id = try call.idempotently(by: user.id, asked: asked, in: scope, transaction) { claims in
                let ledger = Ledger(transaction: transaction)
                guard let account = try transaction.creditAccount(of: .user(user.id), bucket, in: scope) else {
                    throw Failure.notEnoughCredits(0, in: bucket)
                }
                // Expired credits must not be spent, even if the periodic expiry has not processed them yet.
                try ledger.expireCredits(of: account)
                let amount = try kind.amount(of: withdrawal, by: user.id, transaction)
                return try ledger.post(
                    kind.transactionKind,
                    [Posting(.user(user.id), bucket, -amount), Posting(.app(kind.counterpart), bucket, amount)],
                    because: try reason.resolved(in: scope, transaction), claims: claims, in: scope)
            }
            return try result(transaction, id, user)
        }
    }

    /// Takes back the expired credits of accounts in transactions of their own, if there are too many for the transaction that is to take
    /// credits from them.
    private func expireCredits(
        of accounts: @escaping @Sendable (any LedgerReader) throws -> [CreditAccount.ID]
    ) async throws {
        let limit = Ledger.expiredPerTransaction
        let crowded = try await storage.read { reader in
            try accounts(reader).filter { account in
                try reader.expiredCredits(of: account, at: reader.now, limit: limit + 1).count > limit
            }
        }
        for account in crowded {
            var hasMore = true
            while hasMore {
                hasMore = try await storage.write { try Ledger(transaction: $0).expireSomeCredits(of: account) }
            }
        }
    }

    /// Reverses a transaction by one with the opposite postings. Fails with `insufficient` if an identity has spent credits that would be
    /// taken from it.
    ///
    /// - Parameter isFraud: whether the reversal is recorded, and shown to the user, as fraud.
    package func reverse(_ id: CreditTransaction.ID, isFraud: Bool = false, _ call: CreditCall, in scope: Scope) async throws
        -> [CreditEntry]
    {
        try await expireCredits { reader in
            guard try reader.creditTransaction(id)?.scope == scope else { return [] }
            return try reader.creditEntries(of: id).filter { $0.amount > 0 && $0.balanceAfter != nil }.map(\.account.id)
        }
        return try await storage.write { transaction in
            let asked = RequestFingerprint(isFraud ? "reverse \(id) as fraud" : "reverse \(id)")
            let reversal = try call.idempotently(by: nil, asked: asked, in: scope, transaction) { claims in
                try Ledger(transaction: transaction).reverse(id, as: isFraud ? .fraud : .correction, claims, in: scope)
            }
            return try transaction.creditEntries(of: reversal)
        }
    }
}

extension CreditGrant {
    fileprivate func asked(_ reason: RequestedCause) -> RequestFingerprint {
        let end: JSONObject = ["until": expiresAt.map { .integer($0.milliseconds) } ?? .null]
        return RequestFingerprint("grant \(amount.value) \(bucket.name)", reason.details.merging(end))
    }
}

/// A way in which credits are taken from an identity.
private enum WithdrawalKind: String {
    /// The whole amount.
    case redeem
    /// The amount, or the whole balance if it is lower.
    case reconcile

    var transactionKind: CreditTransaction.Kind {
        switch self {
        case .redeem: .redemption
        case .reconcile: .correction
        }
    }

    /// The app's account that gets the credits.
    var counterpart: CreditAccount.Purpose {
        switch self {
        case .redeem: .redeemed
        case .reconcile: .withdrawn
        }
    }

    /// Returns the amount to take. Fails with `insufficient` if a balance to be reconciled is zero.
    func amount(of withdrawal: CreditWithdrawal, by user: Identity.ID, _ reader: any CreditReader) throws -> Int64 {
        switch self {
        case .redeem: return withdrawal.amount.value
        case .reconcile:
            let amount = min(withdrawal.amount.value, try reader.creditBalance(of: user, in: withdrawal.bucket))
            guard amount > 0 else { throw Failure.notEnoughCredits(0, in: withdrawal.bucket) }
            return amount
        }
    }
}

extension Bucket {
    /// Fails with `invalid` for a bucket that is not known in the scope, see ``CreditReader/hasBucket(_:in:)``.
    fileprivate func check(in scope: Scope, _ reader: any CreditReader) throws {
        guard try self == .standard || reader.hasBucket(self, in: scope) else {
            throw Failure.invalid("There is no bucket \(name).", at: "bucket")
        }
    }
}

extension Failure {
    static func noSuchTransaction(_ id: CreditTransaction.ID) -> Failure { .notFound("There is no transaction \(id).") }
}
