import BranchWire
import HTTPTypes
import Hummingbird
import Linden
import Pages

extension Failure {
    /// The one table of statuses.
    var status: HTTPResponse.Status {
        switch code {
        case .invalid: .badRequest
        case .unauthorized: .unauthorized
        case .forbidden: .forbidden
        case .notFound: .notFound
        case .conflict: .conflict
        case .tooLarge: .contentTooLarge
        case .unavailable: .serviceUnavailable
        }
    }

    /// The failure for an API client.
    var response: Response {
        let body = ErrorResponse(status: status.code, message: message, details: details)
        var response = Response.json(body.json, status: status)
        // SDKs retry 5xx by themselves, at once; others are told when.
        if code == .unavailable { response.headers[.retryAfter] = "1" }
        return response
    }

    /// The failure for a person with a browser.
    var page: Response {
        code == .notFound ? .html(.notFound, status: status) : .html(.failure(message), status: status)
    }
}
