import LindenKernel

/// The error body that SDKs of every generation parse: an object under `error`, with a `code` that equals the HTTP status (the iOS SDK from
/// 3.12.2 reads both, and treats a missing code as a network outage).
package struct ErrorResponse: Sendable {
    private let status: Int
    private let message: String
    private let details: JSONObject
    private let hasMessageOnTop: Bool

    /// - Parameter hasMessageOnTop: whether `message` is repeated at the top level. The iOS SDK reads it there for QR codes.
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
