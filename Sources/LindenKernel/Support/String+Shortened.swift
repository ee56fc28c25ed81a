extension String {
    /// Returns the beginning of a text that is longer than so many Unicode scalars, with an ellipsis; otherwise the text.
    package func shortened(to length: Int) -> String {
        guard let end = unicodeScalars.index(startIndex, offsetBy: length, limitedBy: endIndex), end < endIndex else { return self }
        return String(unicodeScalars[..<end]) + "…"
    }
}
