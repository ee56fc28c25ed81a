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
        case .gone: .gone
        case .conflict: .conflict
        case .tooLarge: .contentTooLarge
        case .insufficient: HTTPResponse.Status(code: 402, reasonPhrase: "Payment Required")
        case .rateLimited: .tooManyRequests
        case .unavailable: .serviceUnavailable
        }
    }

    /// The failure for an API client.
    var response: Response { response() }

    func response(withMessageOnTop: Bool = false) -> Response {
        let body = ErrorResponse(status: status.code, message: message, details: details, hasMessageOnTop: withMessageOnTop)
        return sayingWhenToRetry(.json(body.json, status: status))
    }

    /// The failure for a person with a browser.
    var page: Response { page() }

    /// - Parameter back: where he can try again.
    func page(back: String? = nil) -> Response {
        switch code {
        case .notFound: .html(.notFound, status: status)
        case .gone: .html(.ended, status: status)
        default: sayingWhenToRetry(.html(.failure(message, back: back), status: status))
        }
    }

    /// SDKs retry 5xx by themselves, at once; others are told when.
    private func sayingWhenToRetry(_ response: Response) -> Response {
        var response = response
        if code == .unavailable { response.headers[.retryAfter] = "1" }
        if code == .rateLimited { response.headers[.retryAfter] = "3600" }
        return response
    }
}
