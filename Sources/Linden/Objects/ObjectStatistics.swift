/// What came of a piece of content.
package struct ObjectStatistics: Sendable, Equatable {
    package var views: Int64 = 0
    package var shares: Int64 = 0
    /// People's clicks of links about it.
    package var clicks: Int64 = 0
    package var purchases: Int64 = 0
    /// In the app's reporting currency.
    package var revenue = MoneySum()

    package init() {}

    /// Purchases per view, to four digits; nil if nobody has seen it.
    package var conversion: Double? {
        views > 0 ? (Double(purchases) / Double(views) * 10_000).rounded() / 10_000 : nil
    }
}

/// By what content is put in order.
package enum ObjectMeasure: String, Sendable, CaseIterable {
    case views, shares, clicks, purchases, revenue
}

package protocol ObjectStatisticsReader {
    /// The daily counters and the clicks that no fold has counted yet, which are read once for all objects, so always up to date.
    func statistics(of objects: [UniversalObject.ID], on days: ClosedRange<Int64>) throws -> [UniversalObject.ID: ObjectStatistics]
    /// The objects of which there is most, without those of which there is none.
    func topObjects(
        of scope: Scope, by measure: ObjectMeasure, on days: ClosedRange<Int64>, limit: Int
    ) throws -> [(id: UniversalObject.ID, statistics: ObjectStatistics)]
}

package protocol ObjectStatisticsRepository: ObjectStatisticsReader {
    /// Adds to the counters of a day.
    func count(_ statistics: ObjectStatistics, of object: UniversalObject.ID, on day: Int64) throws
}

extension Transaction {
    /// Saves the content that an event names and counts what it does with each.
    ///
    /// - Parameter isAuthenticated: whether the event came with the app's secret.
    /// - Returns: how many bytes were written over.
    func count(
        contentOf event: Event, isAuthenticated: Bool, in currency: Currency, _ problems: inout [EventProblem]
    ) throws -> Int {
        let facts = event.facts
        let action = facts.standard?.contentAction
        var counted: [UniversalObject.ID: ObjectStatistics] = [:]
        var objects = ObjectMerger(self, in: event.scope, budget: EventFacts.mostKnownContent)
        for content in facts.content {
            let id = try objects.save(content.object, isAuthenticated: isAuthenticated)
            guard let action else { continue }
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
        for (id, statistics) in counted.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            try count(statistics, of: id, on: event.id.time.day)
        }
        return try objects.write()
    }

    /// Its price; for content without one that was bought alone, all that the purchase earned.
    private func revenue(
        of content: EventContent, in event: Event, _ currency: Currency, _ problems: inout [EventProblem]
    ) throws -> Money? {
        guard let value = content.value else { return event.facts.content.count == 1 ? event.revenue : nil }
        guard content.currency != nil || !event.facts.commerce.isCurrencyUnknown else { return nil }
        let own = content.currency ?? event.facts.commerce.currency ?? currency
        guard let converted = try converted(value, from: own, to: currency, on: now.day) else {
            problems.note(.rateMissing)
            return nil
        }
        if converted == nil { problems.note(.priceTooLarge) }
        return converted
    }
}
