import CSQLite
import LindenKernel
import SQLStorage

/// An error reported by libsqlite3.
package struct SQLiteError: DriverError {
    /// The extended result code.
    let code: Int32
    let message: String

    init(_ database: OpaquePointer?, code: Int32) {
        self.code = code
        message = database.map { String(cString: sqlite3_errmsg($0)) } ?? String(cString: sqlite3_errstr(code))
    }

    package var description: String { "SQLite: \(message) (\(code))" }

    private var primaryCode: Int32 { code & 0xFF }

    package var isBusy: Bool { primaryCode == SQLITE_BUSY || primaryCode == SQLITE_LOCKED }
    package var isDamage: Bool { primaryCode == SQLITE_CORRUPT || primaryCode == SQLITE_NOTADB }
    var isInterrupted: Bool { primaryCode == SQLITE_INTERRUPT }

    /// The error as a ``Failure``; nil for one that is a bug. A full disk or a concurrent writer may be gone at the next attempt.
    package var failure: Failure? {
        switch primaryCode {
        case SQLITE_BUSY, SQLITE_LOCKED: .unavailable("The database is busy; please try again.")
        case SQLITE_FULL: .unavailable("The disk of the database is full.")
        case SQLITE_READONLY: .unavailable("The database cannot be written.")
        case SQLITE_IOERR: .unavailable("The disk of the database does not answer.")
        case SQLITE_CORRUPT, SQLITE_NOTADB: .unavailable("The database is damaged: linden verify")
        // Only questions have a time limit.
        case SQLITE_INTERRUPT: .invalid("The question takes too long; ask for fewer days, names or values.")
        default: nil
        }
    }

    /// The reason why a database cannot be opened, for the operator.
    package var openingProblem: String {
        switch primaryCode {
        case SQLITE_NOTADB, SQLITE_CORRUPT: "is damaged or is not an SQLite database (\(message)); restore it from a backup"
        case SQLITE_CANTOPEN: "cannot be opened: the folder must exist, and the file and its folder must be writable"
        case SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH: "cannot be written: the file and its folder must be writable"
        case SQLITE_BUSY, SQLITE_LOCKED: "is locked by another program"
        case SQLITE_FULL: "cannot be written: its disk is full"
        default: "cannot be used: \(message)"
        }
    }
}
