import Linden
import LindenKernel
import LindenReporting

extension AnalyticsReply {
    private static let mostLines = 4

    /// The chart of the answer; nil if there is nothing to draw. The same figures are in the table below it.
    func figure(titled title: String) -> Figure? {
        switch rows {
        case .counts(let rows, let query) where query.granularity != .all: return lines(rows, query, title)
        case .counts(let rows, let query), .top(let rows, let query):
            let comparisons = comparisons
            return bars(
                title,
                rows.enumerated().map { index, row in
                    let value = Self.shown(row.figure, query.aggregation)
                    return BarChart.Bar(
                        label: name(row.values, query.dimensions), value: value, text: value.grouped,
                        previous: comparisons.map { Self.shown($0[index].previous, query.aggregation) })
                })
        case .funnels(let funnels, let dimension):
            guard dimension != nil || funnels.count > 1 else { return funnels.first.flatMap(steps) }
            return bars(
                "Installs with the event",
                funnels.map { funnel in
                    BarChart.Bar(
                        label: name([funnel.value], [dimension].compactMap { $0 }), value: funnel.converted,
                        text: "\(funnel.converted.grouped) of \(funnel.clicks.grouped)")
                })
        case .cohorts(let cohorts): return retention(cohorts)
        case .lifetimeValues(let values, let dimension):
            return bars(
                "Revenue per install",
                values.map { value in
                    let hundredths =
                        value.installs == 0 ? 0 : Int64(clamping: value.revenue.millionths / Int128(value.installs) / 10_000)
                    return BarChart.Bar(
                        label: name([value.value], [dimension]), value: hundredths, text: hundredths.asHundredths)
                })
        case .attribution(let summary):
            return bars(
                "Installs by attribution",
                AttributionSummary.Way.allCases.compactMap { way in
                    summary.counts[way].map { BarChart.Bar(label: way.rawValue, value: $0, text: $0.grouped) }
                })
        }
    }

    private func bars(_ title: String, _ bars: [BarChart.Bar]) -> Figure? {
        guard let first = bars.first else { return nil }
        let chart = BarChart(
            title: title, description: "\(bars.count) values. The first is \(first.label): \(first.text).", bars: bars)
        return Figure(svg: chart.svg, legend: chart.legend)
    }

    private func steps(of funnel: Funnel) -> Figure? {
        bars(
            "Funnel",
            [("Clicks", funnel.clicks), ("Installs", funnel.installs), ("Installs with the event", funnel.converted)].map {
                BarChart.Bar(label: $0.0, value: $0.1, text: $0.1.grouped)
            })
    }

    /// A line for each of the combinations of values with the highest sums.
    private func lines(_ rows: [AnalyticsAnswer.Row], _ query: AnalyticsQuery, _ title: String) -> Figure {
        let periods = query.span.periods(query.granularity)
        let indices = Dictionary(periods.enumerated().map { ($1.start, $0) }, uniquingKeysWith: { $1 })
        var values: [[String]: [Int64]] = [:]
        for row in rows {
            guard let index = indices[row.period.start] else { continue }
            values[row.values, default: Array(repeating: 0, count: periods.count)][index] += Self.shown(
                row.figure, query.aggregation)
        }
        let sorted = values.map { (values: $0.key, figures: $0.value, sum: $0.value.reduce(0, +)) }
            .sorted { $0.sum == $1.sum ? $0.values.lexicographicallyPrecedes($1.values) : $0.sum > $1.sum }
        let shown = sorted.prefix(Self.mostLines)
        let lines = shown.map { line in
            Chart.Line(
                name: query.dimensions.isEmpty
                    ? query.aggregation.rawValue.replacing("_", with: " ") : name(line.values, query.dimensions),
                values: line.figures)
        }
        let chart = Chart(
            title: title, description: "\(shown.count) of \(sorted.count) lines over \(periods.count) periods.",
            labels: periods.map { Self.label($0, query.granularity) },
            lines: lines + previousLine(of: shown.map(\.values), query, parts: periods.count))
        return Figure(svg: chart.svg, legend: chart.legend)
    }

    /// The line of the period before, if there is one line to compare it with: more would be too many.
    private func previousLine(of values: [[String]], _ query: AnalyticsQuery, parts: Int) -> [Chart.Line] {
        guard let previous, values.count == 1 else { return [] }
        let figures = (0..<parts).map { Self.shown(previous.figure(ofPart: $0, values[0]), query.aggregation) }
        return [Chart.Line(name: "the period before", values: figures, isPrevious: true)]
    }

    /// The share of all devices that were active on each day after their install.
    private func retention(_ cohorts: [Cohort]) -> Figure? {
        let days = cohorts.map(\.retained.count).max() ?? 0
        guard days > 0 else { return nil }
        let shares = (0..<days).map { day -> Int64 in
            let known = cohorts.filter { $0.retained.count > day }
            let (active, all) = (known.map { $0.retained[day] }.reduce(0, +), known.map(\.installs).reduce(0, +))
            return all == 0 ? 0 : (active * 100 + all / 2) / all
        }
        let chart = Chart(
            title: "Retention",
            description: "The percentage of devices that were active on each of \(days) days from their install on.",
            labels: (0..<days).map { "day \($0)" }, lines: [Chart.Line(name: "Active devices in percent", values: shares)])
        return Figure(svg: chart.svg, legend: chart.legend)
    }

    /// A figure as it is drawn; revenue, which is in millionths, in whole units.
    private static func shown(_ figure: Int128, _ aggregation: AnalyticsQuery.Aggregation) -> Int64 {
        Int64(clamping: aggregation == .revenue ? figure / 1_000_000 : figure)
    }

    private static func label(_ period: AnalyticsSpan, _ granularity: Granularity) -> String {
        let text = period.startText
        return granularity == .hour ? String(text.dropFirst(5).prefix(11)).replacing("T", with: " ") : String(text.prefix(10))
    }

    private func name(_ values: [String], _ dimensions: [Dimension]) -> String {
        guard !values.isEmpty else { return "all" }
        return zip(values, dimensions).map { value, dimension in
            let caption = dimension == .link ? links?[value] : nil
            return caption?.title ?? caption?.url ?? (value.isEmpty ? "(none)" : value)
        }.joined(separator: " / ")
    }
}
