import Linden
import LindenKernel
import Logging
import OutgoingHTTP

/// A text message gateway that posts `{"to": "+15550100000", "text": "…"}` to the operator's service, which responds with 2xx once it has
/// accepted the message.
package struct WebTextMessageGateway: TextMessageGateway {
    private let url: String
    private let token: String?
    private let logger: Logger

    package init(url: String, token: String?, logger: Logger = Logger(label: "linden")) {
        self.url = url
        self.token = token
        self.logger = logger
    }

    package func send(_ text: String, to phone: PhoneNumber) async throws {
        let body: JSON = ["to": .string(phone.text), "text": .string(text)]
        let problem: String
        do {
            let status = try await DirectClient.post(body.bytes, to: url, token: token, timeout: .seconds(10))
            if (200..<300).contains(status) { return }
            problem = "The gateway answered with status \(status)."
        } catch let error as DirectFetchError {
            problem = "\(error)"
        }
        logger.warning("A text message was not sent.", metadata: ["problem": "\(problem)"])
        throw Failure.unavailable("The text message could not be sent. Please try again in a moment.")
    }
}
