extension String {
    /// Returns the longest prefix of at most `bytes` bytes of UTF-8 that does not split a Unicode scalar.
    package func prefix(bytes: Int) -> String {
        guard let end = utf8.index(startIndex, offsetBy: bytes, limitedBy: endIndex) else { return self }
        return String(unicodeScalars[..<end])
    }
}
