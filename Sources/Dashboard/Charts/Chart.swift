/// A line chart as a value; ``svg`` draws it.
struct Chart: Sendable, Equatable {
    struct Line: Sendable, Equatable {
        let name: String
        let values: [Int64]
        /// Whether the line is that of the period before, which is drawn behind the others.
        var isPrevious = false
    }

    let title: String
    /// The chart in one sentence, for people who do not see it.
    let description: String
    /// The label of each value, such as a day.
    let labels: [String]
    let lines: [Line]
    /// Whether each line stands on the one before, with the area between them filled: the highest line is the sum.
    var isStacked = false
    var marks: [Mark] = []

    /// The lines as they are drawn: of a stacked chart the sums of each line and those before it.
    var drawn: [Line] {
        guard isStacked else { return lines }
        var sums = Array(repeating: Int64(0), count: labels.count)
        return lines.map { line in
            for (index, value) in line.values.enumerated() where index < sums.count { sums[index].add(value) }
            return Line(name: line.name, values: sums)
        }
    }

    /// The round values of the vertical axis, from 0 up to at least the highest value.
    var ticks: [Int64] { Self.ticks(upTo: drawn.flatMap(\.values).max() ?? 0) }

    /// Returns 0 and multiples of 1, 2 or 5 times a power of ten, three to six of them, of which the last is at least `highest`.
    static func ticks(upTo highest: Int64) -> [Int64] {
        let highest = min(max(highest, 1), mostShown)
        var step: Int64 = 1
        var factor: Int64 = 1
        while true {
            guard let found = [1, 2, 5].map({ $0 * factor }).first(where: { $0 * 4 >= highest }) else { factor *= 10; continue }
            step = found
            break
        }
        let count = max(2, (highest + step - 1) / step)
        return (0...count).map { $0 * step }
    }

    /// The highest figure that an axis shows, far more than can be recorded.
    private static let mostShown: Int64 = 1_000_000_000_000_000

    /// The indices of labels that are drawn: at most `most`, at equal distances, the last one included.
    static func shownLabels(of count: Int, most: Int = 6) -> [Int] {
        guard count > 0 else { return [] }
        let distance = max(1, (count + most - 1) / most)
        return stride(from: count - 1, through: 0, by: -distance).reversed()
    }
}

extension Int64 {
    /// Adds a number. A sum beyond the greatest or least number, as those of an app's own amounts may be, is that number.
    mutating func add(_ other: Int64) {
        let (sum, isBeyond) = addingReportingOverflow(other)
        self = isBeyond ? (other < 0 ? .min : .max) : sum
    }
}
