import BranchWire
import HTTPTypes
import Hummingbird
import LindenKernel
import Pages

extension Failure {
    /// The HTTP status of the failure's code; the only such table.
    var status: HTTPResponse.Status {
        switch code {
        case .invalid, .unusable: .badRequest
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

    /// The response for API clients.
    var answer: BufferedResponse { answer() }

    func answer(withMessageOnTop: Bool = false) -> BufferedResponse {
        let body = ErrorResponse(status: status.code, message: message, details: details, hasMessageOnTop: withMessageOnTop)
        return sayingWhenToRetry(.json(body.json, status: status))
    }

    /// The response for browsers.
    ///
    /// - Parameters:
    ///   - back: the address where the visitor can try again.
    ///   - text: a text in place of the message, which is English.
    func page(back: String? = nil, in language: PageLanguage, saying text: PageText? = nil) -> BufferedResponse {
        let page: Page =
            switch (code, text ?? (code == .unavailable ? .tryAgain : nil)) {
            case (.notFound, _): .notFound(in: language)
            case (.gone, _): .expired(in: language)
            case (.rateLimited, nil) where back == nil: RefusalPages.page(saying: message, in: language)
            case (_, let text?): .failure(text, back: back, in: language)
            case (_, nil): .failure(english: message, back: back, in: language)
            }
        return sayingWhenToRetry(.html(page, status: status))
    }

    /// Adds `Retry-After` to the statuses 503 and 429. SDKs ignore it: they retry 5xx at once.
    private func sayingWhenToRetry(_ answer: BufferedResponse) -> BufferedResponse {
        var answer = answer
        if code == .unavailable { answer.headers[.retryAfter] = String(retryAfter ?? 1) }
        if code == .rateLimited { answer.headers[.retryAfter] = String(retryAfter ?? 3600) }
        return answer
    }
}
