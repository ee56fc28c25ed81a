/// A phone number in the form that gateways accept: digits, with an optional leading plus sign.
package struct PhoneNumber: Sendable, Hashable {
    package let text: String

    /// Parses a number with the usual separators, such as `+49 (151) 1234-567`. Fails with `invalid`.
    package init(_ written: String) throws {
        // Before the letters of a long text are compared, of which each may be many bytes.
        guard written.utf8.count <= Self.longest else { throw Self.invalid }
        var digits = written.filter { !" -().\u{A0}/".contains($0) }
        let isInternational = digits.hasPrefix("+") || digits.hasPrefix("00")
        if isInternational { digits.removeFirst(digits.hasPrefix("+") ? 1 : 2) }
        guard (6...15).contains(digits.utf8.count), !isInternational || !digits.hasPrefix("0"),
            digits.utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else { throw Self.invalid }
        text = (isInternational ? "+" : "") + digits
    }

    private static let invalid = Failure.invalid("phone must be a phone number of 6 to 15 digits, such as +1 555 010 0000.")
    /// The most bytes of a number with its separators.
    private static let longest = 64

    /// Creates a number from its stored form.
    package init(stored text: String) {
        self.text = text
    }
}
