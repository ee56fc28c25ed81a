import LindenKernel
import Pages

/// A line without axes, as small as a word, that stands beside the sum of its values.
struct Sparkline: Sendable, Equatable {
    /// The line in one sentence, for people who do not see it.
    let description: String
    let values: [Int64]

    private static let (width, height) = (96, 24)
    /// The room above and below the line, half of its width.
    private static let margin = 2

    /// The line as SVG, in colours of the style sheet. A function of the values alone: the highest is at the top, zero at the bottom.
    var svg: Markup {
        let highest = max(values.max() ?? 0, 1)
        let room = Self.height - 2 * Self.margin
        let points = values.enumerated().map { index, value in
            let x = values.count > 1 ? Self.width * index / (values.count - 1) : Self.width / 2
            let y = Self.height - Self.margin - Int(Double(room) * Double(max(value, 0)) / Double(highest))
            return "\(x),\(y)"
        }
        return Markup(
            #"<svg class="spark" viewBox="0 0 \#(Self.width) \#(Self.height)" role="img" aria-label="\#(description.htmlEscaped)">"#
                + #"<polyline class="line line0" points="\#(points.joined(separator: " "))"/></svg>"#)
    }
}
