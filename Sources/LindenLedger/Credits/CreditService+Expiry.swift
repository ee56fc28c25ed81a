import Linden
import LindenKernel

/// The taking back of expired credits, in transactions that each hold the writer for a short time.
extension CreditService {
    /// Takes back the expired credits of accounts in transactions of their own, if there are too many for the transaction that is to take
    /// credits from them.
    func expireCredits(
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

    private static let batchesPerRound = 40

    /// Takes back expired credits in batches; the work per call is limited, so that other writers do not wait. To be called about once a
    /// second; stops if the task is cancelled. If some credits cannot be taken back, continues with the others, then fails with `conflict`.
    package func expire() async throws {
        var stuck: Set<CreditTransaction.ID> = []
        for _ in 0..<Self.batchesPerRound {
            let hasMore = try await storage.read { [stuck] reader in
                try reader.expiredCredits(of: nil, at: reader.now, limit: stuck.count + 1).contains { !stuck.contains($0.grant) }
            }
            guard !Task.isCancelled, hasMore else { break }
            stuck = try await storage.write { [stuck] transaction in
                try Ledger(transaction: transaction).expireCredits(limit: Ledger.expiredPerTransaction, except: stuck)
            }
        }
        guard stuck.isEmpty else {
            let ids = stuck.map(\.rawValue).sorted().prefix(10).map { String($0) }.joined(separator: ", ")
            throw Failure(
                .conflict, "Credits that ended cannot be taken back, since less is there. Given by: \(ids).")
        }
    }
}
