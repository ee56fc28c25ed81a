import LindenKernel

/// The limits of the rows of a result: their number, and the bytes of their values, which apps and their users write.
struct GroupLimit {
    private static let mostBytes = 16 << 20

    /// The bytes of the values of all rows so far.
    private var bytes = 0

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
    mutating func check(_ count: Int, after former: Int, adding values: [[String]]) throws {
        try Self.check(count)
        guard count > former else { return }
        bytes += values.reduce(0) { $1.reduce($0) { $0 + $1.utf8.count } }
        guard bytes <= Self.mostBytes else {
            throw Failure.invalid(
                "The values of the result take too much memory. Use a shorter span, a filter or fewer dimensions.")
        }
    }
}
