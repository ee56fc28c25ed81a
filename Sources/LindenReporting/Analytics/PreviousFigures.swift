import Linden
import LindenKernel

/// The figures of the period before that of a query, of the same length, by the number of the part of the period and by values.
package struct PreviousFigures: Sendable {
    private struct Key: Hashable {
        let part: Int
        let values: GroupValues
    }

    package let span: AnalyticsSpan
    private let figures: [Key: Int128]

    /// - Parameter query: the query that was answered by the rows: ``AnalyticsQuery/aboutPreviousPeriod``.
    init(_ rows: [AnalyticsAnswer.Row], of query: AnalyticsQuery) {
        span = query.span
        let parts = Dictionary(
            query.span.periods(query.granularity).enumerated().map { ($1.start, $0) }, uniquingKeysWith: { first, _ in first })
        figures = Dictionary(
            rows.compactMap { row in parts[row.period.start].map { (Key(part: $0, values: GroupValues(row.values)), row.figure) } },
            uniquingKeysWith: +)
    }

    /// Returns the figure of a part of the period, such as its third day; 0 if nothing was recorded.
    package func figure(ofPart part: Int, _ values: [String]) -> Int128 {
        figures[Key(part: part, values: GroupValues(values))] ?? 0
    }
}

extension AnalyticsQuery {
    /// The query for all rows of the period before, of the same length.
    package var aboutPreviousPeriod: AnalyticsQuery {
        var query = self
        query.span = span.previous
        query.fillsZeros = false
        query.offset = 0
        query.limit = Self.mostRows
        return query
    }
}
