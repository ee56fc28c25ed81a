import LindenKernel
import LindenServices

extension RepairResult {
    /// A repair, or what it would change.
    ///
    /// - `repair`: the name, that of the check whose rows it derives.
    /// - `from`: what they are derived from.
    /// - `changes`: the number of changes.
    /// - `examples`: the first 20 of them, one sentence each.
    /// - `problem`: why it was not possible; null if it was.
    package var view: JSONObject {
        [
            "repair": .string(repair.name), "from": .string(repair.source), "changes": .integer(Int64(changes)),
            "examples": JSON(examples), "problem": JSON(problem),
        ]
    }
}
