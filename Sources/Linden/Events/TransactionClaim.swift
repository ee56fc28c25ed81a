import LindenKernel

/// The uniqueness key of an event: its name, its `transaction_id`, and its user or, without one, its device. A report by another user or
/// device has another key, so that it cannot take this one; reports with neither share one.
package struct TransactionClaim: Sendable {
    package let transaction: String
    package let name: String
    /// The id of the user or device; 0 if there is neither.
    package let claimant: Int64
    /// Whether the event was authenticated with the app's secret. Any caller can name any user, so an authenticated claim takes over an
    /// unauthenticated one, unless both have the same amount: then the app and its server report the same purchase.
    package let isAuthenticated: Bool
    /// The event's revenue in the app's reporting currency.
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
        /// The claim was taken over from an unauthenticated event with another amount, which stays recorded.
        case takenOver
        /// The claim stays with an unauthenticated event of the same amount, which the authenticated report confirms and completes.
        case confirmed(Event.ID)
        /// An earlier event has the claim.
        case repeated(Event.ID)
    }
}
