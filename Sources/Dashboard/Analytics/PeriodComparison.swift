import LindenKernel
import LindenReporting

/// A figure beside that of the period before.
struct PeriodComparison: Sendable {
    let current: Int128
    let previous: Int128

    /// The change, such as `+12 %`; nil if there is nothing to compare with.
    var change: String? {
        guard previous > 0 else { return nil }
        let percent = (Double(current - previous) / Double(previous) * 100).rounded()
        let shown = Int64(nearest: max(-Self.mostShown, min(percent, Self.mostShown))).grouped
        return percent > 0 ? "+\(shown) %" : "\(shown) %"
    }

    private static let mostShown = 1e15
}

extension PeriodComparison {
    init(_ current: Int64, after previous: Int64) {
        self.init(current: Int128(current), previous: Int128(previous))
    }
}

extension AnalyticsReply {
    /// The comparison of each row with the period before, in the order of the rows; nil for questions without one.
    var comparisons: [PeriodComparison]? {
        guard let previous, let (rows, query) = countedRows else { return nil }
        let parts = Dictionary(
            query.span.periods(query.granularity).enumerated().map { ($1.start, $0) }, uniquingKeysWith: { first, _ in first })
        return rows.map { row in
            PeriodComparison(
                current: row.figure, previous: previous.figure(ofPart: parts[row.period.start] ?? 0, row.values))
        }
    }

    /// The rows of counts or of a top list with their query.
    var countedRows: (rows: [AnalyticsAnswer.Row], query: AnalyticsQuery)? {
        switch rows {
        case .counts(let rows, let query), .top(let rows, let query): (rows, query)
        default: nil
        }
    }
}

extension Table {
    /// Adds the figure of the period before and the change to each row.
    mutating func add(_ comparisons: [PeriodComparison], of aggregation: AnalyticsQuery.Aggregation) {
        columns += [Column(columnLabel: "Period before", isNumber: true), Column(columnLabel: "Change", isNumber: true)]
        rows = zip(rows, comparisons).map { row, comparison in
            let figure = aggregation.json(comparison.previous)
            let cell = aggregation == .revenue ? Cell.amount(figure) : figure.int64.map(Cell.number) ?? .figure("")
            return Row(cells: row.cells + [cell, .figure(comparison.change ?? "")])
        }
    }
}
