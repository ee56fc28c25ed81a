/// The reason why a QR code cannot be made: a sentence for the client that says what is allowed.
package struct QRCodeError: Error, Equatable, CustomStringConvertible {
    package let message: String

    init(_ message: String) {
        self.message = message
    }

    package var description: String { message }
}

extension QRCodeError {
    /// An encoder failed, for lack of memory: nothing else can fail once all checks have passed.
    static let notEncoded = QRCodeError("the image of the code cannot be made.")
}
