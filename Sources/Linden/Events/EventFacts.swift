/// What an event says, beyond its name and user, that is counted.
package struct EventFacts: Sendable, Equatable {
    package var kind: EventKind
    /// Nil for an event with a name of the app's own.
    package var standard: StandardEvent?
    package var commerce: Commerce
    /// The content it names, each once.
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

    /// The most pieces of content that are counted of one event; its body keeps them all.
    package static let mostContent = 100

    /// In bytes: what is known of the content of one event is read and written again so far; content beyond that is counted alone.
    static let mostKnownContent = 262_144
}

/// What an event earned.
package struct Commerce: Sendable, Equatable {
    /// As it was written, also where that is no amount.
    package var revenueText: String?
    /// In its own currency.
    package var revenue: Money?
    /// Nil where none was named: then the app's.
    package var currency: Currency?
    /// Whether one was named that is none.
    package var isCurrencyUnknown = false
    package var transactionID: String?

    package init() {}

    /// In bytes: longer ones are left to the body.
    package static let longestText = 255
}

/// A piece of content that an event names.
package struct EventContent: Sendable, Equatable {
    /// What is said of it, by the keys of the SDKs' Universal Object, the app's own among them.
    package var object: ObjectDescription
    /// Its price times its quantity, in its own currency; nil if it says no price.
    package var value: Money?
    package var currency: Currency?

    package init(_ object: ObjectDescription, value: Money? = nil, currency: Currency? = nil) {
        self.object = object
        self.value = value
        self.currency = currency
    }
}

/// What users do with content, as it is counted.
package enum ContentAction: Sendable {
    case view, share, purchase
}
