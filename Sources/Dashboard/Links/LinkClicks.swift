import LindenKernel
import LindenReporting

/// The clicks of one link by people on each of the last 30 days, and the 30 days before.
struct LinkClicks: Sendable {
    static let days = 30

    /// The days in order, counted since 1970 in UTC, of both periods.
    private let daily: [(day: Int64, clicks: Int64)]

    /// What happened to the link, newest first.
    private let events: [Chart.Event]

    init(_ daily: [(day: Int64, clicks: Int64)], events: [Chart.Event] = []) {
        self.daily = daily
        self.events = events
    }

    private var current: [Int64] { daily.suffix(Self.days).map(\.clicks) }
    private var previous: [Int64] { daily.dropLast(Self.days).suffix(Self.days).map(\.clicks) }
    var sum: Int64 { current.reduce(0, +) }
    var previousSum: Int64 { previous.reduce(0, +) }

    /// The chart with its figures as a table, and the sums; empty for a link without clicks in both periods.
    var blocks: [Block] {
        guard sum + previousSum > 0 else { return [] }
        let dates = daily.suffix(Self.days).map { String(Timestamp(hour: $0.day * 24).iso8601.prefix(10)) }
        let title = "Clicks by day"
        let first = daily.suffix(Self.days).first?.day ?? 0
        let marks = Chart.marks(of: events) { time in
            let index = Int(time.day - first)
            return dates.indices.contains(index) ? index : nil
        }
        let chart = Chart(
            title: title,
            description:
                "\(sum == 1 ? "1 click" : sum.grouped + " clicks") in the last \(Self.days) days, \(previousSum.grouped) in the \(Self.days) days before.",
            labels: dates.map(\.shortDay),
            lines: [
                Chart.Line(name: "Clicks, last \(Self.days) days", values: current),
                Chart.Line(name: "\(Self.days) days before", values: previous, isPrevious: true),
            ], marks: marks)
        let rows = zip(dates, zip(current, previous)).map { date, clicks in
            [Cell(date), Cell.number(clicks.0), Cell.number(clicks.1)]
        }
        let columns: [Table.Column] = [
            .init(columnLabel: "Day"), .init(columnLabel: "Clicks", isNumber: true),
            .init(columnLabel: "\(Self.days) days before", isNumber: true),
        ]
        let change = PeriodComparison(sum, after: previousSum).change.map { ": \($0)" } ?? ""
        return [
            .heading("The last \(Self.days) days"),
            .paragraph(
                "\(sum == 1 ? "1 click" : sum.grouped + " clicks") by people, after \(previousSum.grouped) in the \(Self.days) days before\(change). "
                    + "Days are in UTC, and today is not over."),
            Block(figure: Figure(svg: chart.svg, legend: chart.legend, figureTable: Table(title, columns, rows))),
        ]
    }
}
