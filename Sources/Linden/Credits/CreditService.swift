/// Grants, redeems and lists credits. Correct under concurrency: a balance is changed by one conditional statement, in the transaction that
/// writes the ledger.
package struct CreditService: Sendable {
    private let storage: any Storage

    package init(storage: any Storage) {
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

    /// Whether an identity has a developer's id, by which any device may log in. False if there is no such identity.
    package func isNamed(_ holder: AccountReference, in scope: Scope) async throws -> Bool {
        try await storage.read { reader in
            do {
                return try reader.user(holder, in: scope).developerIdentity != nil
            } catch let failure as Failure where failure.code == .invalid {
                return false
            }
        }
    }

    /// Returns an identity's buckets with their balances. Always contains the standard one, which comes first if it has no account.
    package func balances(of holder: AccountReference, in scope: Scope) async throws -> [(bucket: Bucket, balance: Int64)] {
        try await storage.read { reader in
            let balances = try reader.creditBalances(of: try reader.user(holder, in: scope).id)
            return balances.contains { $0.bucket == .standard } ? balances : [(.standard, 0)] + balances
        }
    }

    /// Returns an identity's balance in one bucket.
    package func balance(of holder: AccountReference, in bucket: Bucket, _ scope: Scope) async throws -> Int64 {
        try await storage.read { reader in
            let user = try reader.user(holder, in: scope)
            try reader.check(bucket, in: scope)
            return try reader.creditBalance(of: user.id, in: bucket)
        }
    }

    package func history(_ query: CreditHistoryQuery, of holder: AccountReference, in scope: Scope) async throws -> [CreditRecord] {
        try await storage.read { reader in
            let user = try reader.user(holder, in: scope)
            if let bucket = query.bucket { try reader.check(bucket, in: scope) }
            return try reader.creditHistory(query, of: user.id)
        }
    }

    // MARK: Writing

    /// Grants credits. Creates the identity if its developer's id is unknown.
    package func grant(_ grant: CreditGrant, _ reason: CreditReason, _ call: CreditCall, in scope: Scope) async throws
        -> CreditReceipt
    {
        try grant.holder.check()
        return try await storage.write { transaction in
            let user = try transaction.userToGive(grant.holder, in: scope)
            let id = try transaction.idempotently(call, by: user.id, asked: grant.asked(reason), in: scope) { claims in
                guard grant.expiresAt.map({ $0 > transaction.now }) ?? true else {
                    throw Failure.invalid("The expiry of credits must be in the future.")
                }
                return try transaction.post(
                    .grant,
                    [
                        Posting(.user(user.id), grant.bucket, grant.amount.value, expiresAt: grant.expiresAt),
                        Posting(.app(.issued), grant.bucket, -grant.amount.value),
                    ], because: try transaction.cause(reason, in: scope), claims: claims, in: scope)
            }
            return try transaction.receipt(of: id, for: user)
        }
    }

    /// Redeems credits. Fails with `insufficient` if the balance is lower.
    package func redeem(_ redemption: CreditWithdrawal, _ reason: CreditReason, _ call: CreditCall, in scope: Scope) async throws
        -> CreditReceipt
    {
        try await withdraw(redemption, "redeem", reason, call, in: scope) { transaction, user, claims in
            let (bucket, amount) = (redemption.bucket, redemption.amount.value)
            return try transaction.post(
                .redemption, [Posting(.user(user.id), bucket, -amount), Posting(.app(.redeemed), bucket, amount)],
                because: try transaction.cause(reason, in: scope), claims: claims, in: scope)
        }
    }

    /// Takes the amount, or the whole balance if it is lower. Fails with `insufficient` if the balance is zero.
    package func reconcile(_ correction: CreditWithdrawal, _ reason: CreditReason, _ call: CreditCall, in scope: Scope)
        async throws -> CreditReceipt
    {
        try await withdraw(correction, "reconcile", reason, call, in: scope) { transaction, user, claims in
            let bucket = correction.bucket
            let amount = min(correction.amount.value, try transaction.creditBalance(of: user.id, in: bucket))
            guard amount > 0 else { throw Failure.notEnoughCredits(0, in: bucket) }
            return try transaction.post(
                .correction, [Posting(.user(user.id), bucket, -amount), Posting(.app(.withdrawn), bucket, amount)],
                because: try transaction.cause(reason, in: scope), claims: claims, in: scope)
        }
    }

    private func withdraw(
        _ withdrawal: CreditWithdrawal, _ verb: String, _ reason: CreditReason, _ call: CreditCall, in scope: Scope,
        _ body: @escaping @Sendable (any Transaction, Identity, [UniquenessKey]) throws -> CreditTransaction.ID
    ) async throws -> CreditReceipt {
        try await storage.write { transaction in
            let user = try transaction.user(withdrawal.holder, in: scope)
            try transaction.check(withdrawal.bucket, in: scope)
            let asked = RequestFingerprint("\(verb) \(withdrawal.amount.value) \(withdrawal.bucket.name)", reason.details)
            let id = try transaction.idempotently(call, by: user.id, asked: asked, in: scope) { claims in
                let account = try transaction.openCreditAccount(of: .user(user.id), withdrawal.bucket, in: scope)
                // Expired credits must not be spent, even if the periodic expiry has not processed them yet.
                try transaction.expireCredits(of: account.id)
                return try body(transaction, user, claims)
            }
            return try transaction.receipt(of: id, for: user)
        }
    }

    /// Reverses a transaction by one with the opposite postings. Fails with `insufficient` if an identity has spent credits that would be
    /// taken from it.
    ///
    /// - Parameter isFraud: whether the reversal is recorded, and shown to the user, as fraud.
    package func reverse(_ id: CreditTransaction.ID, isFraud: Bool = false, _ call: CreditCall, in scope: Scope) async throws
        -> [CreditEntry]
    {
        try await storage.write { transaction in
            let asked = RequestFingerprint(isFraud ? "reverse \(id) as fraud" : "reverse \(id)")
            let reversal = try transaction.idempotently(call, by: nil, asked: asked, in: scope) { claims in
                try transaction.reverse(id, as: isFraud ? .fraud : .correction, claims, in: scope)
            }
            return try transaction.creditEntries(of: reversal)
        }
    }

    private static let expiredPerBatch = 100
    private static let batchesPerRound = 20

    /// Takes back expired credits in batches; the work per call is limited, so that other writers do not wait. To be called about once a
    /// second; stops if the task is cancelled. If some credits cannot be taken back, continues with the others, then fails with `conflict`.
    package func expire() async throws {
        var stuck: Set<CreditTransaction.ID> = []
        for _ in 0..<Self.batchesPerRound {
            let hasMore = try await storage.read { [stuck] in try $0.hasExpiredCredits(except: stuck) }
            guard !Task.isCancelled, hasMore else { break }
            stuck = try await storage.write { [stuck] in try $0.expireCredits(limit: Self.expiredPerBatch, except: stuck) }
        }
        guard stuck.isEmpty else {
            let ids = stuck.map(\.rawValue).sorted().prefix(10).map { String($0) }.joined(separator: ", ")
            throw Failure(
                .conflict, "Credits that ended cannot be taken back, since less is there (linden verify). Given by: \(ids).")
        }
    }
}

extension CreditGrant {
    fileprivate func asked(_ reason: CreditReason) -> RequestFingerprint {
        let end: JSONObject = ["until": expiresAt.map { .integer($0.milliseconds) } ?? .null]
        return RequestFingerprint("grant \(amount.value) \(bucket.name)", reason.details.merging(end))
    }
}

extension Reader {
    /// Fails with `invalid` for a bucket that is not known in the scope, see ``CreditReader/hasBucket(_:in:)``.
    func check(_ bucket: Bucket, in scope: Scope) throws {
        guard try bucket == .standard || hasBucket(bucket, in: scope) else {
            throw Failure.invalid("There is no bucket \(bucket.name).")
        }
    }

    func receipt(of id: CreditTransaction.ID, for user: Identity) throws -> CreditReceipt {
        guard let record = try creditRecord(of: id, for: user.id) else { throw Failure.noSuchTransaction(id) }
        return CreditReceipt(user: user, record: record)
    }
}

extension Transaction {
    fileprivate func cause(_ reason: CreditReason, in scope: Scope) throws -> CreditCause {
        var cause = CreditCause(reason.source)
        cause.eventName = reason.event
        cause.metadata = reason.metadata
        func known(_ name: String) throws -> Identity.ID {
            guard let identity = try identity(name, in: scope) else { throw Failure.invalid("There is no identity \(name).") }
            return identity.id
        }
        if let name = reason.referrer { cause.counterparty = .referrer(try known(name)) }
        if let name = reason.referree { cause.counterparty = .referree(try known(name)) }
        return cause
    }
}

extension Failure {
    static func noSuchTransaction(_ id: CreditTransaction.ID) -> Failure { .notFound("There is no transaction \(id).") }
}
