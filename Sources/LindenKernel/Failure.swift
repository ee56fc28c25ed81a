/// An error with a code for programs and a message for people.
///
/// The codes are a small closed set. Each front end maps them to its own terms: the server to an HTTP status, the command line to an exit
/// code. Each feature defines its own failures in its own files, such as ``Failure/noSuchLink``.
package struct Failure: Error, Sendable, CustomStringConvertible {
    package enum Code: Sendable {
        /// The request contains a value that is not allowed; the message states the allowed values.
        case invalid
        /// A file or a setting of this installation cannot be used as it is; the message states the allowed values.
        case unusable
        /// A credential is missing or wrong.
        case unauthorized
        /// The credential is valid, but lacks permission for this.
        case forbidden
        case notFound
        /// The object existed and was removed.
        case gone
        /// The object exists already, with different contents.
        case conflict
        case tooLarge
        /// The balance is too low.
        case insufficient
        /// The rate limit is exceeded; a later retry can succeed.
        case rateLimited
        /// A temporary condition; a retry can succeed.
        case unavailable
    }

    package let code: Code
    /// One sentence for the caller: the error and the allowed values. Never contains a secret or personal data.
    package let message: String
    /// Additional members of the error body, for programs.
    package let details: JSONObject

    /// The fields of the request that the message is about, as the management API names them, where the message does not begin with one.
    package let fields: [String]
    /// Seconds after which a retry can succeed; nil if unknown.
    package let retryAfter: Int?

    package init(_ code: Code, _ message: String, details: JSONObject = [:], at fields: [String] = [], retryAfter: Int? = nil) {
        self.fields = fields
        self.retryAfter = retryAfter
        self.code = code
        self.message = message
        self.details = details
    }

    package var description: String { message }

    /// The failure for callers who may not know its ``details``.
    package var withoutDetails: Failure { Failure(code, message, at: fields, retryAfter: retryAfter) }

    /// Returns the failure as one about a field.
    package func at(_ field: String) -> Failure { Failure(code, message, details: details, at: [field], retryAfter: retryAfter) }
}

extension Failure {
    /// - Parameter fields: the fields that the message is about, see ``Failure/fields``.
    package static func invalid(_ message: String, at fields: String...) -> Failure { Failure(.invalid, message, at: fields) }
    package static func unusable(_ message: String) -> Failure { Failure(.unusable, message) }
    package static func notFound(_ message: String) -> Failure { Failure(.notFound, message) }
    package static func unavailable(_ message: String) -> Failure { Failure(.unavailable, message) }

    /// The failure of a call that was cancelled, because its client has left or the server stops.
    package static let cancelled = Failure.unavailable("The call was cancelled, since the server stops. Please try again.")
}
