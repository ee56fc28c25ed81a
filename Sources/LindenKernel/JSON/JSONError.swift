/// A syntax error in a JSON text, with its position.
package struct JSONError: Error, Sendable, CustomStringConvertible {
    package let reason: String
    /// The offset in bytes from the start of the text.
    package let offset: Int
    /// Whether the text has more values than allowed; it may be valid otherwise.
    package var hasTooManyValues = false

    package var description: String { "\(reason) at byte \(offset)" }
}
