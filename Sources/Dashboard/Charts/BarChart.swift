import Pages

/// A chart of horizontal bars as a value; ``svg`` draws it.
struct BarChart: Sendable {
    struct Bar: Sendable {
        let label: String
        /// The length; negative values are drawn as 0.
        let value: Int64
        /// The value as it is shown.
        let text: String
        /// The value in the period before, which is drawn as a thin bar below; nil for none.
        var previous: Int64?
    }

    /// The maximum number of bars that are drawn.
    static let mostBars = 20
    private static let longestLabel = 28
    private static let (width, rowHeight, left, right) = (720, 28, 220, 110)

    let title: String
    /// The chart in one sentence, for people who do not see it.
    let description: String
    let bars: [Bar]

    init(title: String, description: String, bars: [Bar]) {
        self.title = title
        self.description = description
        self.bars = Array(bars.prefix(Self.mostBars))
    }

    /// The chart as SVG, in colours of the style sheet. A function of the chart alone.
    var svg: Markup {
        let height = bars.count * Self.rowHeight + 8
        let highest = max(bars.map(\.value).max() ?? 0, bars.compactMap(\.previous).max() ?? 0, 1)
        var parts = [
            """
            <svg viewBox="0 0 \(Self.width) \(height)" role="img" aria-labelledby="chart-title chart-description">
            <title id="chart-title">\(title.htmlEscaped)</title>
            <desc id="chart-description">\(description.htmlEscaped)</desc>
            """
        ]
        for (index, bar) in bars.enumerated() {
            let y = 4 + index * Self.rowHeight
            let length = Self.length(of: bar.value, highest)
            let height = Self.rowHeight - (bar.previous == nil ? 8 : 13)
            parts.append(
                #"<text class="tick end" x="\#(Self.left - 8)" y="\#(y + 17)">\#(Self.short(bar.label).htmlEscaped)</text>"#
                    + #"<rect class="bar" x="\#(Self.left)" y="\#(y + 3)" width="\#(length)" height="\#(height)"/>"#
                    + #"<text class="tick" x="\#(Self.left + length + 8)" y="\#(y + 17)">\#(bar.text.htmlEscaped)</text>"#)
            if let previous = bar.previous {
                parts.append(
                    #"<rect class="bar before" x="\#(Self.left)" y="\#(y + 3 + height)" "#
                        + #"width="\#(Self.length(of: previous, highest))" height="4"/>"#)
            }
        }
        parts.append("</svg>")
        return Markup(parts.joined(separator: "\n"))
    }

    /// The legend; empty unless there are two periods.
    var legend: [LegendEntry] {
        guard bars.contains(where: { $0.previous != nil }) else { return [] }
        return [
            LegendEntry(swatch: "line0", legendLabel: "this period"),
            LegendEntry(swatch: "before", legendLabel: "the period before"),
        ]
    }

    /// At least a pixel, so that a small value differs from none.
    private static func length(of value: Int64, _ highest: Int64) -> Int {
        let room = Double(width - left - right)
        return value <= 0 ? 0 : max(1, Int(room * min(1, Double(value) / Double(highest))))
    }

    private static func short(_ label: String) -> String {
        label.count <= longestLabel ? label : label.prefix(longestLabel - 1) + "…"
    }
}
