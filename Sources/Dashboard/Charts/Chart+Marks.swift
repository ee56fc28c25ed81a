import LindenKernel

extension Chart {
    /// A vertical line at a value of the chart that says what happened then.
    struct Mark: Sendable, Equatable {
        /// The index of the value in ``labels``.
        let index: Int
        let text: String
    }

    /// What happened at a time that a chart may show.
    struct Event: Sendable, Equatable {
        let time: Timestamp
        let text: String
    }

    private static let mostMarks = 6

    /// Returns the marks of events, in their order on the chart: one for each value, of the latest values that have any.
    ///
    /// - Parameters:
    ///   - events: newest first.
    ///   - index: the index of the value that a time belongs to; nil for a time that is not on the chart.
    static func marks(of events: [Event], _ index: (Timestamp) -> Int?) -> [Mark] {
        var texts: [Int: [String]] = [:]
        var dates: [Int: String] = [:]
        for event in events {
            guard let index = index(event.time) else { continue }
            texts[index, default: []].append(event.text)
            dates[index] = String(event.time.iso8601.prefix(10)).shortDay
        }
        return texts.keys.sorted().suffix(mostMarks).map { index in
            let found = texts[index] ?? []
            let text = found.count == 1 ? found[0] : "\(found.count) changes, the last: \(found[0])"
            return Mark(index: index, text: "\(dates[index] ?? ""): \(text)")
        }
    }
}
