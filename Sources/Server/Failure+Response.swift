import BranchWire
import HTTPTypes
import Hummingbird
import Linden
import Pages

extension Failure {
    /// The one table of statuses.
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

    /// The failure for an API client.
    var answer: Answer { answer() }

    func answer(withMessageOnTop: Bool = false) -> Answer {
        let body = ErrorResponse(status: status.code, message: message, details: details, hasMessageOnTop: withMessageOnTop)
        return sayingWhenToRetry(.json(body.json, status: status))
    }

    /// The failure for a person with a browser.
    ///
    /// - Parameters:
    ///   - back: where the visitor can try again.
    ///   - text: what to say in place of the message, which is English.
    func page(back: String? = nil, in language: PageLanguage, saying text: PageText? = nil) -> Answer {
        let page: Page =
            switch (code, text ?? (code == .unavailable ? .tryAgain : nil)) {
            case (.notFound, _): .notFound(in: language)
            case (.gone, _): .expired(in: language)
            case (_, let text?): .failure(text, back: back, in: language)
            case (_, nil): .failure(english: message, back: back, in: language)
            }
        return sayingWhenToRetry(.html(page, status: status))
    }

    /// SDKs retry 5xx by themselves, at once; others are told when.
    private func sayingWhenToRetry(_ answer: Answer) -> Answer {
        var answer = answer
        if code == .unavailable { answer.headers[.retryAfter] = String(retryAfter ?? 1) }
        if code == .rateLimited { answer.headers[.retryAfter] = String(retryAfter ?? 3600) }
        return answer
    }
}
