/// Languages as browsers and SDKs both tell them.
package enum Language {
    /// `de` of `de-AT,de;q=0.9,en;q=0.8`, of `de_AT` and of `DE`; nil for what names no language.
    package static func primary(_ text: some StringProtocol) -> String? {
        let first = text.drop { $0 == " " }.prefix { $0.isASCII && $0.isLetter }
        return (2...3).contains(first.count) ? first.lowercased() : nil
    }
}
