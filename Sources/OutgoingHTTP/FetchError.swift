/// The reason why a URL could not be fetched, with a message for the client that supplied it.
///
/// The message says what is allowed and reveals nothing about the server's network: a forbidden address and one that does not answer are
/// both ``unreachable``.
package enum FetchError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The text is not a URL that the server fetches.
    case unsupportedURL
    /// No public address, no connection, no valid certificate, or no whole HTTP response.
    case unreachable
    /// The response's status is not 200.
    case status(Int)
    /// The response's body is longer than the limit, in bytes.
    case tooLarge(limit: Int)
    /// The response's body comes in very many small parts, each of which takes time.
    case tooManyParts
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
        case .tooManyParts:
            "The URL must answer in parts of at least some hundred bytes."
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
