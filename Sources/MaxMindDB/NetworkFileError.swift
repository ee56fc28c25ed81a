/// The reason why a database file cannot be used, as a message for the operator.
package struct NetworkFileError: Error, Equatable, CustomStringConvertible {
    package let message: String

    init(_ message: String) {
        self.message = message
    }

    package var description: String { message }
}
