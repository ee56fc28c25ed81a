/// A question about what happened.
package struct AnalyticsQuery: Sendable {
    package enum Aggregation: String, Sendable, CaseIterable {
        case totalCount = "total_count"
        /// Of devices. Exact within a day, and estimated for a longer time with many of them, see ``DeviceSketch``.
        case uniqueCount = "unique_count"
        /// In millionths of the reporting currency.
        case revenue
        /// What advertising costs, here and in the currency of who reports it. Branch counts it; nothing reports it to Linden.
        case cost
        case localCost = "cost_in_local_currency"

        var isCounted: Bool { self != .cost && self != .localCost }

        /// Fails with `invalid`.
        package init(named name: String) throws {
            guard let aggregation = Aggregation(rawValue: name == "cost-in-local-currency" ? "cost_in_local_currency" : name) else {
                let allowed = Self.allCases.map(\.rawValue).joined(separator: ", ")
                throw Failure.invalid("\(name) is no aggregation; there are \(allowed).")
            }
            self = aggregation
        }
    }

    /// What a dimension must have.
    package struct Filter: Sendable {
        package let dimension: Dimension
        /// Empty for what has none. Names of events as ``EventName`` has them.
        package let values: Set<String>
        package let isNegated: Bool

        package static let mostValues = 1000

        /// - Parameter name: a dimension; `!` before it negates the filter.
        package init(_ name: String, _ values: [String]) throws {
            let isNegated = name.hasPrefix("!")
            try self.init(Dimension(named: isNegated ? String(name.dropFirst()) : name), values, isNegated: isNegated)
        }

        package init(_ dimension: Dimension, _ values: [String], isNegated: Bool) throws {
            guard (1...Self.mostValues).contains(values.count) else {
                throw Failure.invalid("A filter must have 1 to \(Self.mostValues) values.")
            }
            self.isNegated = isNegated
            if dimension == .column("days_from_last_attributed_touch_to_event"), values.allSatisfy({ ["", "null"].contains($0) }) {
                // No time since a touch means that there was none: the way Branch's recipes ask for what is attributed.
                self.dimension = .attributed
                self.values = ["false"]
            } else {
                self.dimension = dimension
                self.values = dimension == .name ? Set(values.map { EventName($0).text }) : Set(values)
            }
        }

        /// Reads `channel=mail,sms` or `!channel=mail`.
        package init(_ text: String) throws {
            guard let equals = text.firstIndex(of: "="), equals != text.startIndex else {
                throw Failure.invalid("A filter must read dimension=value,value, with ! before it to turn it around.")
            }
            let name = text[..<equals]
            // `channel!=mail` says the same.
            let isTurned = name.last == "!"
            try self.init(
                isTurned ? "!" + name.dropLast() : String(name),
                text[text.index(after: equals)...].split(separator: ",", omittingEmptySubsequences: false).map(String.init))
        }

        func admits(_ value: String) -> Bool { lists(value) != isNegated }

        /// Whether a row with several values passes: one of them is enough for the filter, and to be refused by a negated one.
        func admits(anyOf several: [String]) -> Bool { several.contains(where: lists) != isNegated }

        /// Whether every row passes, because it excludes values that none has.
        var isVacuous: Bool { isNegated && !values.contains(where: dimension.mayBe) }

        private func lists(_ value: String) -> Bool {
            values.contains(dimension == .name ? EventName(value).text : value)
        }
    }

    package enum Order: String, Sendable {
        case ascending, descending
    }

    package var scope: Scope
    package var topics: [Topic]
    package var span: AnalyticsSpan
    package var dimensions: [Dimension]
    package var filters: [Filter]
    package var aggregation: Aggregation
    package var granularity: Granularity
    /// Within each period; by the figure unless ``orderedBy`` says otherwise.
    package var order: Order
    package var orderedBy: Dimension?
    /// Whether the latest period comes first.
    package var isLatestFirst = false
    /// The moment from which on rows do not count, so that the answer is the same whenever it is read; nil to count all there are.
    package var asOf: Timestamp?
    /// Periods without anything are there too, and so is each combination of values that any period has.
    package var fillsZeros: Bool
    /// Of the rows of each period.
    package var limit: Int
    package var offset: Int

    package static let mostRows = 50_000
    package static let mostSkipped = 1_000_000
    package static let mostPeriods = 2000

    /// Fails with `invalid` for a question that is too large.
    package init(
        scope: Scope, topics: [Topic], span: AnalyticsSpan, dimensions: [Dimension] = [], filters: [Filter] = [],
        aggregation: Aggregation = .totalCount, granularity: Granularity = .all, order: Order = .descending,
        orderedBy: Dimension? = nil, fillsZeros: Bool = false, limit: Int = 100, offset: Int = 0
    ) throws {
        guard (1...Self.mostRows).contains(limit) else { throw Failure.invalid("limit must be from 1 to \(Self.mostRows).") }
        guard (0...Self.mostSkipped).contains(offset) else {
            throw Failure.invalid("after must be from 0 to \(Self.mostSkipped).")
        }
        guard Set(dimensions).count == dimensions.count else { throw Failure.invalid("Each dimension may be named once.") }
        if let orderedBy, !dimensions.contains(orderedBy) {
            throw Failure.invalid("Rows are ordered by the aggregation or by one of the dimensions that are asked for.")
        }
        let hours = (span.end.milliseconds - span.start.milliseconds) / Timestamp.millisecondsPerHour
        guard granularity != .hour || hours <= Self.mostPeriods else {
            throw Failure.invalid("By the hour, the span may have at most \(Self.mostPeriods / 24) days.")
        }
        self.scope = scope
        self.topics = topics
        self.span = span
        self.dimensions = dimensions
        self.filters = filters.filter { !$0.isVacuous }
        self.aggregation = aggregation
        self.granularity = granularity
        self.order = order
        self.orderedBy = orderedBy
        self.fillsZeros = fillsZeros
        self.limit = limit
        self.offset = offset
    }

    /// The dimension of the counters that can answer this, nil within for those of everything; nil if none can.
    var counted: Dimension?? {
        let counters = Set(dimensions + filters.map(\.dimension)).subtracting([.name]).map(\.counter)
        guard let counter = counters.first else { return .some(nil) }
        return counter != nil && counters.allSatisfy { $0 == counter } ? .some(counter) : nil
    }

    /// The label that the question asks for beside whether anything is credited, and nothing else but names of events; nil if it does not.
    var countedLabelBesideAttribution: Dimension? {
        let asked = Set(dimensions + filters.map(\.dimension)).subtracting([.name])
        guard asked.count == 2, asked.contains(.attributed) else { return nil }
        return asked.first { [.channel, .campaign, .feature].contains($0) }
    }

    /// Whether it tells names of events apart.
    var isByName: Bool { dimensions.contains(.name) || filters.contains { $0.dimension == .name } }

    func admits(_ value: (Dimension) -> String) -> Bool {
        filters.allSatisfy { $0.admits(value($0.dimension)) }
    }

    /// The only event that is asked for, if it is one that apps name.
    var eventName: EventName? {
        guard topics.allSatisfy({ $0.builtInName == nil }) else { return nil }
        let names = filters.first { $0.dimension == .name && !$0.isNegated }?.values
        return names?.count == 1 ? names?.first.map { EventName($0) } : nil
    }

    /// The names in the filters that apps give to events.
    var filteredNames: [String] {
        let names = Set(filters.filter { $0.dimension == .name }.flatMap(\.values))
        return names.subtracting(Topic.allCases.compactMap(\.builtInName) + [""]).sorted()
    }
}

/// What a question is answered with.
package struct AnalyticsAnswer: Sendable {
    package struct Row: Sendable, Equatable {
        /// The period that it is about.
        package let period: AnalyticsSpan
        /// One for each dimension that was asked for; empty for none.
        package let values: [String]
        /// Revenue in millionths.
        package let figure: Int128
    }

    package let rows: [Row]
    /// How many rows there are on all pages.
    package let totalRows: Int
    /// Whether there are rows after these.
    package let hasMore: Bool
    /// Whether figures are estimates: counts of devices over several days.
    package let isEstimated: Bool
    /// What the rows lack that the question had to be answered from.
    package let missing: MissingRows
}
