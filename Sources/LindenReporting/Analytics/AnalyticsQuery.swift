import Linden
import LindenKernel

/// A query for counts of devices, counts of records or revenue, by dimensions and periods.
package struct AnalyticsQuery: Sendable {
    package enum Aggregation: String, Sendable, CaseIterable {
        case totalCount = "total_count"
        /// The number of distinct devices. Exact within a day; for longer periods with many devices an estimate, see ``DeviceSketch``.
        case uniqueCount = "unique_count"
        /// Revenue in millionths of the reporting currency.
        case revenue
        /// The cost of advertising; ``localCost`` is in the reporter's own currency. Branch counts both; nothing reports costs to Linden.
        case cost
        case localCost = "cost_in_local_currency"

        var isCounted: Bool { self != .cost && self != .localCost }

        /// Returns a figure as a JSON number: a whole number, or an amount of money such as `12.5`.
        package func json(_ figure: Int128) -> JSON { self == .revenue ? .millionths(figure) : .integer(Int64(clamping: figure)) }

        /// Reads the name of an aggregation. Fails with `invalid` for an unknown one.
        package init(named name: String) throws {
            guard let aggregation = Aggregation(rawValue: name == "cost-in-local-currency" ? "cost_in_local_currency" : name) else {
                let allowed = Self.allCases.map(\.rawValue).joined(separator: ", ")
                throw Failure.invalid("\(name) is not an aggregation. The aggregations are \(allowed).", at: "aggregation")
            }
            self = aggregation
        }
    }

    /// A condition on the value of one dimension.
    package struct Filter: Sendable {
        package let dimension: Dimension
        /// The values to match, by their bytes; an empty text matches records without a value. Names of events are in the form of
        /// ``EventName``.
        fileprivate let listed: Set<BytewiseText>
        package let isNegated: Bool

        package var values: Set<String> { Set(listed.map(\.text)) }

        package static let mostValues = 1000

        /// - Parameter name: the name of a dimension; a leading `!` negates the filter.
        package init(_ name: String, _ values: [String]) throws {
            let isNegated = name.hasPrefix("!")
            let dimension: Dimension
            do {
                dimension = try Dimension(named: isNegated ? String(name.dropFirst()) : name)
            } catch let failure as Failure {
                throw failure.at("filter")
            }
            try self.init(dimension, values, isNegated: isNegated)
        }

        package init(_ dimension: Dimension, _ values: [String], isNegated: Bool) throws {
            guard (1...Self.mostValues).contains(values.count) else {
                throw Failure.invalid("A filter must have 1 to \(Self.mostValues) values.", at: "filter")
            }
            self.isNegated = isNegated
            if dimension == .column("days_from_last_attributed_touch_to_event"), values.allSatisfy({ ["", "null"].contains($0) }) {
                // Branch's documentation selects attributed records this way: no time since a touch means that there was no touch.
                self.dimension = .attributed
                listed = [BytewiseText("false")]
            } else {
                self.dimension = dimension
                listed = Set(values.map { BytewiseText(dimension == .name ? EventName($0).text : $0) })
            }
        }

        /// Reads `channel=mail,sms` or `!channel=mail`.
        package init(_ text: String) throws {
            guard let equals = text.firstIndex(of: "="), equals != text.startIndex else {
                throw Failure.invalid(
                    "A filter must be dimension=value,value, or !dimension=value,value for all other values.", at: "filter")
            }
            let name = text[..<equals]
            // `channel!=mail` is an alternative form.
            let isTurned = name.last == "!"
            try self.init(
                isTurned ? "!" + name.dropLast() : String(name),
                text[text.index(after: equals)...].split(separator: ",", omittingEmptySubsequences: false).map(String.init))
        }

        /// The filter that admits what this one does not.
        package var negated: Filter { Filter(dimension: dimension, listed: listed, isNegated: !isNegated) }

        private init(dimension: Dimension, listed: Set<BytewiseText>, isNegated: Bool) {
            (self.dimension, self.listed, self.isNegated) = (dimension, listed, isNegated)
        }

        func admits(_ value: String) -> Bool { lists(value) != isNegated }

        /// Returns whether a row with several values passes: one listed value suffices to pass a filter, and to fail a negated one.
        func admits(anyOf several: [String]) -> Bool { several.contains(where: lists) != isNegated }

        /// Whether every row passes, because the filter excludes only values that no row can have.
        var isVacuous: Bool { isNegated && !listed.contains { dimension.mayBe($0.text) } }

        private func lists(_ value: String) -> Bool {
            listed.contains(BytewiseText(dimension == .name ? EventName(value).text : value))
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
    /// The order within each period: by figure unless ``orderedBy`` names a dimension.
    package var order: Order
    package var orderedBy: Dimension?
    /// Whether the latest period comes first.
    package var isLatestFirst = false
    /// The moment from which on rows are ignored, so that a later evaluation returns the same answer; nil for no such limit.
    package var asOf: Timestamp?
    /// Whether the answer includes empty periods, and in each period every combination of values that occurs in any of them.
    package var fillsZeros: Bool
    /// The maximum number of rows in each period.
    package var limit: Int
    package var offset: Int

    package static let mostFilters = 20
    /// The most dimensions: each row has a text for each of them.
    package static let mostDimensions = 16
    /// The maximum number of rows of an answer, over all periods.
    package static let mostRows = 50_000
    /// The maximum number of rows on all pages, including those that are zero.
    package static let mostGroups = 200_000
    package static let mostSkipped = 1_000_000
    package static let mostPeriods = 2000

    /// Fails with `invalid` if a limit is exceeded, a dimension is repeated, or `orderedBy` is not one of the dimensions.
    package init(
        scope: Scope, topics: [Topic], span: AnalyticsSpan, dimensions: [Dimension] = [], filters: [Filter] = [],
        aggregation: Aggregation = .totalCount, granularity: Granularity = .all, order: Order = .descending,
        orderedBy: Dimension? = nil, fillsZeros: Bool = false, limit: Int = 100, offset: Int = 0
    ) throws {
        guard (1...Self.mostRows).contains(limit) else { throw Failure.invalid("limit must be from 1 to \(Self.mostRows).") }
        guard (0...Self.mostSkipped).contains(offset) else {
            throw Failure.invalid("after must be from 0 to \(Self.mostSkipped).")
        }
        guard filters.count <= Self.mostFilters else { throw Failure.invalid("At most \(Self.mostFilters) filters are allowed.") }
        guard dimensions.count <= Self.mostDimensions else {
            throw Failure.invalid("At most \(Self.mostDimensions) dimensions are allowed.", at: "by")
        }
        guard Set(dimensions).count == dimensions.count else {
            throw Failure.invalid("Each dimension may be named once.", at: "by")
        }
        if let orderedBy, !dimensions.contains(orderedBy) {
            throw Failure.invalid("Rows can be ordered by the aggregation or by one of the requested dimensions.")
        }
        let hours = (span.end.milliseconds - span.start.milliseconds) / Timestamp.millisecondsPerHour
        guard granularity != .hour || hours <= Self.mostPeriods else {
            throw Failure.invalid(
                "With granularity hour, the span may have at most \(Self.mostPeriods / 24) days: use granularity day, or a shorter span.",
                at: "granularity")
        }
        self.scope = scope
        // Each counts once, also if it is named again.
        self.topics = topics.reduce(into: []) { known, topic in if !known.contains(topic) { known.append(topic) } }
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

    func admits(_ value: (Dimension) -> String) -> Bool {
        filters.allSatisfy { $0.admits(value($0.dimension)) }
    }

    /// The only event name that the query selects, if all its topics are events named by apps; otherwise nil.
    var eventName: EventName? {
        guard topics.allSatisfy({ $0.builtInName == nil }) else { return nil }
        let names = filters.first { $0.dimension == .name && !$0.isNegated }?.listed
        return names?.count == 1 ? names?.first.map { EventName($0.text) } : nil
    }

    /// The names in the filters that are not built in, but chosen by apps for their events.
    var filteredNames: [String] {
        let names = Set(filters.filter { $0.dimension == .name }.flatMap(\.values))
        return names.subtracting(Topic.allCases.compactMap(\.builtInName) + [""]).sorted()
    }
}

/// The answer to an ``AnalyticsQuery``.
package struct AnalyticsAnswer: Sendable {
    package struct Row: Sendable, Equatable {
        package let period: AnalyticsSpan
        /// One value for each dimension of the query; empty for none.
        package let values: [String]
        /// A count, or revenue in millionths.
        package let figure: Int128

        package init(period: AnalyticsSpan, values: [String], figure: Int128) {
            self.period = period
            self.values = values
            self.figure = figure
        }
    }

    package let rows: [Row]
    /// The number of rows on all pages.
    package let totalRows: Int
    /// Whether more rows follow.
    package let hasMore: Bool
    /// Whether figures are estimates, as counts of devices over several days may be.
    package let isEstimated: Bool
    /// The rows that are missing from the figures that had to be counted from rows.
    package let missing: MissingRows
}
