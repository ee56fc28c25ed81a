import LindenKernel
import LindenServices

extension Check {
    /// A check of the stored data with its result.
    ///
    /// - `check`: the name.
    /// - `ok`: whether there is no deviation.
    /// - `examined`: the number of rows that were checked.
    /// - `invariant`: the rule that the data must satisfy.
    /// - `problems`: a sentence per deviation.
    package func view(_ result: CheckResult) -> JSONObject {
        [
            "check": .string(name), "ok": .bool(result.problems.isEmpty), "examined": .integer(result.examined),
            "invariant": .string(invariant), "problems": JSON(result.problems),
        ]
    }
}
