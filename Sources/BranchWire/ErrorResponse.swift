import Linden

/// The one error body that every SDK generation survives: an object under `error`, with a `code` that equals the status
/// (the iOS SDK from 3.12.2 reads both, and takes a missing code for a network outage).
package struct ErrorResponse: Sendable {
    private let status: Int
    private let message: String
    private let details: JSONObject
    private let hasMessageOnTop: Bool

    /// - Parameter hasMessageOnTop: for QR codes, where the iOS SDK reads the message outside of `error`.
    package init(status: Int, message: String, details: JSONObject = [:], hasMessageOnTop: Bool = false) {
        self.hasMessageOnTop = hasMessageOnTop
        self.status = status
        self.message = message
        self.details = details
    }

    package var json: JSON {
        let error: JSONObject = ["code": JSON(status), "message": .string(message)]
        var body: JSONObject = ["error": .object(error.merging(details))]
        if hasMessageOnTop { body["message"] = .string(message) }
        return .object(body)
    }
}
