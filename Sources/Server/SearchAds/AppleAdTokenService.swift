import Linden
import Logging
import OutgoingHTTP

/// Apple's own service for the tokens of AdServices.
package struct AppleAdTokenService: AdTokenService {
    private let url: String
    private let logger: Logger

    package init(url: String = "https://api-adservices.apple.com/api/v1/", logger: Logger = Logger(label: "linden")) {
        self.url = url
        self.logger = logger
    }

    /// Apple answers 404 for what it does not know yet, and 400 for a token that is none.
    package func answer(to token: String) async -> AdTokenAnswer {
        do {
            let answer = try await DirectClient.post(
                Array(token.utf8), as: "text/plain", to: url, limit: 64 << 10, timeout: .seconds(10))
            switch answer.status {
            case 200: return SearchAd(adServices: answer.bytes).map(AdTokenAnswer.told) ?? .refused
            case 404, 408, 429, 500...: return .notYet
            default: return .refused
            }
        } catch {
            logger.warning("Apple could not be asked about an ad; it will be tried again.", metadata: ["problem": "\(error)"])
            return .notYet
        }
    }
}
