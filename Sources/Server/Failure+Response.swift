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

    /// The status as a number, which is also the `code` of an error's body.
    package var statusCode: Int { status.code }

    /// The failure for an API client.
    var answer: Answer { answer() }

    func answer(withMessageOnTop: Bool = false) -> Answer {
        let body = ErrorResponse(status: status.code, message: message, details: details, hasMessageOnTop: withMessageOnTop)
        return sayingWhenToRetry(.json(body.json, status: status))
    }

    /// The failure for a person with a browser.
    ///
    /// - Parameter back: where he can try again.
    func page(back: String? = nil) -> Answer {
        switch code {
        case .notFound: .html(.notFound, status: status)
        case .gone: .html(.ended, status: status)
        default: sayingWhenToRetry(.html(.failure(message, back: back), status: status))
        }
    }

    /// SDKs retry 5xx by themselves, at once; others are told when.
    private func sayingWhenToRetry(_ answer: Answer) -> Answer {
        var answer = answer
        if code == .unavailable { answer.headers[.retryAfter] = String(retryAfter ?? 1) }
        if code == .rateLimited { answer.headers[.retryAfter] = String(retryAfter ?? 3600) }
        return answer
    }
}
