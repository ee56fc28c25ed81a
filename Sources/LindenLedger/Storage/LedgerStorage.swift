import Linden
import LindenKernel

/// The database, as credits and rewards see it. The rules of `Storage` apply.
package protocol LedgerStorage: Sendable {
    func read<Value: Sendable>(_ body: @escaping @Sendable (any LedgerReader) throws -> Value) async throws -> Value
    func write<Value: Sendable>(_ body: @escaping @Sendable (any LedgerTransaction) throws -> Value) async throws -> Value
}

/// A consistent view of the data, with credits and rewards.
package protocol LedgerReader: Reader, CreditReader, RewardReader, HeldRewardReader, RewardSourceReader, AccountReader,
    ReferralCodeRuleReader
{}

/// A read-write transaction, with credits and rewards. Each routine takes the smallest of these protocols that it needs.
package protocol LedgerTransaction: Transaction, LedgerReader, CallTransaction, AccountTransaction, RewardTransaction,
    ReferralCodeRepository
{}
