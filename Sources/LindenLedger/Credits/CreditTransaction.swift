import Linden
import LindenKernel

/// One movement of credits, with its cause. Immutable: an error is corrected by a reversing transaction.
package struct CreditTransaction: Sendable {
    package typealias ID = Identifier<CreditTransaction>

    /// The kind of a transaction, by Branch's numbers.
    package enum Kind: Int64, Sendable, CaseIterable {
        /// Earned by a rule or a code.
        case reward = 0
        /// Granted by the operator or a server.
        case grant = 1
        case redemption = 2
        /// Taken back because of fraud.
        case fraud = 3
        /// A correction: reconciled, reversed, expired or merged.
        case correction = 4

        package var name: String {
            switch self {
            case .reward: "reward"
            case .grant: "grant"
            case .redemption: "redemption"
            case .fraud: "fraud"
            case .correction: "correction"
            }
        }
    }

    package let id: ID
    package let scope: Scope
    package let kind: Kind
    package let cause: CreditCause

    package init(id: ID, scope: Scope, kind: Kind, cause: CreditCause) {
        self.id = id
        self.scope = scope
        self.kind = kind
        self.cause = cause
    }
}
