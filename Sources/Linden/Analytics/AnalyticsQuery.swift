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
        /// Empty for what has none.
        package let values: Set<String>
        package let isNegated: Bool

        package static let mostValues = 1000

        /// - Parameter name: a dimension; `!` before it turns the filter around.
        package init(_ name: String, _ values: [String]) throws {
            isNegated = name.hasPrefix("!")
            dimension = try Dimension(named: isNegated ? String(name.dropFirst()) : name)
            guard (1...Self.mostValues).contains(values.count) else {
                throw Failure.invalid("A filter must have 1 to \(Self.mostValues) values.")
            }
            self.values = Set(values)
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

        func admits(_ value: String) -> Bool { values.contains(value) != isNegated }
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
        self.filters = filters
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
        let named = Set(dimensions + filters.map(\.dimension)).subtracting([.name])
        guard let only = named.first else { return .some(nil) }
        return named.count == 1 ? .some(only) : nil
    }

    /// Whether it tells names of events apart.
    var isByName: Bool { dimensions.contains(.name) || filters.contains { $0.dimension == .name } }

    func admits(_ value: (Dimension) -> String) -> Bool {
        filters.allSatisfy { $0.admits(value($0.dimension)) }
    }

    /// The only event that is asked for, if it is one.
    var eventName: String? {
        let names = filters.first { $0.dimension == .name && !$0.isNegated }?.values
        return names?.count == 1 ? names?.first : nil
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
    /// Set if the question had to be answered from rows that are kept from then on only.
    package let rowsKeptSince: Timestamp?

    package static let nothing = AnalyticsAnswer(rows: [], totalRows: 0, hasMore: false, isEstimated: false, rowsKeptSince: nil)
}
