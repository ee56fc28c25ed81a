import ArgumentParser
import Linden
import LindenAPI
import LindenKernel

extension [Finding] {
    /// Prints the findings, as rows with a status mark or as the array `checks` of an object. Exits with status 1 if one of them is an
    /// error.
    func report(about subject: JSONObject, format: OutputFormat) throws {
        let isOK = !contains { $0.status == .error }
        switch format {
        case .json: Output(format: format).show(view(about: subject))
        case .table: Output(format: format).list(map(\.row), empty: "There is nothing to check.")
        }
        if !isOK { throw ExitCode.failure }
    }
}

extension Finding {
    var row: JSONObject {
        ["": .string(status.mark), "check": .string(check), "detail": .string(message)]
    }
}

extension Finding.Status {
    fileprivate var mark: String {
        switch self {
        case .ok: "✓"
        case .warning: "!"
        case .error: "✗"
        }
    }
}
