/// Why a URL could not be read, for the person who gave it.
///
/// The message says what is allowed and nothing about our network: an address that must not be reached and one that does not
/// answer are the same ``unreachable``.
package enum FetchError: Error, Hashable, Sendable, CustomStringConvertible {
    /// It is not a URL of the kind we read.
    case unsupportedURL
    /// No public address, no connection, no valid certificate, or no whole HTTP response.
    case unreachable
    /// It answered, but not with 200.
    case status(Int)
    /// The body is longer than the limit, in bytes.
    case tooLarge(limit: Int)
    case timedOut
    case tooManyRedirects
    /// An https URL was redirected to http.
    case redirectedToPlainHTTP

    package var message: String {
        switch self {
        case .unsupportedURL:
            "The URL must be a public http or https address on port 80 or 443, without user name or password."
        case .unreachable:
            "The URL could not be reached; it must be a public http or https address that answers, with a valid certificate for https."
        case .status(let status):
            "The URL must answer with status 200; it answered with \(status)."
        case .tooLarge(let limit):
            "What the URL answers with must not be larger than \(limit) bytes."
        case .timedOut:
            "The URL took too long to answer."
        case .tooManyRedirects:
            "The URL must not redirect more than \(GuardedClient.redirectLimit) times."
        case .redirectedToPlainHTTP:
            "An https URL must not redirect to http."
        }
    }

    package var description: String { message }
}
