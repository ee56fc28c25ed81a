import Linden
import LindenKernel

/// The stored cause of a movement of credits.
package struct CreditCause: Sendable {
    package enum Source: String, Sendable, CaseIterable {
        case rule, code
        /// The command line.
        case `operator`
        /// A customer's server, with the app's secret.
        case server
        /// An app, with its user's tokens.
        case sdk
        case reversal, expiry, merge
    }

    package let source: Source
    package var rule: RewardRule.ID?
    package var session: Session.ID?
    package var event: Event.ID?
    /// The name of the cause: an event's name, `install` or `open`, or a name chosen by a server.
    package var eventName: String?
    /// Metadata of the cause, from a server or from the rewarded event.
    package var metadata: JSONObject?
    package var counterparty: Counterparty?
    /// The transaction that this one reverses.
    package var undone: CreditTransaction.ID?

    package init(_ source: Source) {
        self.source = source
    }

    /// The maximum size of the metadata that a server gives, see ``MemberSizes``.
    package static let longestMetadata = 8192
    /// That of an event's: anyone who has the app may report it, and each page of a history reads that of many.
    static let longestEventMetadata = 2048
}

/// The counterparty of a movement: another identity involved in its cause.
package enum Counterparty: Sendable {
    /// The identity that referred the account's owner.
    case referrer(Identity.ID)
    /// The identity that the account's owner referred.
    case referree(Identity.ID)
}
