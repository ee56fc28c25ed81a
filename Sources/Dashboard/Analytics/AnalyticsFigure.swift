import Linden
import LindenKernel
import LindenReporting

extension AnalyticsReply {
    private static let mostLines = 4

    /// The chart of the answer; nil if there is nothing to draw. The same figures are in the table below it.
    ///
    /// - Parameter stacks: whether lines stand on one another, if their figures can be added.
    func figure(titled title: String, stacks: Bool = false) -> Figure? {
        switch rows {
        case .counts(let rows, let query) where query.granularity != .all: return lines(rows, query, title, stacks: stacks)
        case .counts(let rows, let query), .top(let rows, let query):
            let comparisons = comparisons
            return bars(
                title, of: rows.count,
                rows.prefix(BarChart.mostBars).enumerated().map { index, row in
                    let value = Self.shown(row.figure, query.aggregation)
                    return BarChart.Bar(
                        label: name(row.values, query.dimensions), value: value, text: value.grouped,
                        previous: comparisons.map { Self.shown($0[index].previous, query.aggregation) })
                })
        case .funnels(let funnels, let dimension):
            guard dimension != nil || funnels.count > 1 else { return funnels.first.map(steps) }
            return bars(
                "Installs with the event", of: funnels.count,
                funnels.prefix(BarChart.mostBars).map { funnel in
                    BarChart.Bar(
                        label: name([funnel.value], [dimension].compactMap { $0 }), value: funnel.converted,
                        text: "\(funnel.converted.grouped) of \(funnel.clicks.grouped)")
                })
        case .cohorts(let cohorts): return retention(cohorts)
        case .lifetimeValues(let values, let dimension):
            return bars(
                "Revenue per install", of: values.count,
                values.prefix(BarChart.mostBars).map { value in
                    let hundredths =
                        value.installs == 0 ? 0 : Int64(clamping: value.revenue.millionths / Int128(value.installs) / 10_000)
                    return BarChart.Bar(
                        label: name([value.value], [dimension]), value: hundredths, text: hundredths.asHundredths)
                })
        case .attribution(let summary):
            let ways = AttributionSummary.Way.allCases.compactMap { way in
                summary.counts[way].map { BarChart.Bar(label: way.rawValue, value: $0, text: $0.grouped) }
            }
            return bars("Installs by attribution", of: ways.count, ways)
        }
    }

    /// - Parameter count: the number of values, of which the first get a bar.
    private func bars(_ title: String, of count: Int, _ bars: [BarChart.Bar]) -> Figure? {
        guard let first = bars.first else { return nil }
        let chart = BarChart(
            title: title, description: "\(count) values. The first is \(first.label): \(first.text).", bars: bars)
        return Figure(svg: chart.svg, legend: chart.legend)
    }

    private func steps(of funnel: Funnel) -> Figure {
        let steps = [("Clicks", funnel.clicks), ("Installs", funnel.installs), ("Installs with the event", funnel.converted)]
        let chart = FunnelChart(
            title: "Funnel",
            description: steps.map { "\($0.1.grouped) \($0.0.lowercased())" }.joined(separator: ", ") + ".",
            steps: steps.map { FunnelChart.Step(label: $0.0, value: $0.1) })
        return Figure(svg: chart.svg)
    }

    /// A line for each of the combinations of values with the highest sums.
    private func lines(_ rows: [AnalyticsAnswer.Row], _ query: AnalyticsQuery, _ title: String, stacks: Bool) -> Figure {
        let periods = query.span.periods(query.granularity)
        let indices = Dictionary(periods.enumerated().map { ($1.start, $0) }, uniquingKeysWith: { $1 })
        // First the sums: there may be tens of thousands of combinations, of which a few get a line with a figure for each period.
        var sums: [GroupValues: Int64] = [:]
        for row in rows where indices[row.period.start] != nil {
            sums[GroupValues(row.values), default: 0].add(Self.shown(row.figure, query.aggregation))
        }
        let sorted = sums.sorted { $0.value == $1.value ? $0.key.precedes($1.key) : $0.value > $1.value }
        // A device may be counted in several lines, so devices are not stacked.
        let isStacked = stacks && sorted.count > 1 && query.aggregation != .uniqueCount
        let shown = sorted.prefix(isStacked && sorted.count > Self.mostLines ? Self.mostLines - 1 : Self.mostLines).map(\.key)
        let none = [Int64](repeating: 0, count: periods.count)
        var figures = Dictionary(shown.map { ($0, none) }, uniquingKeysWith: { $1 })
        var others = none
        for row in rows {
            guard let index = indices[row.period.start] else { continue }
            let figure = Self.shown(row.figure, query.aggregation)
            if figures[GroupValues(row.values)]?[index].add(figure) == nil { others[index].add(figure) }
        }
        var lines = shown.map { values in
            Chart.Line(
                name: query.dimensions.isEmpty
                    ? query.aggregation.rawValue.replacing("_", with: " ") : name(values.texts, query.dimensions),
                values: figures[values] ?? none)
        }
        if isStacked, sorted.count > shown.count {
            lines.append(Chart.Line(name: "\(sorted.count - shown.count) others", values: others))
        }
        let chart = Chart(
            title: title, description: "\(shown.count) of \(sorted.count) lines over \(periods.count) periods.",
            labels: periods.map { Self.label($0, query.granularity) },
            lines: lines + (isStacked ? [] : previousLine(of: shown, query, parts: periods.count)),
            isStacked: isStacked)
        return Figure(svg: chart.svg, legend: chart.legend)
    }

    /// The line of the period before, if there is one line to compare it with: more would be too many.
    private func previousLine(of values: [GroupValues], _ query: AnalyticsQuery, parts: Int) -> [Chart.Line] {
        guard let previous, values.count == 1 else { return [] }
        let figures = (0..<parts).map { Self.shown(previous.figure(ofPart: $0, values[0].texts), query.aggregation) }
        return [Chart.Line(name: "the period before", values: figures, isPrevious: true)]
    }

    /// The share of the devices of each day that were active on each day after their install; of all devices in the last row.
    private func retention(_ cohorts: [Cohort]) -> Figure? {
        let days = cohorts.map(\.retained.count).max() ?? 0
        guard days > 0 else { return nil }
        func percentage(_ part: Int64, of all: Int64) -> Int64 { all == 0 ? 0 : (part * 100 + all / 2) / all }
        let all = (0..<days).map { day -> Int64 in
            let known = cohorts.filter { $0.retained.count > day }
            return percentage(known.map { $0.retained[day] }.reduce(0, +), of: known.map(\.installs).reduce(0, +))
        }
        let rows = cohorts.filter { $0.installs > 0 }.map { cohort in
            HeatMap.Row(
                label: String(cohort.day.startText.prefix(10)).shortDay,
                percentages: cohort.retained.map { percentage($0, of: cohort.installs) })
        }
        let first = all.count > 1 ? " On the day after, \(all[1]) % of all were." : ""
        let chart = HeatMap(
            title: "Retention",
            description: "The percentage of the devices of each day that were active on each of \(days) days from their install on."
                + first,
            columnLabels: (0..<days).map { "day \($0)" }, rows: rows + [HeatMap.Row(label: "all", percentages: all)])
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
