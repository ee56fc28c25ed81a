import LindenKernel

/// The fields of an event that are aggregated, besides its name and user.
package struct EventFacts: Sendable, Equatable {
    package var kind: EventKind
    /// The standard event; nil for a custom one.
    package var standard: StandardEvent?
    package var commerce: Commerce
    /// The event's content, each piece once.
    package var content: [EventContent]
    package var problems: [EventProblem]

    package init(
        kind: EventKind = .custom, standard: StandardEvent? = nil, commerce: Commerce = Commerce(), content: [EventContent] = [],
        problems: [EventProblem] = []
    ) {
        self.kind = kind
        self.standard = standard
        self.commerce = commerce
        self.content = content
        self.problems = problems
    }

    /// The maximum number of pieces of content that are counted per event. The body contains all of them.
    package static let mostContent = 100

    /// The work of the event's content, in events without any: each piece is read, stored and counted.
    package var contentWork: Int { content.count / Self.contentPerWork }

    private static let contentPerWork = 5

    /// The maximum size of stored content data that one event may read and rewrite, about in bytes. Content above it is only counted. Data
    /// that the event repeats is not read.
    static let mostKnownContent = 32 << 10
}

/// The commerce fields of an event.
package struct Commerce: Sendable, Equatable {
    /// The revenue as it was sent, even if it is not a valid amount.
    package var revenueText: String?
    /// The revenue in its own currency.
    package var revenue: Money?
    /// The currency of the revenue; nil if none was sent, which means the app's.
    package var currency: Currency?
    /// Whether an unknown currency was sent.
    package var isCurrencyUnknown = false
    package var transactionID: String?

    package init() {}

    /// The maximum length of texts in bytes. Longer ones are only stored in the body.
    package static let longestText = 255
}

/// A piece of content of an event.
package struct EventContent: Sendable, Equatable {
    /// The description of the content, by the keys of the SDKs' Universal Object and the app's own.
    package var object: ObjectDescription
    /// The price times the quantity, in the content's own currency; nil if no price was sent.
    package var value: Money?
    package var currency: Currency?

    package init(_ object: ObjectDescription, value: Money? = nil, currency: Currency? = nil) {
        self.object = object
        self.value = value
        self.currency = currency
    }
}

/// The actions on content that are counted.
package enum ContentAction: Sendable {
    case view, share, purchase
}
