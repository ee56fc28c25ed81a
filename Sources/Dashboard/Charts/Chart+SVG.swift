import Pages

extension Chart {
    private static let (width, height) = (720, 260)
    private static let (left, right, top, bottom) = (64, 40, 16, 36)

    /// The chart as SVG, in colours of the style sheet. A function of the chart alone.
    var svg: Markup {
        let ticks = ticks
        var parts = [
            """
            <svg viewBox="0 0 \(Self.width) \(Self.height)" role="img" aria-labelledby="chart-title chart-description">
            <title id="chart-title">\(title.htmlEscaped)</title>
            <desc id="chart-description">\(description.htmlEscaped)</desc>
            """
        ]
        for tick in ticks {
            let y = Self.y(tick, of: ticks.last ?? 1)
            parts.append(
                #"<line class="grid" x1="\#(Self.left)" x2="\#(Self.width - Self.right)" y1="\#(y)" y2="\#(y)"/>"#
                    + #"<text class="tick end" x="\#(Self.left - 8)" y="\#(y)" dy="4">\#(tick.short)</text>"#)
        }
        for index in Self.shownLabels(of: labels.count) {
            parts.append(
                #"<text class="tick middle" x="\#(x(index))" y="\#(Self.height - 10)">\#(labels[index].htmlEscaped)</text>"#)
        }
        for (number, mark) in marks.enumerated() {
            let x = x(mark.index)
            parts.append(
                #"<line class="mark" x1="\#(x)" x2="\#(x)" y1="\#(Self.top)" y2="\#(Self.height - Self.bottom)"/>"#
                    + #"<text class="tick middle" x="\#(x)" y="\#(Self.top - 4)">\#(number + 1)</text>"#)
        }
        if isStacked { parts += areas(ticks.last ?? 1) }
        // The previous period first, so that the others are drawn over it.
        for (index, line) in drawn.enumerated().sorted(by: { $0.element.isPrevious && !$1.element.isPrevious }) {
            parts.append(path(of: line, ticks.last ?? 1, name: Self.swatch(line, index)))
        }
        parts.append("</svg>")
        return Markup(parts.joined(separator: "\n"))
    }

    /// The legend, with the class of each line in the style sheet.
    var legend: [LegendEntry] {
        lines.enumerated().map { LegendEntry(swatch: Self.swatch($0.element, $0.offset), legendLabel: $0.element.name) }
            + marks.enumerated().map { LegendEntry(swatch: "mark", legendLabel: "\($0.offset + 1): \($0.element.text)") }
    }

    private static func swatch(_ line: Line, _ index: Int) -> String { line.isPrevious ? "previous" : "line\(index % 4)" }

    /// The areas below the lines of a stacked chart, each down to the line before.
    private func areas(_ highest: Int64) -> [String] {
        var below = Array(repeating: Int64(0), count: labels.count)
        return drawn.enumerated().map { number, line in
            let upper = line.values.enumerated().map { "\(x($0.offset)),\(Self.y($0.element, of: highest))" }
            let lower = below.enumerated().map { "\(x($0.offset)),\(Self.y($0.element, of: highest))" }
            below = line.values
            return #"<polygon class="area area\#(number % 4)" points="\#((upper + lower.reversed()).joined(separator: " "))"/>"#
        }
    }

    private func path(of line: Line, _ highest: Int64, name: String) -> String {
        let points = line.values.enumerated().map { (x: x($0.offset), y: Self.y($0.element, of: highest)) }
        let text = points.map { "\($0.x),\($0.y)" }.joined(separator: " ")
        guard points.count > 1 else {
            return points.map { #"<circle class="point \#(name)" cx="\#($0.x)" cy="\#($0.y)" r="3"/>"# }.joined()
        }
        return #"<polyline class="line \#(name)" points="\#(text)"/>"#
    }

    private func x(_ index: Int) -> String {
        let room = Self.width - Self.left - Self.right
        guard labels.count > 1 else { return Self.tenths(Self.left * 10 + room * 5) }
        return Self.tenths(Self.left * 10 + room * 10 * index / (labels.count - 1))
    }

    private static func y(_ value: Int64, of highest: Int64) -> String {
        let room = height - top - bottom
        // Negative amounts are drawn as none, and one beyond the axis at its end.
        let part = min(1, max(0, Double(value) / Double(max(highest, 1))))
        return tenths((height - bottom) * 10 - Int(Double(room * 10) * part))
    }

    private static func tenths(_ tenths: Int) -> String {
        tenths % 10 == 0 ? String(tenths / 10) : "\(tenths / 10).\(tenths % 10)"
    }
}

extension Int64 {
    /// The number in a few characters, such as `2.5K`; for round numbers.
    var short: String {
        for (unit, letter) in [(1_000_000_000, "G"), (1_000_000, "M"), (1_000, "K")] as [(Int64, String)] where self >= unit {
            let tenths = self / (unit / 10)
            return tenths % 10 == 0 ? "\(tenths / 10)\(letter)" : "\(tenths / 10).\(tenths % 10)\(letter)"
        }
        return String(self)
    }
}
