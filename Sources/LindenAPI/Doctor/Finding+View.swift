import Linden
import LindenKernel

extension Finding {
    /// The finding as JSON.
    ///
    /// - `check`: the name of the check.
    /// - `status`: `ok`, `warning` or `error`.
    /// - `detail`: the state, or the problem and the command that solves it.
    /// - `app`: the id of the app that it is about; absent for the whole installation.
    package var view: JSONObject {
        var members: JSONObject = ["check": .string(check), "status": .string(status.rawValue), "detail": .string(message)]
        if let app { members["app"] = .string(String(app.rawValue)) }
        return members
    }
}

extension [Finding] {
    /// Findings about a subject: its members, `ok` (false if a finding is an error) and the array `checks`.
    package func view(about subject: JSONObject) -> JSONObject {
        subject.merging([
            "ok": .bool(!contains { $0.status == .error }), "checks": .array(map { .object($0.view) }),
        ])
    }
}
