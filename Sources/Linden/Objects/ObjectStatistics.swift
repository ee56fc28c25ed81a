import LindenKernel

/// The statistics of a piece of content.
package struct ObjectStatistics: Sendable, Equatable {
    package var views: Int64 = 0
    package var shares: Int64 = 0
    /// Clicks of links to the content, without robots and uncounted links.
    package var clicks: Int64 = 0
    package var purchases: Int64 = 0
    /// The revenue in the app's reporting currency.
    package var revenue = MoneySum()

    package init() {}

    /// About the number of bytes that an object's counters of a day take in the database.
    static let rowBytes = 100

    /// Purchases per view, rounded to four digits; nil without views.
    package var conversion: Double? {
        views > 0 ? (Double(purchases) / Double(views) * 10_000).rounded() / 10_000 : nil
    }
}

/// A measure by which content is ranked.
package enum ObjectMeasure: String, Sendable, CaseIterable {
    case views, shares, clicks, purchases, revenue
}

package protocol ObjectStatisticsReader {
    /// The daily counters plus the clicks that are not aggregated yet, so that the statistics are always up to date. One query reads these
    /// clicks for all objects.
    func statistics(of objects: [UniversalObject.ID], on days: ClosedRange<Int64>) throws -> [UniversalObject.ID: ObjectStatistics]
    /// The objects with the highest values of a measure, without those whose value is zero.
    func topObjects(
        of scope: Scope, by measure: ObjectMeasure, on days: ClosedRange<Int64>, limit: Int
    ) throws -> [(id: UniversalObject.ID, statistics: ObjectStatistics)]
}

package protocol ObjectStatisticsRepository: ObjectStatisticsReader {
    /// Adds to the counters of a day. Returns whether they are the object's first of that day, which take a new row.
    @discardableResult
    func count(_ statistics: ObjectStatistics, of object: UniversalObject.ID, on day: Int64) throws -> Bool
}

/// A read-write transaction, as far as the content of events needs it: content, its counters and rates of exchange.
package protocol ContentTransaction: ObjectTransaction, ObjectStatisticsRepository, RateReader {}

/// The content of events, stored and counted within a transaction.
struct ContentCounter {
    let transaction: any ContentTransaction

    /// Stores the content of an event and counts the event's action on each piece.
    ///
    /// - Parameters:
    ///   - isAuthenticated: whether the event was authenticated with the app's secret.
    ///   - named: the identifiers, as UTF-8, of pieces on which the event's action was counted before.
    /// - Returns: the number of bytes stored, and read to be compared.
    func count(
        _ event: Event, isAuthenticated: Bool, in currency: Currency, except named: Set<[UInt8]> = [],
        _ problems: inout [EventProblem]
    ) throws -> Int {
        let facts = event.facts
        let action = facts.standard?.contentAction
        var counted: [UniversalObject.ID: ObjectStatistics] = [:]
        var objects = ObjectMerger(transaction, in: event.scope, budget: EventFacts.mostKnownContent)
        for content in facts.content {
            let id = try objects.save(content.object, isAuthenticated: isAuthenticated)
            guard let action, !named.contains(Array(content.object.identifier.utf8)) else { continue }
            var statistics = counted[id] ?? ObjectStatistics()
            switch action {
            case .view: statistics.views = 1
            case .share: statistics.shares = 1
            case .purchase:
                statistics.purchases = 1
                statistics.revenue += MoneySum(try revenue(of: content, in: event, currency, &problems))
            }
            counted[id] = statistics
        }
        var bytes = 0
        for (id, statistics) in counted.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            let isNew = try transaction.count(statistics, of: id, on: event.id.time.day)
            if isNew { bytes += ObjectStatistics.rowBytes }
        }
        return try bytes + objects.write() + objects.read
    }

    /// The revenue of a piece of content: its price or, if it has none and is the event's only content, the event's revenue.
    private func revenue(
        of content: EventContent, in event: Event, _ currency: Currency, _ problems: inout [EventProblem]
    ) throws -> Money? {
        guard let value = content.value else { return event.facts.content.count == 1 ? event.revenue : nil }
        guard content.currency != nil || !event.facts.commerce.isCurrencyUnknown else { return nil }
        let own = content.currency ?? event.facts.commerce.currency ?? currency
        switch try transaction.converted(value, from: own, to: currency, on: transaction.now.day) {
        case .converted(let money): return money
        case .tooLarge: problems.note(.priceTooLarge)
        case .rateMissing: problems.note(.rateMissing)
        }
        return nil
    }
}
