import LindenKernel
import Pages

/// The steps of a funnel as a value; ``svg`` draws them from top to bottom, each as wide as its share of the widest.
struct FunnelChart: Sendable {
    struct Step: Sendable {
        let label: String
        let value: Int64
    }

    private static let (width, stepHeight, flowHeight, left, right) = (720, 36, 30, 220, 110)

    let title: String
    /// The chart in one sentence, for people who do not see it.
    let description: String
    let steps: [Step]

    /// The chart as SVG, in colours of the style sheet. A function of the chart alone.
    var svg: Markup {
        let most = max(steps.map(\.value).max() ?? 0, 1)
        let height = steps.count * Self.stepHeight + max(steps.count - 1, 0) * Self.flowHeight + 8
        var parts = [
            """
            <svg viewBox="0 0 \(Self.width) \(height)" role="img" aria-labelledby="chart-title chart-description">
            <title id="chart-title">\(title.htmlEscaped)</title>
            <desc id="chart-description">\(description.htmlEscaped)</desc>
            """
        ]
        let textStart = Self.width - Self.right + 8
        for (index, step) in steps.enumerated() {
            let top = 4 + index * (Self.stepHeight + Self.flowHeight)
            let (start, end) = Self.edges(of: step.value, most)
            parts.append(
                #"<text class="tick end" x="\#(Self.left - 8)" y="\#(top + 23)">\#(step.label.htmlEscaped)</text>"#
                    + #"<rect class="bar" x="\#(start)" y="\#(top)" width="\#(end - start)" height="\#(Self.stepHeight)"/>"#
                    + #"<text class="tick" x="\#(textStart)" y="\#(top + 23)">\#(step.value.grouped)</text>"#)
            guard index + 1 < steps.count else { continue }
            let (next, bottom) = (steps[index + 1], top + Self.stepHeight + Self.flowHeight)
            let (nextStart, nextEnd) = Self.edges(of: next.value, most)
            let points =
                "\(start),\(top + Self.stepHeight) \(end),\(top + Self.stepHeight) \(nextEnd),\(bottom) \(nextStart),\(bottom)"
            parts.append(
                #"<polygon class="flow" points="\#(points)"/>"#
                    + #"<text class="tick" x="\#(textStart)" y="\#(bottom - 11)">↓ \#(Self.share(next.value, of: step.value))</text>"#
            )
        }
        parts.append("</svg>")
        return Markup(parts.joined(separator: "\n"))
    }

    /// The left and right edge of a step in the middle of the chart. At least two pixels apart unless the value is 0, so that a small one
    /// differs from none.
    private static func edges(of value: Int64, _ most: Int64) -> (start: Int, end: Int) {
        let (middle, room) = ((left + width - right) / 2, Double(width - left - right))
        let half = value <= 0 ? 0 : max(1, Int(room * min(1, Double(value) / Double(most)) / 2))
        return (middle - half, middle + half)
    }

    private static func share(_ value: Int64, of whole: Int64) -> String {
        whole <= 0 ? "–" : "\(Int64(nearest: Double(value) * 100 / Double(whole))) %"
    }
}
