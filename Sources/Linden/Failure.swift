/// What went wrong, for the person or program that asked.
///
/// The code is a small closed set. Only the faces know what it means to them: Server maps it to a status, the command line to
/// an exit code. Each feature names its own failures beside itself, as in ``Failure/noSuchLink``.
package struct Failure: Error, Sendable, CustomStringConvertible {
    package enum Code: Sendable {
        /// The request says something that is not allowed; the message says what is.
        case invalid
        /// A file or a setting of this installation cannot be used as it is; the message says what is allowed.
        case unusable
        /// A credential is missing or wrong.
        case unauthorized
        /// The credential is good, but not for this.
        case forbidden
        case notFound
        /// It was there once.
        case gone
        /// It is there already, and differs.
        case conflict
        case tooLarge
        /// There is not enough of what is to be spent.
        case insufficient
        /// Too often; a retry can help later.
        case rateLimited
        /// Not now, but a retry can help.
        case unavailable
    }

    package let code: Code
    /// One sentence for the one who asked: what is wrong and what is allowed. Never a secret, never personal data.
    package let message: String
    /// Further members of the error for a program to read.
    package let details: JSONObject

    /// Seconds after which a retry can succeed; nil where that is not known.
    package let retryAfter: Int?

    package init(_ code: Code, _ message: String, details: JSONObject = [:], retryAfter: Int? = nil) {
        self.retryAfter = retryAfter
        self.code = code
        self.message = message
        self.details = details
    }

    package var description: String { message }
}

extension Failure {
    package static func invalid(_ message: String) -> Failure { Failure(.invalid, message) }
    package static func unusable(_ message: String) -> Failure { Failure(.unusable, message) }
    package static func notFound(_ message: String) -> Failure { Failure(.notFound, message) }
    package static func unavailable(_ message: String) -> Failure { Failure(.unavailable, message) }
}
