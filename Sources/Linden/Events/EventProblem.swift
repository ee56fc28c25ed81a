import LindenKernel

/// A problem with an event. The event is recorded nevertheless, because a released app cannot be fixed.
package enum EventProblem: String, Sendable, CaseIterable {
    case nameMissing = "name.missing"
    case nameUnknown = "name.unknown"
    case nameTooLong = "name.too_long"
    case userMissing = "user.missing"
    case dataMalformed = "data.malformed"
    case contentMalformed = "content_items.malformed"
    case contentMissing = "content_items.missing"
    case contentTooMuch = "content_items.too_many"
    case priceMalformed = "price.malformed"
    case priceTooLarge = "price.too_large"
    case revenueMalformed = "revenue.malformed"
    case revenueTooLarge = "revenue.too_large"
    case revenueMissing = "revenue.missing"
    case currencyUnknown = "currency.unknown"
    case currencyMissing = "currency.missing"
    case rateMissing = "rate.missing"
    case amountMalformed = "amount.malformed"
    case transactionTooLong = "transaction_id.too_long"
    case transactionRepeated = "transaction_id.repeated"
    case transactionTakenOver = "transaction_id.taken_over"
    case searchMissing = "search_query.missing"
    case adTypeUnknown = "ad_type.unknown"

    /// A description of the problem, the allowed values and the consequence.
    package var message: String {
        switch self {
        case .nameMissing: "name is missing; the event is recorded under the name of its call or as unnamed."
        case .nameUnknown: "name is none of the standard events; it is recorded as a custom event."
        case .nameTooLong: "name may have at most \(Event.longestName) bytes; the event is recorded under so much of it."
        case .userMissing:
            "The event has no id of a user or device (developer_identity, a device token, idfa, idfv, aaid, android_id or "
                + "browser_fingerprint_id); it is recorded without either."
        case .dataMalformed: "event_data, custom_data and commerce_data must be objects; what is in another form is only kept."
        case .contentMalformed:
            "content_items must be an array of objects, each with a $canonical_identifier of at most "
                + "\(UniversalObject.longestIdentifier) bytes; others are only kept."
        case .contentMissing: "content_items is missing, so no content counts as seen."
        case .contentTooMuch: "Only the first \(EventFacts.mostContent) content_items are counted."
        case .priceMalformed: "$price and $quantity must be numbers such as 2.5; the content counts without a price."
        case .priceTooLarge:
            "$price, $quantity and $price times $quantity may be at most \(Money.largest.text), in its own currency and the app's; the "
                + "content counts without a price."
        case .revenueMalformed: "revenue must be a number such as 12.5; it is kept as text and not counted."
        case .revenueTooLarge:
            "revenue may be at most \(Money.largest.text), in its own currency and the app's; it is kept and not counted."
        case .revenueMissing: "revenue is missing, so the purchase earns nothing."
        case .currencyUnknown: "currency must be a code of ISO 4217 such as EUR; the amount is kept as text and not counted."
        case .currencyMissing: "currency is missing; the revenue is taken to be in the app's."
        case .rateMissing:
            "No rate is known from its currency to the app's, so the amount is not counted."
        case .amountMalformed: "shipping and tax must be numbers such as 2.5; they are only kept."
        case .transactionTooLong: "transaction_id may have at most \(Commerce.longestText) bytes; it is only kept."
        case .transactionRepeated:
            "An event of this name and transaction_id was recorded for its user or device before, so this one is not; what the "
                + "first report with the secret says is kept with the event (events.unique_transactions)."
        case .transactionTakenOver:
            "It came with the secret after one of its name, transaction_id and user, but of another amount, that came without; both are "
                + "recorded (events.unique_transactions). Report the same amount everywhere, or report transactions from one place."
        case .searchMissing: "search_query is missing, so the search is counted without its text."
        case .adTypeUnknown: "ad_type must be BANNER, INTERSTITIAL, REWARDED_VIDEO or NATIVE; it is only kept."
        }
    }
}

extension [EventProblem] {
    /// Adds a problem unless it is contained already.
    mutating func note(_ problem: EventProblem) {
        if !contains(problem) { append(problem) }
    }
}

/// The number of events of an app with a problem.
package struct EventProblemCount: Sendable {
    package let problem: EventProblem
    /// The standard event; nil for custom ones.
    package let name: StandardEvent?
    package let events: Int64
    package let lastAt: Timestamp

    package init(problem: EventProblem, name: StandardEvent?, events: Int64, lastAt: Timestamp) {
        self.problem = problem
        self.name = name
        self.events = events
        self.lastAt = lastAt
    }

    /// The problem as a finding of the doctor.
    package func finding(on app: App) -> Finding {
        let what = [name?.rawValue, events == 1 ? "event" : "events"].compactMap { $0 }.joined(separator: " ")
        return Finding(
            "events." + problem.rawValue, .warning, "\(events) \(what), the last at \(lastAt.iso8601): \(problem.message)",
            remedy: problem == .rateMissing ? Remedy("To import rates", .importRates) : nil, app: app.id)
    }
}
