/// Language codes as browsers and SDKs report them.
package enum Language {
    /// Returns the primary language in lower case: `de` for `de-AT,de;q=0.9,en;q=0.8`, `de_AT` and `DE`; nil for text that names no
    /// language.
    package static func primary(_ text: String) -> String? {
        var letters: [UInt8] = []
        for byte in text.utf8.drop(while: { $0 == UInt8(ascii: " ") }) {
            guard (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) else { break }
            guard letters.count < 3 else { return nil }
            letters.append(byte | 0x20)
        }
        return letters.count < 2 ? nil : String(decoding: letters, as: UTF8.self)
    }
}
