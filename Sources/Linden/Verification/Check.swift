/// Something that must hold of all that is stored.
package struct Check: Sendable {
    /// Such as `credits.balances`.
    package let name: String
    /// What holds, in one sentence.
    package let claim: String
    /// Looks at everything. An ok answer has no problems.
    let examine: @Sendable (any Reader) throws -> CheckResult

    package init(_ name: String, _ claim: String, examine: @escaping @Sendable (any Reader) throws -> CheckResult) {
        self.name = name
        self.claim = claim
        self.examine = examine
    }
}

/// What a check came to.
package struct CheckResult: Sendable {
    /// How many things were looked at.
    package let examined: Int64
    /// Some of what is wrong, one sentence each.
    package let problems: [String]

    package init(examined: Int64, problems: [String]) {
        self.examined = examined
        self.problems = problems
    }

    /// How many problems are named at most.
    package static let mostProblems = 20
}
