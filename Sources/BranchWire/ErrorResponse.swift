import Linden

/// The one error body that every SDK generation survives: an object under `error`, with a `code` that equals the status
/// (the iOS SDK from 3.12.2 reads both, and takes a missing code for a network outage).
package struct ErrorResponse: Sendable {
    private let status: Int
    private let message: String
    private let details: JSONObject

    package init(status: Int, message: String, details: JSONObject = [:]) {
        self.status = status
        self.message = message
        self.details = details
    }

    package var json: JSON {
        let error: JSONObject = ["code": JSON(status), "message": .string(message)]
        return ["error": .object(error.merging(details))]
    }
}
