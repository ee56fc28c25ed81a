/// A user agent split once for all its parsers: its words in order, and the fields of its first parentheses.
struct UserAgentText {
    struct Word {
        /// Letters, digits, `-` and `_`, in lower case; at least one letter.
        let name: String
        /// The text after the word, to the end.
        let rest: Substring

        /// The version after a slash or a space: `Chrome/126.0.0.0`, `Android 14`, `iPhone OS 17_5_1`.
        var version: String? { OSVersion.leading(rest, after: ["/", " "]) }

        /// The value after a slash, in Facebook's syntax: `FBDV/iPhone15,2;`.
        var value: Substring? {
            guard rest.first == "/" else { return nil }
            let value = rest.dropFirst().prefix(64).prefix { $0 != ";" && $0 != "]" && $0 != " " }
            return value.isEmpty ? nil : value
        }
    }

    let words: [Word]
    /// The fields between the first parentheses, split at semicolons: `Linux`, `Android 14`, `Pixel 8`.
    let fields: [Substring]
    /// Whether the user agent contains a contact URL, as well-behaved robots' do: `+http://www.google.com/bot.html`.
    let leavesAddress: Bool

    /// The maximum number of bytes that are parsed. No browser comes near; it bounds the cost of hostile input.
    private static let longest = 2048

    init(_ userAgent: String) {
        let utf8 = userAgent.utf8
        let end = utf8.index(utf8.startIndex, offsetBy: Self.longest, limitedBy: utf8.endIndex) ?? utf8.endIndex
        let text = userAgent[..<end]
        (words, leavesAddress) = Self.words(of: text)
        fields = Self.fields(of: text)
    }

    func has(_ name: String) -> Bool {
        words.contains { $0.name == name }
    }

    /// The version of the first word of this name.
    func version(of name: String) -> String? {
        words.first { $0.name == name }?.version
    }

    private static func words(of text: Substring) -> ([Word], leavesAddress: Bool) {
        var words: [Word] = []
        var leavesAddress = false
        var start: String.Index?
        var hasLetter = false
        var before: UInt8 = 0
        var index = text.startIndex
        let bytes = text.utf8

        func finish(at end: String.Index) {
            guard let begin = start else { return }
            start = nil
            guard hasLetter else { return }
            words.append(Word(name: lowercased(bytes[begin..<end]), rest: text[end...]))
            hasLetter = false
            leavesAddress = leavesAddress || before == UInt8(ascii: "+") && words[words.count - 1].name.hasPrefix("http")
        }

        var last: UInt8 = 0
        while index < bytes.endIndex {
            let byte = bytes[index]
            let isLetter = isLetter(byte)
            if isLetter || isDigit(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_") {
                if start == nil {
                    start = index
                    before = last
                }
                hasLetter = hasLetter || isLetter
            } else {
                finish(at: index)
            }
            last = byte
            bytes.formIndex(after: &index)
        }
        finish(at: bytes.endIndex)
        return (words, leavesAddress)
    }

    /// Returns the fields between a text's first parentheses, trimmed. Models may contain parentheses: `Acer Chromebook R13 (CB5-312T)`.
    static func fields(of text: Substring) -> [Substring] {
        let bytes = text.utf8
        guard let open = bytes.firstIndex(of: UInt8(ascii: "(")) else { return [] }
        var fields: [Substring] = []
        var depth = 1
        var start = bytes.index(after: open)
        var index = start
        while index < bytes.endIndex, depth > 0 {
            let byte = bytes[index]
            if byte == UInt8(ascii: "(") { depth += 1 }
            if byte == UInt8(ascii: ")") { depth -= 1 }
            if depth == 0 || depth == 1 && byte == UInt8(ascii: ";") {
                fields.append(trimmed(text[start..<index]))
                start = bytes.index(after: index)
            }
            bytes.formIndex(after: &index)
        }
        // The text ends within the parentheses.
        if depth > 0 { fields.append(trimmed(text[start...])) }
        return fields
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text.drop { $0 == " " }
        while text.last == " " { text.removeLast() }
        return text
    }

    /// Lower-cases ASCII only, because some letters beyond it have ASCII lower-case forms, such as the Kelvin sign.
    private static func lowercased(_ bytes: Substring.UTF8View.SubSequence) -> String {
        String(unsafeUninitializedCapacity: bytes.count) { buffer in
            for (offset, byte) in bytes.enumerated() {
                buffer[offset] = isLetter(byte) ? byte | 0x20 : byte
            }
            return bytes.count
        }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
