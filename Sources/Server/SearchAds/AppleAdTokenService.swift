import Linden
import Logging
import OutgoingHTTP

/// Apple's AdServices attribution API.
package struct AppleAdTokenService: AdTokenService {
    private let url: String
    private let logger: Logger

    package init(url: String = "https://api-adservices.apple.com/api/v1/", logger: Logger = Logger(label: "linden")) {
        self.url = url
        self.logger = logger
    }

    /// Exchanges a token. Apple answers 404 if it does not know the attribution yet, and 400 for an invalid token.
    package func answer(to token: String) async -> AdTokenAnswer {
        do {
            let answer = try await DirectClient.post(
                Array(token.utf8), as: "text/plain", to: url, limit: 64 << 10, timeout: .seconds(10))
            switch answer.status {
            case 200: return SearchAd(adServices: answer.bytes).map(AdTokenAnswer.reported) ?? .refused
            case 404, 408, 429, 500...: return .notYet
            default: return .refused
            }
        } catch {
            logger.warning("The request to Apple for an ad failed; it will be retried.", metadata: ["problem": "\(error)"])
            return .notYet
        }
    }
}
