import LindenKernel

/// The limits of the rows of a result: their number, and the memory of their values, which apps and their users write.
struct GroupLimit {
    private static let mostBytes = 40 << 20
    /// The bytes of a row besides its values: its array, its place in a table of figures, and in the sorted list.
    private static let rowBytes = 200
    /// The bytes of a value in its array.
    private static let valueBytes = 16
    /// The bytes of a text that has memory of its own, besides its characters.
    private static let textBytes = 48
    /// The bytes up to which a text is in its value.
    private static let shortText = 15
    private static let mostSketchBytes = 64 << 20

    /// The memory of all rows so far.
    private var bytes = 0
    /// The bytes of the sketches of devices of all rows so far.
    private var sketchBytes = 0

    /// Fails with `invalid` if a result has more rows than ``AnalyticsQuery/mostGroups``.
    static func check(_ count: Int) throws {
        guard count <= AnalyticsQuery.mostGroups else {
            throw Failure.invalid(
                "The result has more than \(AnalyticsQuery.mostGroups) rows on all pages. Use a shorter span, a filter or fewer dimensions."
            )
        }
    }

    /// Fails with `invalid` if a result has too many rows, or if their values take too much memory.
    ///
    /// - Parameters:
    ///   - count: the number of rows.
    ///   - former: the number before the values were added.
    mutating func check(_ count: Int, after former: Int, adding values: [GroupValues]) throws {
        try Self.check(count)
        guard count > former else { return }
        bytes += values.reduce(0) { $1.texts.reduce($0 + Self.rowBytes) { $0 + Self.cost(of: $1) } }
        guard bytes <= Self.mostBytes else {
            throw Failure.invalid(
                "The values of the result take too much memory. Use a shorter span, a filter or fewer dimensions.")
        }
    }

    private static func cost(of text: String) -> Int {
        let length = text.utf8.count
        return valueBytes + (length > shortText ? textBytes + length : 0)
    }

    /// Fails with `invalid` if the sketches of a result take too much memory.
    mutating func add(sketchBytes more: Int) throws {
        sketchBytes += more
        guard sketchBytes <= Self.mostSketchBytes else {
            throw Failure.invalid(
                "The devices of the result's rows take too much memory. Use a span of one day, a filter or fewer dimensions.")
        }
    }
}
