/// That an event is the one of its name and `transaction_id` which a user or, without one, a device reported, or those who name neither:
/// a report by another takes nothing from it.
package struct TransactionClaim: Sendable {
    package let transaction: String
    package let name: String
    /// The id of the user or device; 0 for none.
    package let claimant: Int64
    /// Whether the event came with the app's secret. Anyone can name a user, so such a claim takes over one without, unless both are of
    /// the same amount: then the app and its server report the same purchase.
    package let isAuthenticated: Bool
    /// In the app's reporting currency.
    package let revenue: Money?

    package init(transaction: String, name: String, claimant: Int64, isAuthenticated: Bool, revenue: Money?) {
        self.revenue = revenue
        self.transaction = transaction
        self.name = name
        self.claimant = claimant
        self.isAuthenticated = isAuthenticated
    }

    /// Nil for an event without a transaction.
    init?(_ event: Event, isAuthenticated: Bool) {
        guard let transaction = event.facts.commerce.transactionID else { return nil }
        self.init(
            transaction: transaction, name: event.name, claimant: event.identity?.rawValue ?? event.device?.rawValue ?? 0,
            isAuthenticated: isAuthenticated, revenue: event.revenue)
    }

    package enum Outcome: Sendable, Equatable {
        case taken
        /// From an event of another amount that came without the secret, which stays recorded.
        case takenOver
        /// An earlier event has it.
        case repeated(Event.ID)
    }
}
