import CPostgres
import LindenKernel
import SQLStorage

/// An error that libpq or the server reports.
package struct PostgresError: DriverError {
    /// SQLSTATE of a write in a session that is read-only, as those of a standby are.
    static let readOnly = "25006"

    /// SQLSTATE of a commit of which is not known whether the standby has it.
    static let unconfirmed = "40003"

    /// The five characters of SQLSTATE; empty for an error of the connection.
    let state: String
    let message: String
    /// Whether the connection is lost.
    var isLost: Bool
    /// Whether a question met its time limit.
    let isQuestion: Bool
    /// Whether it is of a statement that was sent before the one that throws it.
    let isDeferred: Bool

    init(state: String, message: String, isLost: Bool = false, isQuestion: Bool = false, isDeferred: Bool = false) {
        self.state = state
        self.message = message
        self.isLost = isLost
        self.isQuestion = isQuestion
        self.isDeferred = isDeferred
    }

    /// Reads the error of a result; of the connection if there is none.
    init(_ handle: OpaquePointer?, _ result: OpaquePointer?, isQuestion: Bool = false, isDeferred: Bool = false) {
        func field(_ code: Character) -> String? {
            PQresultErrorField(result, Int32(code.asciiValue!)).map { String(cString: $0) }
        }
        self.init(
            state: field("C") ?? "", message: Self.oneLine(field("M") ?? String(cString: PQerrorMessage(handle))),
            isLost: PQstatus(handle) != CONNECTION_OK, isQuestion: isQuestion, isDeferred: isDeferred)
    }

    package var description: String { state.isEmpty ? "PostgreSQL: \(message)" : "PostgreSQL: \(message) (\(state))" }

    private var kind: Substring { state.prefix(2) }

    /// Whether the transaction failed because of a concurrent one, and succeeds when it is repeated: a serialization failure or a deadlock.
    var isConflict: Bool { state == "40001" || state == "40P01" }

    package var isBusy: Bool { isConflict || state == "55P03" || state == "57014" }

    package var isDamage: Bool { kind == "XX" && state != "XX000" }

    /// The error as a ``Failure``; nil for one that is a bug.
    package var failure: Failure? {
        // 25P03: the server has ended the session because it was idle in a transaction.
        if isLost || kind == "08" || state.hasPrefix("57P") || state == "25P03" {
            return .unavailable("The database cannot be reached; please try again.")
        }
        switch state {
        case "57014" where isQuestion: return .invalid("The question takes too long; ask for fewer days, names or values.")
        case "40001", "40P01", "55P03", "57014": return .unavailable("The database is busy; please try again.")
        case Self.unconfirmed: return .unavailable("The standby has not confirmed the write; please try again.")
        case "53100": return .unavailable("The disk of the database is full.")
        case Self.readOnly: return .unavailable("The database is read-only, as a standby is; please try again.")
        case "42501": return .unavailable("The database cannot be written.")
        case "58030": return .unavailable("The disk of the database does not answer.")
        default: break
        }
        switch kind {
        case "53": return .unavailable("The database has no connections or memory left; please try again.")
        case "XX" where isDamage: return .unavailable("The database is damaged: linden verify")
        default: return nil
        }
    }

    /// The reason why a database cannot be opened, for the operator.
    package var openingProblem: String {
        switch state {
        case "53100": "cannot be written: its disk is full"
        case Self.readOnly: "cannot be written: it is read-only, as a standby is"
        case "55P03": "is busy: another session, such as that of pg_dump, uses its tables"
        case "42501": "cannot be used: \(message); the user needs the rights to create and write tables"
        default: "cannot be used: \(message)"
        }
    }

    private static func oneLine(_ text: String) -> String {
        text.split(whereSeparator: \.isNewline).map { $0.drop { $0 == " " || $0 == "\t" } }.joined(separator: "; ")
    }
}
