extension String {
    /// The text without whitespace. Plain ASCII is examined by its bytes: finding the characters of a long list of hosts takes milliseconds.
    package var withoutWhitespace: String {
        utf8.allSatisfy { (0x21..<0x7f).contains($0) } ? self : filter { !$0.isWhitespace }
    }
}
