import Pages

/// Percentages by row and column as a value, such as the retention of cohorts; ``svg`` draws each as a cell, the darker the higher.
struct HeatMap: Sendable {
    struct Row: Sendable {
        let label: String
        /// From the first column on; columns without a value, such as days in the future, are absent.
        let percentages: [Int64]
    }

    /// The maximum number of rows that are drawn, the last ones.
    static let mostRows = 31
    /// The maximum number of columns whose cells have room for their number.
    private static let mostNumbers = 15
    private static let (width, rowHeight, left, right, top) = (720, 24, 96, 8, 28)

    let title: String
    /// The chart in one sentence, for people who do not see it.
    let description: String
    let columnLabels: [String]
    let rows: [Row]

    init(title: String, description: String, columnLabels: [String], rows: [Row]) {
        self.title = title
        self.description = description
        self.columnLabels = columnLabels
        self.rows = Array(rows.suffix(Self.mostRows))
    }

    /// The chart as SVG, in colours of the style sheet. A function of the chart alone.
    var svg: Markup {
        let height = Self.top + rows.count * Self.rowHeight + 4
        var parts = [
            """
            <svg viewBox="0 0 \(Self.width) \(height)" role="img" aria-labelledby="chart-title chart-description">
            <title id="chart-title">\(title.htmlEscaped)</title>
            <desc id="chart-description">\(description.htmlEscaped)</desc>
            """
        ]
        for column in Chart.shownLabels(of: columnLabels.count) {
            let middle = (edge(column) + edge(column + 1)) / 2
            parts.append(#"<text class="tick middle" x="\#(middle)" y="18">\#(columnLabels[column].htmlEscaped)</text>"#)
        }
        let labelled = Set(Chart.shownLabels(of: rows.count, most: 10))
        for (index, row) in rows.enumerated() {
            let y = Self.top + index * Self.rowHeight
            var line = ""
            if labelled.contains(index) {
                line += #"<text class="tick end" x="\#(Self.left - 8)" y="\#(y + 16)">\#(row.label.htmlEscaped)</text>"#
            }
            for (column, percentage) in row.percentages.prefix(columnLabels.count).enumerated() {
                let (start, end) = (edge(column), edge(column + 1))
                line +=
                    #"<rect class="heat heat\#(Self.level(of: percentage))" x="\#(start)" y="\#(y)" width="\#(max(end - start - 1, 1))" "#
                    + #"height="\#(Self.rowHeight - 1)"/>"#
                if columnLabels.count <= Self.mostNumbers {
                    line += #"<text class="heatnumber" x="\#((start + end) / 2)" y="\#(y + 16)">\#(percentage)</text>"#
                }
            }
            parts.append(line)
        }
        parts.append("</svg>")
        return Markup(parts.joined(separator: "\n"))
    }

    /// The legend, with the class of each level in the style sheet.
    let legend = (0...5).map { level in
        LegendEntry(
            swatch: "heat heat\(level)", legendLabel: level == 0 ? "0 %" : "\(level * 20 - 19) to \(level * 20) %")
    }

    /// Of 0 the level 0; each further level is a fifth of 100.
    private static func level(of percentage: Int64) -> Int64 { (min(max(percentage, 0), 100) + 19) / 20 }

    /// The left edge of a column.
    private func edge(_ column: Int) -> Int {
        Self.left + (Self.width - Self.left - Self.right) * column / max(columnLabels.count, 1)
    }
}
