/// A consistency check of the stored data.
package struct Check: Sendable {
    /// The name, such as `credits.balances`.
    package let name: String
    /// The invariant, in one sentence.
    package let invariant: String
    /// Checks all data. A passed check has no problems in its result.
    let examine: @Sendable (any DatabaseReader) throws -> CheckResult

    package init(_ name: String, _ invariant: String, examine: @escaping @Sendable (any DatabaseReader) throws -> CheckResult) {
        self.name = name
        self.invariant = invariant
        self.examine = examine
    }
}

/// The result of a check.
package struct CheckResult: Sendable {
    /// The number of items examined.
    package let examined: Int64
    /// A sample of the violations, one sentence each.
    package let problems: [String]

    package init(examined: Int64, problems: [String]) {
        self.examined = examined
        self.problems = problems
    }

    /// The maximum number of problems in a result.
    package static let mostProblems = 20
}
