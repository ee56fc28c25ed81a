/// Why there is no QR code: one sentence for the one who asked, saying what is allowed.
package struct QRCodeError: Error, Equatable, CustomStringConvertible {
    package let message: String

    init(_ message: String) {
        self.message = message
    }

    package var description: String { message }
}

extension QRCodeError {
    /// Memory ran out: nothing else can fail when a code is drawn that passed all checks.
    static let notEncoded = QRCodeError("the image of the code cannot be made.")
}
