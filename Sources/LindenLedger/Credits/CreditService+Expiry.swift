import Linden
import LindenKernel

/// The periodic taking back of expired credits, in transactions that each hold the writer for a short time.
extension CreditService {
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
