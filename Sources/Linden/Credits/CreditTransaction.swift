/// One movement of credits, with its cause. Never changed: what was wrong is undone by a further one.
package struct CreditTransaction: Sendable {
    package typealias ID = Identifier<CreditTransaction>

    /// As Branch numbers them.
    package enum Kind: Int64, Sendable, CaseIterable {
        /// Earned by a rule or a code.
        case reward = 0
        /// Given by somebody.
        case grant = 1
        case redemption = 2
        /// Taken back as fraud.
        case fraud = 3
        /// Set right: reconciled, undone, expired or moved.
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
