/// Why credits moved.
package struct CreditCause: Sendable {
    package enum Source: String, Sendable, CaseIterable {
        case rule, code
        /// The command line.
        case `operator`
        /// A customer's server, by the app's secret.
        case server
        /// An app, by its user's tokens.
        case sdk
        case reversal, expiry, merge
    }

    package let source: Source
    package var rule: RewardRule.ID?
    package var session: Session.ID?
    package var event: Event.ID?
    /// What happened: an event's name, `install` or `open`, or a server's own word.
    package var eventName: String?
    /// What is said of it: by a server, or with the event behind it.
    package var metadata: JSONObject?
    package var party: OtherParty?
    /// The transaction that this one undoes.
    package var undone: CreditTransaction.ID?

    package init(_ source: Source) {
        self.source = source
    }

    /// In bytes of JSON.
    package static let longestMetadata = 8192
}

/// Who else had a part in it.
package enum OtherParty: Sendable {
    /// Who brought the user.
    case referrer(Identity.ID)
    /// Whom the user brought.
    case referree(Identity.ID)
}
